/** Marks days that receive facts of live sources, and releases them after their coverage is recorded (rules 3). */
import { randomUUID } from 'node:crypto'
import type { ControlTransaction } from '#control/store.ts'
import { confirmMarks, markDays } from '#derived/dirty-days.ts'

/** The prefix of marks of live sources, which distinguishes them from those of imports. */
const GROUP = 'live:'

/** The name of a new group; `node_id` null: a single service. */
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

/** Confirms and releases the days of a stored group; days that another node has derived meanwhile are marked again. */
export function closeGroup(
  tx: ControlTransaction,
  group: string,
  days: readonly { site_id: string; day: string }[],
  now: number,
): Promise<void> {
  return confirmMarks(tx, { kind: 'crawlers', cause: group, state: 'written', now }, days)
}

/** Groups of the only process, before its installation moved to servers. */
const GROUPS_WITHOUT_NODE = `${GROUP}${'_'.repeat(36)}`

/** Releases the groups of a process or a node that has ended. */
export async function releaseGroups(tx: ControlTransaction, node_id: string | null): Promise<void> {
  await tx
    .updateTable('dirty_days')
    .set({ state: 'written' })
    .where('state', '=', 'writing')
    .where((is) => is.or([is('cause', 'like', `${groupsOf(node_id)}%`), is('cause', 'like', GROUPS_WITHOUT_NODE)]))
    .execute()
}
