/** Leases of jobs: one run of all processes holds the job's row for a limited time (decisions 8). */
import { randomUUID } from 'node:crypto'
import type { ControlContext } from '#control/context.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { JobRow } from '#control/tables.ts'

export interface LeaseContext extends ControlContext {
  /** How long a lease is valid without renewal, in milliseconds. */
  lease_ms: number
}

export interface JobTimes {
  name: string
  every_ms: number
  limit_ms: number
}

/** The lease of a run on its job. */
export interface Lease {
  name: string
  owner: string
  /** The number of consecutive failed runs before this one. */
  attempts: number
}

/** The reason of the signal after a run has lost its lease: another run may have begun. */
export class LeaseLost extends Error {
  constructor(name: string) {
    super(`The job ${name} has lost its lease: another run may have begun.`)
    this.name = 'LeaseLost'
  }
}

const NOT_REPORTED = 'The run did not report its end: its process was killed, or could not reach the control store.'
const MAX_ERROR_LENGTH = 300

/** Adds the row of a new job, due at once. */
export async function ensureJob(
  { control, clock }: LeaseContext,
  { name, every_ms, limit_ms }: JobTimes,
): Promise<void> {
  await control.db
    .insertInto('jobs')
    .values({ name, every_ms, limit_ms, next_at: clock.shared() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
}

/**
 * Whether a run may begin now. An expired lease does not count. An instant that is further ahead than any lease or
 * period was written under another clock (`--clock`), and is ignored.
 */
export function isDue(row: JobRow, { every_ms }: JobTimes, now: number, lease_ms: number): boolean {
  if (row.lease_until !== null) return row.lease_until <= now || row.lease_until > now + 2 * lease_ms
  return row.next_at <= now || row.next_at > now + 2 * every_ms
}

/**
 * Takes a due job; null: it is not due, or another run was first. A previous run that did not report counts as failed.
 */
export async function takeLease(ctx: LeaseContext, job: JobTimes): Promise<Lease | null> {
  const { control, clock, lease_ms } = ctx
  const { name, every_ms, limit_ms } = job
  return control.transaction(async (trx) => {
    const row = await trx.selectFrom('jobs').selectAll().where('name', '=', name).executeTakeFirst()
    const now = clock.shared()
    if (row === undefined || !isDue(row, job, now, lease_ms)) return null
    const owner = randomUUID()
    const unreported = row.lease_owner === null ? null : { attempts: row.attempts + 1, last_error: NOT_REPORTED }
    const times = { every_ms, limit_ms, next_at: now + every_ms, last_started_at: now, lease_until: now + lease_ms }
    await trx
      .updateTable('jobs')
      .set({ ...times, ...unreported, lease_owner: owner })
      .where('name', '=', name)
      .execute()
    return { name, owner, attempts: unreported?.attempts ?? row.attempts }
  })
}

/** Renews a lease; false: it is lost. */
export async function renewLease({ control, clock, lease_ms }: LeaseContext, lease: Lease): Promise<boolean> {
  const renewed = await control.db
    .updateTable('jobs')
    .set({ lease_until: clock.shared() + lease_ms })
    .where((is) => is.and({ name: lease.name, lease_owner: lease.owner }))
    .executeTakeFirst()
  return renewed.numUpdatedRows === 1n
}

/**
 * Fences a write. Call it in the writing transaction, before its first write: only one such transaction runs at a time,
 * so that no process takes the job before this one ends.
 * @throws LeaseLost: nothing may be written.
 */
export async function assertHeld(trx: ControlTransaction, { name, owner }: Lease): Promise<void> {
  const held = await trx
    .selectFrom('jobs')
    .select('name')
    .where((is) => is.and({ name, lease_owner: owner }))
    .executeTakeFirst()
  if (held === undefined) throw new LeaseLost(name)
}

/** How a run ended; `stopped`: its process ended, and the next process begins it again. */
export type RunOutcome =
  | { how: 'succeeded' }
  | { how: 'failed'; error: string; again_in_ms: number }
  | { how: 'stopped' }

/** Releases the job and records the outcome; false: the lease was lost, and nothing was written. */
export async function endLease({ control, clock }: LeaseContext, lease: Lease, outcome: RunOutcome): Promise<boolean> {
  const ended = await control.db
    .updateTable('jobs')
    .set({
      lease_owner: null,
      lease_until: null,
      last_ended_at: clock.shared(),
      ...outcomeColumns(outcome, lease, clock.shared()),
    })
    .where((is) => is.and({ name: lease.name, lease_owner: lease.owner }))
    .executeTakeFirst()
  return ended.numUpdatedRows === 1n
}

function outcomeColumns(outcome: RunOutcome, { attempts }: Lease, now: number): Partial<JobRow> {
  if (outcome.how === 'succeeded') return { attempts: 0, last_error: null, last_succeeded_at: now }
  if (outcome.how === 'stopped') return { next_at: now }
  const last_error = outcome.error.slice(0, MAX_ERROR_LENGTH)
  return { attempts: attempts + 1, last_error, next_at: now + outcome.again_in_ms }
}

/** Releases jobs whose last run has certainly ended, and makes them due. */
export async function freeJobs({ control, clock }: LeaseContext, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const free = { lease_owner: null, lease_until: null, next_at: clock.shared() }
  await control.db.updateTable('jobs').set(free).where('name', 'in', names).execute()
}

/** Makes a job due at once. A running job runs again afterwards. */
export async function makeDue(
  { control, clock }: Pick<LeaseContext, 'control' | 'clock'>,
  name: string,
): Promise<void> {
  await control.db.updateTable('jobs').set({ next_at: clock.shared() }).where('name', '=', name).execute()
}
