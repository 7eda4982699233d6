/**
 * Interruptions of counting while an assigned source is disconnected (rules 5). Call both functions in the transaction
 * that changes the source.
 */
import { randomUUID } from 'node:crypto'
import { DAY_MS } from '#clock.ts'
import type { ControlDb, ControlTransaction } from '#control/store.ts'
import type { AuthorityInterruptionRow, SourceRow } from '#control/tables.ts'

/**
 * Opens an interruption: the UTC days after `at` are gaps of the hosts that are assigned to the source now, or before
 * it is reconnected. A second disconnection while one is open changes nothing.
 */
export async function interruptAuthority(
  tx: ControlTransaction,
  source: Pick<SourceRow, 'id' | 'site_id'>,
  at: number,
): Promise<AuthorityInterruptionRow> {
  const open = await openInterruption(tx, source)
  if (open !== undefined) return open
  const interruption = {
    id: randomUUID(),
    site_id: source.site_id,
    source_id: source.id,
    disconnected_at: at,
    effective_at: (Math.floor(at / DAY_MS) + 1) * DAY_MS,
    ends_at: null,
  }
  await tx.insertInto('authority_interruptions').values(interruption).execute()
  return interruption
}

/**
 * Closes the open interruption at the first full UTC day after the reconnection at `at`; null if none is open, or if no
 * host was assigned to the source meanwhile, so that nothing was interrupted: hosts that are assigned to it later keep
 * all days that it covered.
 */
export async function resumeAuthority(
  tx: ControlTransaction,
  source: Pick<SourceRow, 'id'>,
  at: number,
): Promise<AuthorityInterruptionRow | null> {
  const open = await openInterruption(tx, source)
  if (open === undefined) return null
  const interrupted = await assignedInterruptions(tx).where('id', '=', open.id).executeTakeFirst()
  if (interrupted === undefined) {
    await tx.deleteFrom('authority_interruptions').where('id', '=', open.id).execute()
    return null
  }
  const ends_at = Math.max(open.effective_at, Math.ceil(at / DAY_MS) * DAY_MS)
  await tx.updateTable('authority_interruptions').set({ ends_at }).where('id', '=', open.id).execute()
  return { ...open, ends_at }
}

/** Interruptions of sources to which hosts were assigned when they were disconnected, or later. */
export const assignedInterruptions = (db: ControlDb) =>
  db
    .selectFrom('authority_interruptions')
    .selectAll()
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('authority_assignments')
          .innerJoin('contract_revisions', 'contract_revisions.id', 'authority_assignments.revision_id')
          .select('authority_assignments.id')
          .whereRef('contract_revisions.source_id', '=', 'authority_interruptions.source_id')
          .where((is) =>
            is.or([
              is('authority_assignments.superseded_at', 'is', null),
              is('authority_assignments.superseded_at', '>', is.ref('authority_interruptions.disconnected_at')),
            ]),
          ),
      ),
    )

function openInterruption(tx: ControlTransaction, { id }: Pick<SourceRow, 'id'>) {
  return tx
    .selectFrom('authority_interruptions')
    .selectAll()
    .where('source_id', '=', id)
    .where('ends_at', 'is', null)
    .executeTakeFirst()
}
