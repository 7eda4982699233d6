/** Who asks: the bearer of a site key (spec 5, rules 1). */
import type { SiteKeyCaller } from '#accounts/caller.ts'
import { wrongSecret } from '#accounts/wrong-secret.ts'
import { RequestProblem } from './problems.ts'

/** What stands after `Bearer`, or undefined for another scheme and for no header. */
export const readBearer = (authorization: string | undefined): string | undefined =>
  /^bearer +([\w.~+/-]+=*) *$/i.exec(authorization ?? '')?.[1]

/** Throws a 401 problem unless the header holds a key that `find` knows. Missing, unknown and revoked look alike. */
export async function authenticate(
  authorization: string | undefined,
  find: (bearer: string) => Promise<SiteKeyCaller | null>,
): Promise<SiteKeyCaller> {
  const bearer = readBearer(authorization)
  const caller = bearer === undefined ? null : await find(bearer)
  if (caller !== null) return caller
  throw new RequestProblem(
    'unauthenticated',
    bearer === undefined
      ? 'Authorization is missing or of another scheme; send "Authorization: Bearer <site key>".'
      : (wrongSecret(bearer, 'spoor_site_') ??
          'The key is unrecognized or revoked; send a site key (spoor_site_…) that is in force.'),
  )
}
