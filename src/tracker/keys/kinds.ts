import { secretKind } from '#accounts/bearer-secret.ts'

/** Names a site in its snippet. It is not a secret, because everybody can read it in the page (rules 6). */
export const publicIds = secretKind('spoor_pub_')

/** Lets a customer's server report revenue and conversions of one site (rules 6). */
export const serverKeys = secretKind('spoor_srv_')
