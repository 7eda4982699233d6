import type { ControlContext } from '#control/context.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { SessionCaller } from './caller.ts'
import { hashPassword } from './password.ts'
import { endSessions, findSessions } from './sessions.ts'

/**
 * Stores another password of a person who has just given the one in force. All of their sessions end.
 * @returns how many sessions were in force; null: this one has ended meanwhile, as by a password that was chosen with a
 *   link, which stays.
 * @throws Refusal invalid_input: not 12 to 200 characters.
 */
export async function changePassword(
  ctx: ControlContext,
  { session_id, user_id }: Pick<SessionCaller, 'session_id' | 'user_id'>,
  password: string,
): Promise<number | null> {
  const hash = await hashPassword(password)
  const sessions = await findSessions(ctx, user_id)
  return ctx.control.transaction(async (trx) => {
    const own = await trx.selectFrom('sessions').select('id').where('id', '=', session_id).executeTakeFirst()
    if (own === undefined) return null
    await storePassword(trx, { user_id, hash, chosen_at: ctx.clock.now() })
    return sessions.length
  })
}

/** Replaces the password of a person, or gives them their first; all of their sessions end. */
export async function storePassword(
  trx: ControlTransaction,
  { user_id, ...chosen }: { user_id: string; hash: string; chosen_at: number },
): Promise<void> {
  await trx
    .insertInto('passwords')
    .values({ user_id, ...chosen })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(chosen))
    .execute()
  await endSessions(trx, user_id)
}
