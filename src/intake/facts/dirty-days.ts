/** Days that receive facts of live sources: dirty before the facts, rebuildable after the coverage (rules 3). */
import { randomUUID } from 'node:crypto'
import type { ControlTransaction } from '#control/store.ts'
import { markDays } from '#derived/dirty-days.ts'

/** What distinguishes the marks of deliveries that are written together from those of an import. */
const GROUP = 'live:'

export function newGroup(): string {
  return GROUP + randomUUID()
}

/** Marks days as being written; they are read from facts until `releaseDays` and a derivation. */
export function openGroup(
  tx: ControlTransaction,
  group: string,
  days: readonly { site_id: string; day: string }[],
  now: number,
): Promise<void> {
  return markDays(tx, { kind: 'crawlers', cause: group, state: 'writing', now }, days)
}

/** At start: whatever wrote for a group has died with its process. */
export async function releaseGroups(tx: ControlTransaction): Promise<void> {
  await tx
    .updateTable('dirty_days')
    .set({ state: 'written' })
    .where('state', '=', 'writing')
    .where('cause', 'like', `${GROUP}%`)
    .execute()
}
