/** Names a secret of another kind by its beginning alone, so that a stranger does not learn whether it exists. */

/** Every kind of secret, by its beginning. */
const KINDS = {
  spoor_site_: 'a site key',
  spoor_acct_: 'an account token',
  spoor_src_: 'a source token',
  spoor_srv_: 'a server key of a tracker',
  spoor_pub_: 'the public id of a tracker',
} as const

type SecretPrefix = keyof typeof KINDS

/** A sentence that names the kind that was sent and the one that is needed; null: it is not of another kind. */
export function wrongSecret(given: string, needed: SecretPrefix): string | null {
  const sent = (Object.keys(KINDS) as SecretPrefix[]).find((prefix) => given.startsWith(prefix))
  if (sent === undefined || sent === needed) return null
  return `The request carries ${KINDS[sent]} (${sent}…); send ${KINDS[needed]} (${needed}…) that is in force.`
}
