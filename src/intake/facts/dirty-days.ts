/** Days that receive facts of live sources: dirty before the facts, rebuildable after the coverage (rules 3). */
import { randomUUID } from 'node:crypto'
import type { ControlTransaction } from '#control/store.ts'
import { confirmMarks, markDays } from '#derived/dirty-days.ts'

/** What distinguishes the marks of deliveries that are written together from those of an import. */
const GROUP = 'live:'

/** `node_id` null: where one service has the evidence to itself. */
export function newGroup(node_id: string | null): string {
  return `${groupsOf(node_id)}${randomUUID()}`
}

const groupsOf = (node_id: string | null) => (node_id === null ? GROUP : `${GROUP}${node_id}:`)

/** Marks days as being written; they are read from facts until `closeGroup` and a derivation. */
export function openGroup(
  tx: ControlTransaction,
  group: string,
  days: readonly { site_id: string; day: string }[],
  now: number,
): Promise<void> {
  return markDays(tx, { kind: 'crawlers', cause: group, state: 'writing', now }, days)
}

/** The facts of a group are stored. Days that another node has released and derived since are marked again. */
export function closeGroup(
  tx: ControlTransaction,
  group: string,
  days: readonly { site_id: string; day: string }[],
  now: number,
): Promise<void> {
  return confirmMarks(tx, { kind: 'crawlers', cause: group, state: 'written', now }, days)
}

/** The groups of a service that had the evidence to itself, before its installation moved to servers. */
const OF_NO_NODE = `${GROUP}${'_'.repeat(36)}`

/** After the end of a process, or of a node's: whatever wrote for a group has died with it. */
export async function releaseGroups(tx: ControlTransaction, node_id: string | null): Promise<void> {
  await tx
    .updateTable('dirty_days')
    .set({ state: 'written' })
    .where('state', '=', 'writing')
    .where((is) => is.or([is('cause', 'like', `${groupsOf(node_id)}%`), is('cause', 'like', OF_NO_NODE)]))
    .execute()
}
