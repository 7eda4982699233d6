/**
 * Links that sign a person in once, without a password: the demo prints one for its own operator. They are of 256
 * random bits, hashed at rest, and in force for an hour.
 */
import { randomBytes } from 'node:crypto'
import { type Clock, HOUR_MS } from '#clock.ts'
import type { ControlStore } from '#control/store.ts'
import { Refusal } from '#refusal.ts'
import { hashSecret } from './bearer-secret.ts'
import { startSession } from './sessions.ts'

interface Context {
  control: ControlStore
  clock: Clock
}

/** The page that opens a link. */
export const OPEN_PATH = '/open'

/** @returns the token, which follows `#` in the link. */
export async function issueSignInLink({ control, clock }: Context, user_id: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const link = { token_sha256: hashSecret(token), user_id, expires_at: clock.now() + HOUR_MS }
  await control.db.insertInto('sign_in_links').values(link).execute()
  return token
}

/**
 * Uses a link up; of several who try at once, one gets through.
 * @returns the secret of the session that it began.
 * @throws Refusal not_found.
 */
export async function signInByLink(
  { control, clock }: Context,
  { token, user_agent }: { token: string; user_agent: string | null },
): Promise<string> {
  return control.transaction(async (trx) => {
    const link = await trx
      .deleteFrom('sign_in_links')
      .where('token_sha256', '=', hashSecret(token))
      .where('expires_at', '>', clock.now())
      .returning('user_id')
      .executeTakeFirst()
    if (link === undefined) {
      throw new Refusal('not_found', 'This link was used or is older than an hour: start the demo again for a new one.')
    }
    return startSession(trx, clock, { user_id: link.user_id, user_agent })
  })
}
