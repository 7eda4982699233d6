import { type BearerSecret, hashSecret, secretKind } from './bearer-secret.ts'

/** The secret of a surface A key (decisions 2). */
export type SiteKeySecret = BearerSecret

const kind = secretKind('spoor_site_')

export const drawSiteKeySecret = (): SiteKeySecret => kind.draw()

/** False for another kind of key (`spoor_acct_`, `spoor_src_`), a cut one, or anything else. */
export const looksLikeSiteKey = (text: string): boolean => kind.looksLike(text)

/** SHA-256 of the whole secret, in lower-case hex. */
export const hashSiteKey = (secret: string): string => hashSecret(secret)
