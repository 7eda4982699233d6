import { createHash, randomBytes } from 'node:crypto'

/** The secret of a surface A key: `spoor_site_` and 256 random bits in base64url; only its hash and prefix are kept (decisions 2). */
export interface SiteKeySecret {
  secret: string
  prefix: string
  secret_sha256: string
}

const KIND = 'spoor_site_'
const FORM = /^spoor_site_[A-Za-z0-9_-]{43}$/
/** The kind and 8 of the 43 random characters: enough to tell keys apart, and 208 bits stay unknown to who sees it. */
const PREFIX_LENGTH = KIND.length + 8

export function drawSiteKeySecret(): SiteKeySecret {
  const secret = KIND + randomBytes(32).toString('base64url')
  return { secret, prefix: secret.slice(0, PREFIX_LENGTH), secret_sha256: hashSiteKey(secret) }
}

/** False for another kind of key (`spoor_acct_`, `spoor_src_`), a cut one, or anything else. */
export function looksLikeSiteKey(text: string): boolean {
  return FORM.test(text)
}

/** SHA-256 of the whole secret, in lower-case hex. */
export function hashSiteKey(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
