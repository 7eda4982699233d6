/** Browsers that people signed in with: 256 random bits in a cookie, hashed at rest (decisions 2). */

import { randomBytes, randomUUID } from 'node:crypto'
import { type Clock, DAY_MS, MINUTE_MS } from '#clock.ts'
import { writeBestEffort } from '#control/best-effort-write.ts'
import type { ControlContext } from '#control/context.ts'
import type { ControlDb, ControlStore } from '#control/store.ts'
import type { AccountState } from './account-access.ts'
import { hashSecret, isSameHash } from './bearer-secret.ts'
import type { SessionCaller } from './caller.ts'

const IDLE_MS = 14 * DAY_MS
const ABSOLUTE_MS = 90 * DAY_MS
/** For so long the password need not be given again. */
export const CONFIRMED_MS = 10 * MINUTE_MS
/** A use is noted when the one before is older than this, so that most requests write nothing. */
const USE_GRAIN_MS = 5 * MINUTE_MS
const MAX_AGENT_CHARACTERS = 200
const FORM = /^[A-Za-z0-9_-]{43}$/

/** For how long a browser keeps the cookie. */
export const SESSION_SECONDS = ABSOLUTE_MS / 1_000

export interface SignedIn {
  caller: SessionCaller
  account: AccountState
}

/** Begins a session. @returns its secret, which the browser alone keeps. */
export async function startSession(
  db: ControlDb,
  clock: Clock,
  { user_id, user_agent }: { user_id: string; user_agent: string | null },
): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  const now = clock.now()
  await db
    .insertInto('sessions')
    .values({
      id: randomUUID(),
      user_id,
      secret_sha256: hashSecret(secret),
      user_agent: user_agent?.slice(0, MAX_AGENT_CHARACTERS) ?? null,
      created_at: now,
      last_used_at: now,
      confirmed_at: now,
    })
    .execute()
  return secret
}

/** The person behind a cookie, as of now; null when the session is unknown, ended, idle for too long or too old. */
export async function findSession({ control, clock }: ControlContext, secret: string): Promise<SignedIn | null> {
  if (!FORM.test(secret)) return null
  const secret_sha256 = hashSecret(secret)
  const now = clock.now()
  const found = await control.db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['sessions.id', 'sessions.secret_sha256', 'sessions.last_used_at', 'sessions.confirmed_at'])
    .select(['users.id as user_id', 'users.account_id', 'users.account_role', 'users.is_operator'])
    .select(['accounts.status', 'accounts.access', 'accounts.access_ends_at'])
    .where('sessions.secret_sha256', '=', secret_sha256)
    .where('sessions.last_used_at', '>', now - IDLE_MS)
    .where('sessions.created_at', '>', now - ABSOLUTE_MS)
    .executeTakeFirst()
  if (found === undefined || !isSameHash(found.secret_sha256, secret_sha256)) return null
  if (now - found.last_used_at >= USE_GRAIN_MS) await writeBestEffort(noteUse(control, found.id, now))
  const { id, user_id, account_id, account_role, confirmed_at, status, access, access_ends_at } = found
  return {
    caller: {
      kind: 'session',
      user_id,
      account_id,
      account_role,
      site_ids: null,
      is_operator: found.is_operator === 1,
      session_id: id,
      confirmed_at,
    },
    account: { status, access, access_ends_at },
  }
}

/** Whether the password was given recently enough for what asks for it again. */
export const isConfirmed = ({ confirmed_at }: Pick<SessionCaller, 'confirmed_at'>, clock: Clock): boolean =>
  clock.now() - confirmed_at <= CONFIRMED_MS

/** The password was given again. */
export async function confirmSession({ control, clock }: ControlContext, session_id: string): Promise<void> {
  await control.db.updateTable('sessions').set({ confirmed_at: clock.now() }).where('id', '=', session_id).execute()
}

/** Ends the session of a cookie, also one that has expired. */
export async function endSession({ control }: Pick<ControlContext, 'control'>, secret: string): Promise<void> {
  if (FORM.test(secret))
    await control.db.deleteFrom('sessions').where('secret_sha256', '=', hashSecret(secret)).execute()
}

/** Ends every session of a person. */
export async function endSessions(db: ControlDb, user_id: string): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', user_id).execute()
}

export interface SessionSummary {
  id: string
  user_agent: string | null
  created_at: number
  last_used_at: number
}

/** The sessions of a person that are in force, the newest use first. */
export async function findSessions({ control, clock }: ControlContext, user_id: string): Promise<SessionSummary[]> {
  const now = clock.now()
  return control.db
    .selectFrom('sessions')
    .select(['id', 'user_agent', 'created_at', 'last_used_at'])
    .where('user_id', '=', user_id)
    .where('last_used_at', '>', now - IDLE_MS)
    .where('created_at', '>', now - ABSOLUTE_MS)
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .execute()
}

/** Deletes the sessions that open nothing any more; returns how many. */
export async function forgetExpiredSessions({ control, clock }: ControlContext): Promise<number> {
  const now = clock.now()
  const ended = await control.db
    .deleteFrom('sessions')
    .where((is) => is.or([is('last_used_at', '<=', now - IDLE_MS), is('created_at', '<=', now - ABSOLUTE_MS)]))
    .executeTakeFirst()
  return Number(ended.numDeletedRows)
}

async function noteUse(control: ControlStore, id: string, now: number): Promise<void> {
  await control.db.updateTable('sessions').set({ last_used_at: now }).where('id', '=', id).execute()
}
