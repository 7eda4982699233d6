import { type BearerSecret, hashSecret, secretKind } from './bearer-secret.ts'

const kind = secretKind('spoor_acct_')

/** A new secret of surface B and MCP (decisions 2). */
export const drawAccountTokenSecret = (): BearerSecret => kind.draw()

/** False for another kind of key (`spoor_site_`, `spoor_src_`), a cut one, or anything else. */
export const looksLikeAccountToken = (text: string): boolean => kind.looksLike(text)

/** SHA-256 of the whole secret, in lower-case hex. */
export const hashAccountToken = (secret: string): string => hashSecret(secret)
