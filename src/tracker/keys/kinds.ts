import { secretKind } from '#accounts/bearer-secret.ts'

/** Names a site in its snippet; anybody who reads the page knows it, so it is not a secret (rules 6). */
export const publicIds = secretKind('spoor_pub_')

/** Lets a customer's server report revenue and conversions of one site (rules 6). */
export const serverKeys = secretKind('spoor_srv_')
