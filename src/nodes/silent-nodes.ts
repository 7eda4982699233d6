/**
 * Silent nodes: others raise the epoch of the node, so that it can no longer acknowledge or store events, mark its
 * running deliveries as broken, and store its spool if they see its folder (decisions 8.2).
 */
import type { ControlContext } from '#control/context.ts'
import type { NodeRow } from '#control/tables.ts'
import { markBrokenDeliveries } from '#intake/import/recover-broken-deliveries.ts'

/** After this silence other nodes end the epoch of a node. */
export const MAX_NODE_SILENCE_MS = 15_000

/**
 * The state of a silent node: the spool of a local one returns with it, one in `direct` has none, a shared one is
 * drained.
 */
const AFTER: Readonly<Record<NodeRow['collect_mode'], NodeRow['state']>> = {
  direct: 'gone',
  local: 'away',
  shared: 'draining',
}

/** Whether a node that is up has not reported for too long. */
export const isNodeSilent = ({ state, seen_at }: NodeRow, now: number): boolean =>
  state === 'up' && now - seen_at > MAX_NODE_SILENCE_MS

/** Ends the epoch of a silent node; false: it has reported meanwhile, or another node was first. */
export async function endEpoch({ control, clock }: ControlContext, node: NodeRow): Promise<boolean> {
  return control.transaction(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('nodes')
      .set({ epoch: node.epoch + 1, state: AFTER[node.collect_mode] })
      .where((is) => is.and({ id: node.id, epoch: node.epoch, seen_at: node.seen_at, state: 'up' }))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await markBrokenDeliveries(tx, node.id, clock.now())
    return true
  })
}
