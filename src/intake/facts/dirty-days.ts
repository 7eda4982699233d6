/** Days that facts of live sources are being written to: dirty before the facts, rebuildable after the coverage (rules 3). */
import { randomUUID } from 'node:crypto'
import type { ControlTransaction } from '#control/store.ts'

/** How the marks of deliveries that are written together are told from those of an import. */
const GROUP = 'live:'
const ROWS_AT_ONCE = 500

export function newGroup(): string {
  return GROUP + randomUUID()
}

/** Marks days as being written; they are read from facts until `releaseGroup` and a rebuild. */
export async function openGroup(
  tx: ControlTransaction,
  group: string,
  days: readonly { site_id: string; day: string }[],
): Promise<void> {
  const distinct = [...new Map(days.map((row) => [`${row.site_id} ${row.day}`, row])).values()]
  for (let at = 0; at < distinct.length; at += ROWS_AT_ONCE) {
    const rows = distinct
      .slice(at, at + ROWS_AT_ONCE)
      .map(({ site_id, day }) => ({ site_id, day, delivery_id: group, state: 'writing' as const }))
    await tx.insertInto('dirty_days').values(rows).execute()
  }
}

/** The facts of a group are in, or will never be: its days may be rebuilt. */
export async function releaseGroup(tx: ControlTransaction, group: string): Promise<void> {
  await tx.updateTable('dirty_days').set({ state: 'written' }).where('delivery_id', '=', group).execute()
}

/** At start: whatever wrote for a group has died with its process. */
export async function releaseGroups(tx: ControlTransaction): Promise<void> {
  await tx
    .updateTable('dirty_days')
    .set({ state: 'written' })
    .where('state', '=', 'writing')
    .where('delivery_id', 'like', `${GROUP}%`)
    .execute()
}
