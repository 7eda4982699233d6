/** How disconnecting an assigned source interrupts counting (rules 5). Call both in the transaction that changes it. */
import { randomUUID } from 'node:crypto'
import { DAY_MS } from '#clock.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { AuthorityInterruptionRow, SourceRow } from '#control/tables.ts'

type Assigned = Pick<SourceRow, 'id' | 'site_id'>

/**
 * Opens an interruption where the source is assigned: the UTC days after `at` are gaps of its hosts. Null when it is
 * not assigned. A second disconnection while one is open changes nothing.
 */
export async function interruptAuthority(
  tx: ControlTransaction,
  source: Assigned,
  at: number,
): Promise<AuthorityInterruptionRow | null> {
  const open = await openInterruption(tx, source)
  if (open !== undefined) return open
  const assigned = await tx
    .selectFrom('authority_assignments')
    .innerJoin('contract_revisions', 'contract_revisions.id', 'authority_assignments.revision_id')
    .select('authority_assignments.id')
    .where('contract_revisions.source_id', '=', source.id)
    .where('authority_assignments.superseded_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (assigned === undefined) return null
  const interruption = {
    ...{ id: randomUUID(), site_id: source.site_id, source_id: source.id },
    ...{ disconnected_at: at, effective_at: (Math.floor(at / DAY_MS) + 1) * DAY_MS, ends_at: null },
  }
  await tx.insertInto('authority_interruptions').values(interruption).execute()
  return interruption
}

/** Closes it at the first full UTC day after the reconnection at `at`; null when none is open. */
export async function resumeAuthority(
  tx: ControlTransaction,
  source: Assigned,
  at: number,
): Promise<AuthorityInterruptionRow | null> {
  const open = await openInterruption(tx, source)
  if (open === undefined) return null
  const ends_at = Math.max(open.effective_at, Math.ceil(at / DAY_MS) * DAY_MS)
  await tx.updateTable('authority_interruptions').set({ ends_at }).where('id', '=', open.id).execute()
  return { ...open, ends_at }
}

function openInterruption(tx: ControlTransaction, { id }: Assigned) {
  return tx
    .selectFrom('authority_interruptions')
    .selectAll()
    .where('source_id', '=', id)
    .where('ends_at', 'is', null)
    .executeTakeFirst()
}
