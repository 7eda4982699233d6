import type { ControlContext } from '#control/context.ts'
import type { ControlTransaction } from '#control/store.ts'
import { Refusal } from '#refusal.ts'
import { storePassword } from './change-password.ts'
import { normalizeEmail } from './email.ts'
import { findLink, useLink } from './one-time-links.ts'
import { hashPassword } from './password.ts'

export interface ChosenPassword {
  token: string
  password: string
  /** Names a person who has no address yet; null for the others, whose address stays. */
  email: string | null
}

/**
 * Stores the password that the holder of a one-time link chooses, and uses the link up; a refusal leaves it in force.
 * All sessions of the person end.
 * @returns the address to sign in with, and whose password it is.
 * @throws Refusal not_found (the link), invalid_input (password or address), conflict (another person has the address).
 */
export async function choosePassword(
  ctx: ControlContext,
  { token, password, email }: ChosenPassword,
): Promise<{ email: string; user_id: string }> {
  // Hashing is dear: only a link in force may ask for it.
  await findLink(ctx, token)
  const hash = await hashPassword(password)
  return ctx.control.transaction(async (trx) => {
    const user_id = await useLink(trx, ctx.clock, token)
    const address = await nameUser(trx, user_id, email)
    await storePassword(trx, { user_id, hash, chosen_at: ctx.clock.now() })
    await trx.deleteFrom('one_time_links').where('is_first_run', '=', 1).execute()
    return { email: address, user_id }
  })
}

async function nameUser(trx: ControlTransaction, user_id: string, given: string | null): Promise<string> {
  const user = await trx.selectFrom('users').select('email').where('id', '=', user_id).executeTakeFirstOrThrow()
  const email = given === null ? null : normalizeEmail(given)
  if (user.email !== null) {
    if (email === null || email === user.email) return user.email
    throw new Refusal('invalid_input', `This person signs in as ${user.email}: leave the e-mail address out.`)
  }
  if (email === null) {
    throw new Refusal('invalid_input', 'This person has no e-mail address yet: give the one to sign in with.')
  }
  const other = await trx.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  if (other !== undefined) {
    throw new Refusal('conflict', `Another person of this installation signs in as ${email}: give another address.`)
  }
  await trx.updateTable('users').set({ email }).where('id', '=', user_id).execute()
  return email
}
