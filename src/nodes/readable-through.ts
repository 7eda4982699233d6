import type { ControlDb } from '#control/store.ts'
import type { NodeRow } from '#control/tables.ts'
import { SPOOL_STATES } from './delete-nodes.ts'

/** The instant up to which events of all these nodes can be read, epoch milliseconds; infinite if none may have any. */
export const leastReadable = (nodes: readonly NodeRow[]): number =>
  Math.min(
    Number.POSITIVE_INFINITY,
    ...nodes.filter(({ state }) => SPOOL_STATES.has(state)).map(({ readable_through }) => readable_through),
  )

/** The same for all registered nodes. */
export async function readLeastReadable(db: ControlDb): Promise<number> {
  return leastReadable(await db.selectFrom('nodes').selectAll().execute())
}
