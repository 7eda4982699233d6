/** Links to choose a password: 256 random bits, hashed at rest, in force once and for 24 hours (rules 7). */
import { randomBytes } from 'node:crypto'
import { type Clock, HOUR_MS } from '#clock.ts'
import type { ControlContext } from '#control/context.ts'
import { insertSetting } from '#control/settings.ts'
import type { ControlDb, ControlTransaction } from '#control/store.ts'
import type { Truth } from '#control/tables.ts'
import { Refusal } from '#refusal.ts'
import { hashSecret } from './bearer-secret.ts'

const IN_FORCE_MS = 24 * HOUR_MS
const FORM = /^[A-Za-z0-9_-]{43}$/

export interface IssuedLink {
  /** Shown once: it grants access. */
  token: string
  expires_at: number
}

/** The page that opens a link. */
export const WELCOME_PATH = '/welcome'

/** The link as it is shown; browsers keep what follows `#` to themselves. */
export const welcomeLink = (origin: string, token: string): string => `${origin}${WELCOME_PATH}#${token}`

/** Makes the person's link; the one they may have had before ends with it. */
export async function issueLink(
  db: ControlDb,
  clock: Clock,
  { user_id, is_first_run = 0 }: { user_id: string; is_first_run?: Truth },
): Promise<IssuedLink> {
  const token = randomBytes(32).toString('base64url')
  const created_at = clock.now()
  const link = { token_sha256: hashSecret(token), is_first_run, created_at, expires_at: created_at + IN_FORCE_MS }
  await db
    .insertInto('one_time_links')
    .values({ user_id, ...link })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(link))
    .execute()
  return { token, expires_at: link.expires_at }
}

/**
 * The link to the first password, for the first caller on an installation without any; null for everyone
 * after. An expired one is not followed by another: who is at the machine makes it (rules 7).
 */
export async function issueFirstLink({ control, clock }: ControlContext, user_id: string): Promise<IssuedLink | null> {
  return control.transaction(async (trx) => {
    const is_first = await insertSetting(trx, 'first_link_at', String(clock.now()))
    if (!is_first || (await hasPassword(trx))) return null
    return issueLink(trx, clock, { user_id, is_first_run: 1 })
  })
}

/** Whether anybody of the installation has chosen a password. */
export async function hasPassword(db: ControlDb): Promise<boolean> {
  const row = await db.selectFrom('passwords').select('user_id').limit(1).executeTakeFirst()
  return row !== undefined
}

/**
 * Whom a link is for, without using it.
 * @throws Refusal not_found: used, expired, replaced and never issued look alike.
 */
export async function findLink(
  { control, clock }: ControlContext,
  token: string,
): Promise<{ email: string | null; expires_at: number }> {
  const link = await control.db
    .selectFrom('one_time_links')
    .innerJoin('users', 'users.id', 'one_time_links.user_id')
    .select(['users.email', 'one_time_links.expires_at'])
    .where('token_sha256', '=', hashSecret(checkForm(token)))
    .where('expires_at', '>', clock.now())
    .executeTakeFirst()
  if (link === undefined) throw notInForce()
  return link
}

/**
 * Uses a link up; of several who try at once, one gets through.
 * @returns the id of the user it is for.
 * @throws Refusal not_found, as `findLink`.
 */
export async function useLink(trx: ControlTransaction, clock: Clock, token: string): Promise<string> {
  const link = await trx
    .deleteFrom('one_time_links')
    .where('token_sha256', '=', hashSecret(checkForm(token)))
    .where('expires_at', '>', clock.now())
    .returning('user_id')
    .executeTakeFirst()
  if (link === undefined) throw notInForce()
  return link.user_id
}

/** Deletes the links that open nothing any more at this instant; returns how many. */
export async function forgetExpiredLinks({ control, clock }: ControlContext): Promise<number> {
  const expired = control.db.deleteFrom('one_time_links').where('expires_at', '<=', clock.now())
  return Number((await expired.executeTakeFirst()).numDeletedRows)
}

function checkForm(token: string): string {
  if (!FORM.test(token)) throw notInForce()
  return token
}

function notInForce(): Refusal {
  return new Refusal(
    'not_found',
    'This link is not in force: it was used, has expired (after 24 hours), or a newer one replaced it. A new one is made at the machine with: {next}',
    { next: { step: 'user.reset_link' } },
  )
}
