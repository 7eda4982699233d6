/** Signing in with e-mail address and password, and giving the password again (decisions 2). */
import type { ControlContext } from '#control/context.ts'
import type { ControlDb } from '#control/store.ts'
import type { SessionCaller } from './caller.ts'
import { emailOrNull } from './email.ts'
import { hashOfNobody, verifyPassword } from './password.ts'
import { confirmSession, endSession, startSession } from './sessions.ts'
import { countTry, type Tried } from './sign-in-tries.ts'

export interface SignIn extends Tried {
  password: string
  user_agent: string | null
  /** The session that the browser had before, which ends with this one. */
  previous: string | null
}

/**
 * Signs a person in with a new session.
 * @returns the secret of the session; null when address and password do not belong together.
 * @throws TooManyTries.
 */
export async function signIn(ctx: ControlContext, given: SignIn): Promise<string | null> {
  const forget = await countTry(ctx, given)
  const person = await findPerson(ctx.control.db, given.email)
  // A password is compared for an unknown address too, so that the time says nothing about who is known.
  const is_right = await verifyPassword(person?.hash ?? hashOfNobody(), given.password)
  if (person === undefined || !is_right) return null
  await forget()
  if (given.previous !== null) await endSession(ctx, given.previous)
  return openUnlessChanged(ctx, person, given.user_agent)
}

/**
 * Whether the password is that of the person who signed in, which is then confirmed for ten minutes.
 * @throws TooManyTries.
 */
export async function confirmPassword(
  ctx: ControlContext,
  { session_id, user_id }: Pick<SessionCaller, 'session_id' | 'user_id'>,
  { password, client }: { password: string; client: string },
): Promise<boolean> {
  const person = await ctx.control.db
    .selectFrom('passwords')
    .innerJoin('users', 'users.id', 'passwords.user_id')
    .select(['passwords.hash', 'users.email'])
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  const forget = await countTry(ctx, { client, email: person?.email ?? user_id })
  if (person === undefined || !(await verifyPassword(person.hash, password))) return false
  await forget()
  await confirmSession(ctx, session_id)
  return true
}

interface Person {
  user_id: string
  hash: string
}

async function findPerson(db: ControlDb, text: string): Promise<Person | undefined> {
  const email = emailOrNull(text)
  if (email === null) return undefined
  return db
    .selectFrom('users')
    .innerJoin('passwords', 'passwords.user_id', 'users.id')
    .select(['passwords.user_id', 'passwords.hash'])
    .where('users.email', '=', email)
    .executeTakeFirst()
}

/** A password that was changed while the old one was compared signs no one in. */
function openUnlessChanged(
  { control, clock }: ControlContext,
  { user_id, hash }: Person,
  user_agent: string | null,
): Promise<string | null> {
  return control.transaction(async (trx) => {
    const now = await trx.selectFrom('passwords').select('hash').where('user_id', '=', user_id).executeTakeFirst()
    return now?.hash === hash ? startSession(trx, clock, { user_id, user_agent }) : null
  })
}
