/** Deletes nodes that ended long ago: each start of a container may be a new node. */
import { DAY_MS } from '#clock.ts'
import type { ControlContext } from '#control/context.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { NodeRow } from '#control/tables.ts'
import { countedSetting } from '#tracker/collection/store-segment.ts'

/** States in which accepted events may still wait in the spool of the node. */
export const SPOOL_STATES: ReadonlySet<NodeRow['state']> = new Set(['up', 'away', 'draining'])

const NODE_LIFETIME_MS = 7 * DAY_MS

/** Deletes nodes that have not reported for a week and left no events in a spool. */
export async function deleteOldNodes({ control, clock }: ControlContext): Promise<void> {
  await control.transaction(async (tx) => {
    const old = await tx
      .selectFrom('nodes')
      .selectAll()
      .where('seen_at', '<', clock.shared() - NODE_LIFETIME_MS)
      .execute()
    for (const node of old) if (!SPOOL_STATES.has(node.state)) await deleteNode(tx, node)
  })
}

/** Deletes a node and the settings that count its events. */
export async function deleteNode(tx: ControlTransaction, { id }: Pick<NodeRow, 'id'>): Promise<void> {
  await tx
    .deleteFrom('settings')
    .where((is) => is.or([is('name', '=', countedSetting(id)), is('name', 'like', `${countedSetting(`${id}-`)}%`)]))
    .execute()
  await tx.deleteFrom('nodes').where('id', '=', id).execute()
}
