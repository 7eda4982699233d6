/**
 * Turns: work that only one at a time of all processes on the control store may do. A turn is a lease with an epoch
 * that is taken for one piece of work (decisions 8.1), not a session-level lock, because a pooler may be in front of
 * PostgreSQL.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Mutex } from '#concurrency/mutex.ts'
import type { ControlContext } from '#control/context.ts'
import { EvidenceError } from '#evidence/errors.ts'
import type { HeldTurn, Turns } from '#evidence/turns.ts'

/** A holder that does not renew its lease for this long has lost its turn. */
const LEASE_MS = 5_000
/** Renewals within the time of a lease. */
const RENEWALS = 4
const FIRST_LOOK_MS = 4
const MAX_LOOK_MS = 25

export interface TurnsContext extends ControlContext {
  lease_ms?: number
}

interface Lease extends HeldTurn {
  holder: string
  /** Of the monotonic clock of this machine. */
  held_until: number
}

/** Turns in the control store. Work of one process takes turns in the order of its calls. */
export function openTurns(ctx: TurnsContext): Turns {
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

async function waitFor(ctx: TurnsContext, name: string): Promise<Lease> {
  for (let wait_ms = FIRST_LOOK_MS; ; wait_ms = Math.min(2 * wait_ms, MAX_LOOK_MS)) {
    const lease = await take(ctx, name)
    if (lease !== null) return lease
    // At random moments, so that none of several processes is always late.
    await pause(wait_ms * (0.5 + Math.random()))
  }
}

const leaseOf = ({ lease_ms = LEASE_MS }: TurnsContext) => lease_ms

/** Null: another process has the turn. A lease that ends far ahead was written under another clock and is ignored. */
async function take(ctx: TurnsContext, name: string): Promise<Lease | null> {
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
  if (taken !== undefined) return heldTurn(ctx, { name, holder, held_until: asked_at + lease_ms, ...taken })
  const made = await control.db
    .insertInto('turns')
    .values({ name, holder: null, until: null, epoch: 0, deletions: 0 })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst()
  return made.numInsertedOrUpdatedRows === 1n ? take(ctx, name) : null
}

function heldTurn(
  { control, clock }: TurnsContext,
  lease: Pick<Lease, 'name' | 'holder' | 'held_until' | 'epoch' | 'deletions'>,
): Lease {
  return {
    ...lease,
    check() {
      if (clock.elapsed() < this.held_until) return
      const why = `The turn "${lease.name}" was lost: the control store did not renew it in time. Try again in a moment.`
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

async function underLease<T>(ctx: TurnsContext, lease: Lease, work: (turn: HeldTurn) => Promise<T>): Promise<T> {
  const { control, clock } = ctx
  const lease_ms = leaseOf(ctx)
  /** False: the turn is lost; null: the store does not answer. */
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
