/**
 * A node that gives no sign of life: others raise its epoch, so that it acknowledges and stores nothing any more, break
 * off what it was writing, and, where its spool is in a folder that they see, store that (decisions 8.2).
 */
import type { ControlContext } from '#control/context.ts'
import type { NodeRow } from '#control/tables.ts'
import { breakOffAll } from '#intake/import/recover-broken-deliveries.ts'

/** A node that was silent for so long is given up waiting for. */
export const MAX_NODE_SILENCE_MS = 15_000

/** What a silent node becomes: the spool of a local one comes back with it, others have none or it is in reach. */
const AFTER: Readonly<Record<NodeRow['collect_mode'], NodeRow['state']>> = {
  direct: 'gone',
  local: 'away',
  shared: 'draining',
}

/** Whether a node that is up has not reported for too long. */
export const isNodeSilent = ({ state, seen_at }: NodeRow, now: number): boolean =>
  state === 'up' && now - seen_at > MAX_NODE_SILENCE_MS

/** Ends the epoch of a silent node; false where it has reported since, or another node was first. */
export async function endEpoch({ control, clock }: ControlContext, node: NodeRow): Promise<boolean> {
  return control.transaction(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('nodes')
      .set({ epoch: node.epoch + 1, state: AFTER[node.collect_mode] })
      .where((is) => is.and({ id: node.id, epoch: node.epoch, seen_at: node.seen_at, state: 'up' }))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await breakOffAll(tx, node.id, clock.now())
    return true
  })
}
