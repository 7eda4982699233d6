/**
 * Locks between all processes on the control store. A lock is a lease with an epoch that is taken for one piece of work
 * (decisions 8.1, ADR 44). It is not a session-level lock, because a pooler may be in front of PostgreSQL.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Mutex } from '#concurrency/mutex.ts'
import type { ControlContext } from '#control/context.ts'
import { EvidenceError } from '#evidence/errors.ts'
import type { HeldLock, NamedLocks } from '#evidence/named-locks.ts'

/** A holder that does not renew its lease for this long has lost the lock. */
const LEASE_MS = 5_000
/** How often a lease is renewed within its duration. */
const RENEWALS = 4
/** A waiting process tries again after this time, which doubles with each attempt. */
const FIRST_RETRY_MS = 4
const MAX_RETRY_MS = 25

export interface LeasedLocksContext extends ControlContext {
  lease_ms?: number
}

interface Lease extends HeldLock {
  holder: string
  /** By the monotonic clock of this machine. */
  held_until: number
}

/** Locks in the control store. Within a process, work gets a lock in the order of its calls. */
export function openLeasedLocks(ctx: LeasedLocksContext): NamedLocks {
  const mutexes = new Map<string, Mutex>()
  const mutexOf = (name: string) => {
    const known = mutexes.get(name) ?? new Mutex()
    mutexes.set(name, known)
    return known
  }
  return {
    isBusy: (name) => mutexOf(name).is_busy,
    run: (name, work) => mutexOf(name).run(async () => underLease(ctx, await waitFor(ctx, name), work)),
    async tryRun(name, work) {
      if (mutexOf(name).is_busy) return false
      return mutexOf(name).run(async () => {
        const lease = await take(ctx, name)
        if (lease === null) return false
        await underLease(ctx, lease, work)
        return true
      })
    },
  }
}

async function waitFor(ctx: LeasedLocksContext, name: string): Promise<Lease> {
  for (let wait_ms = FIRST_RETRY_MS; ; wait_ms = Math.min(2 * wait_ms, MAX_RETRY_MS)) {
    const lease = await take(ctx, name)
    if (lease !== null) return lease
    // Random, so that no process is always later than the others.
    await pause(wait_ms * (0.5 + Math.random()))
  }
}

const leaseOf = ({ lease_ms = LEASE_MS }: LeasedLocksContext) => lease_ms

/** Null: another process holds the lock. A lease that ends too far ahead is ignored: a wrong clock wrote it. */
async function take(ctx: LeasedLocksContext, name: string): Promise<Lease | null> {
  const { control, clock } = ctx
  const lease_ms = leaseOf(ctx)
  const [asked_at, now, holder] = [clock.elapsed(), clock.shared(), randomUUID()]
  const taken = await control.db
    .updateTable('turns')
    .set((eb) => ({ holder, until: now + lease_ms, epoch: eb('epoch', '+', 1) }))
    .where('name', '=', name)
    .where((is) => is.or([is('until', 'is', null), is('until', '<=', now), is('until', '>', now + 2 * lease_ms)]))
    .returning(['epoch', 'deletions'])
    .executeTakeFirst()
  if (taken !== undefined) return heldLock(ctx, { name, holder, held_until: asked_at + lease_ms, ...taken })
  const made = await control.db
    .insertInto('turns')
    .values({ name, holder: null, until: null, epoch: 0, deletions: 0 })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst()
  return made.numInsertedOrUpdatedRows === 1n ? take(ctx, name) : null
}

function heldLock(
  { control, clock }: LeasedLocksContext,
  lease: Pick<Lease, 'name' | 'holder' | 'held_until' | 'epoch' | 'deletions'>,
): Lease {
  return {
    ...lease,
    check() {
      if (clock.elapsed() < this.held_until) return
      const why = `The lock "${lease.name}" was lost: the control store did not renew it in time. Try again in a moment.`
      throw new EvidenceError('unavailable', why)
    },
    async noteDeletion() {
      const { deletions } = await control.db
        .updateTable('turns')
        .set((eb) => ({ deletions: eb('deletions', '+', 1) }))
        .where('name', '=', lease.name)
        .returning('deletions')
        .executeTakeFirstOrThrow()
      this.deletions = deletions
    },
  }
}

async function underLease<T>(ctx: LeasedLocksContext, lease: Lease, work: (lock: HeldLock) => Promise<T>): Promise<T> {
  const { control, clock } = ctx
  const lease_ms = leaseOf(ctx)
  /** False: the lock is lost; null: the store does not answer. */
  const update = async (row: { until: number } | { holder: null; until: null }): Promise<boolean | null> => {
    try {
      const { numUpdatedRows } = await control.db
        .updateTable('turns')
        .set(row)
        .where((is) => is.and({ name: lease.name, holder: lease.holder }))
        .executeTakeFirst()
      return numUpdatedRows === 1n
    } catch {
      return null
    }
  }
  const renew = async () => {
    const asked_at = clock.elapsed()
    if (await update({ until: clock.shared() + lease_ms })) lease.held_until = asked_at + lease_ms
  }
  const renewing = setInterval(renew, lease_ms / RENEWALS)
  try {
    return await work(lease)
  } finally {
    clearInterval(renewing)
    // If this fails, the lease expires.
    await update({ holder: null, until: null })
  }
}
