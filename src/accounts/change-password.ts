import type { ControlContext } from '#control/context.ts'
import type { ControlTransaction } from '#control/store.ts'
import { hashPassword } from './password.ts'
import { endSessions, findSessions } from './sessions.ts'

/**
 * Stores another password of a person who has just given the one in force. All of their sessions end.
 * @returns how many sessions were in force.
 * @throws Refusal invalid_input: not 12 to 200 characters.
 */
export async function changePassword(ctx: ControlContext, user_id: string, password: string): Promise<number> {
  const hash = await hashPassword(password)
  const sessions = await findSessions(ctx, user_id)
  await ctx.control.transaction((trx) => storePassword(trx, { user_id, hash, chosen_at: ctx.clock.now() }))
  return sessions.length
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
