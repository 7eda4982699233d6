/**
 * Silent nodes: the other nodes raise the epoch of a silent node, so that it can no longer acknowledge or store events.
 * They mark its running deliveries as broken, and store its spool if they see its folder (decisions 8.2).
 */
import type { ControlContext } from '#control/context.ts'
import type { NodeRow } from '#control/tables.ts'
import { markBrokenDeliveries } from '#intake/import/recover-broken-deliveries.ts'

/** After this silence other nodes end the epoch of a node. */
export const MAX_NODE_SILENCE_MS = 15_000

/**
 * The state of a silent node: in `local` its spool returns with it, in `direct` it has no spool, and in `shared` others
 * drain the spool.
 */
const STATE_WHEN_SILENT: Readonly<Record<NodeRow['collect_mode'], NodeRow['state']>> = {
  direct: 'gone',
  local: 'away',
  shared: 'draining',
}

/** Whether a node that is up has not reported for too long. */
export const isNodeSilent = ({ state, seen_at }: NodeRow, now: number): boolean =>
  state === 'up' && now - seen_at > MAX_NODE_SILENCE_MS

/** Ends the epoch of a silent node. Returns false if it has reported meanwhile, or another node was first. */
export async function endEpoch({ control, clock }: ControlContext, node: NodeRow): Promise<boolean> {
  return control.transaction(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('nodes')
      .set({ epoch: node.epoch + 1, state: STATE_WHEN_SILENT[node.collect_mode] })
      .where((is) => is.and({ id: node.id, epoch: node.epoch, seen_at: node.seen_at, state: 'up' }))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await markBrokenDeliveries(tx, node.id, clock.now())
    return true
  })
}
