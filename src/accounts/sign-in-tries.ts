/**
 * How often a person may try to sign in: 10 times from a client and 20 times as one person in 15 minutes; how often a
 * client may try one-time links: 20 times; and how often an e-mail address may be asked for consent in an hour: once
 * for a site, 10 times in all. Counted in the control store, so that all processes of an installation count together
 * (decisions 2, rules 8.6).
 */

import { createHash, randomUUID } from 'node:crypto'
import { HOUR_MS, MINUTE_MS } from '#clock.ts'
import type { ControlContext } from '#control/context.ts'
import type { ControlDb } from '#control/store.ts'
import { emailOrNull } from './email.ts'

const WINDOW_MS = 15 * MINUTE_MS
/** Tries are kept for the longest of the windows. */
const MAX_WINDOW_MS = HOUR_MS
const MOST = { client: 10, email: 20, links: 20, asked_for_site: 1, asked: 10 } as const

export interface Tried {
  /** The network of the client. */
  client: string
  /** As it was typed. */
  email: string
}

/** Too many tries; the client may try again after so many seconds. */
export class TooManyTries extends Error {
  readonly wait_seconds: number
  constructor(wait_seconds: number) {
    super('too many attempts to sign in')
    this.name = 'TooManyTries'
    this.wait_seconds = wait_seconds
  }
}

/**
 * Counts a try before it is judged, so that tries sent at once are counted too. All spellings of an address count
 * together: a domain has many, such as `ｅxample.com` for `example.com`.
 * @returns forgets the try again: it succeeded.
 * @throws TooManyTries.
 */
export async function countTry(ctx: ControlContext, { client, email }: Tried): Promise<() => Promise<void>> {
  const ids = await count(ctx, [
    { subject_sha256: hash(`client ${client}`), most: MOST.client },
    { subject_sha256: hash(`email ${emailOrNull(email) ?? email}`), most: MOST.email },
  ])
  return async () => {
    await ctx.control.db.deleteFrom('sign_in_tries').where('id', 'in', ids).execute()
  }
}

/** Counts an attempt to use a one-time link, successful or not. @throws TooManyTries. */
export async function countLinkTry(ctx: ControlContext, client: string): Promise<void> {
  await count(ctx, [{ subject_sha256: hash(`links ${client}`), most: MOST.links }])
}

/**
 * Counts that the holder of an address is asked for consent, whether or not the address is still a receiver.
 * @returns forgets it again: the question was not sent.
 * @throws TooManyTries.
 */
export async function countConsentTry(
  ctx: ControlContext,
  { site_id, email }: { site_id: string; email: string },
): Promise<() => Promise<void>> {
  const ids = await count(ctx, [
    { subject_sha256: hash(`asked ${site_id} ${email}`), most: MOST.asked_for_site, window_ms: HOUR_MS },
    { subject_sha256: hash(`asked ${email}`), most: MOST.asked, window_ms: HOUR_MS },
  ])
  return async () => {
    await ctx.control.db.deleteFrom('sign_in_tries').where('id', 'in', ids).execute()
  }
}

interface Subject {
  subject_sha256: string
  most: number
  /** 15 minutes unless given. */
  window_ms?: number
}

/** A try of each subject, unless one of them had too many. @returns the ids of the tries. */
async function count({ control, clock }: ControlContext, subjects: readonly Subject[]): Promise<string[]> {
  const now = clock.now()
  const rows = subjects.map(({ subject_sha256 }) => ({ id: randomUUID(), subject_sha256, tried_at: now }))
  await control.transaction(async (trx) => {
    await deleteOld(trx, now)
    for (const { subject_sha256, most, window_ms = WINDOW_MS } of subjects) {
      const tries = await trx
        .selectFrom('sign_in_tries')
        .select('tried_at')
        .where('subject_sha256', '=', subject_sha256)
        .where('tried_at', '>', now - window_ms)
        .orderBy('tried_at', 'desc')
        .limit(most)
        .execute()
      const oldest = tries[most - 1]
      if (oldest !== undefined) throw new TooManyTries(Math.ceil((oldest.tried_at + window_ms - now) / 1_000))
    }
    await trx.insertInto('sign_in_tries').values(rows).execute()
  })
  return rows.map(({ id }) => id)
}

/** Deletes the tries that are older than every window, also if no further try follows. */
export async function forgetTries({ control, clock }: ControlContext): Promise<void> {
  await deleteOld(control.db, clock.now())
}

async function deleteOld(db: ControlDb, now: number): Promise<void> {
  await db
    .deleteFrom('sign_in_tries')
    .where('tried_at', '<=', now - MAX_WINDOW_MS)
    .execute()
}

const hash = (subject: string): string => createHash('sha256').update(subject).digest('hex')
