/** Stores the events that wait in the shared folder in spools of processes that have ended (decisions 8.2, ADR 43). */
import type { NodeRow } from '#control/tables.ts'
import type { NodeContext } from './node.ts'
import { findSpools } from './spool-folders.ts'

interface OwnSpools {
  /** The folder that all nodes see. */
  folder: string
  id: string
  epoch: number
  /** Up to when events of earlier processes of this node can be read. */
  readable_through: number
}

export interface SpoolDrainer {
  /** Begins to drain the spools of silent nodes and of earlier processes of this node, unless it already does. */
  drainSoon(nodes: readonly NodeRow[]): void
  /** Up to when events of earlier processes of this node can be read that wait in other spools; null: none wait. */
  leftThrough(): number | null
  /** Resolves when the running round of draining has ended; it never rejects. */
  settled(): Promise<void>
}

export function openSpoolDrainer(ctx: NodeContext, own: OwnSpools): SpoolDrainer {
  const { control, log } = ctx
  let left_through: number | null = own.readable_through
  let draining: Promise<void> = Promise.resolve()
  let is_draining = false
  /** Why the last round failed; null after one that succeeded. */
  let failure: string | null = null

  /** Returns false while another process drains the node. */
  const drainNode = (node_id: string, through: number): Promise<boolean> =>
    ctx.locks.tryRun(`spool ${node_id}`, async () => {
      for (const spool of await findSpools(own.folder, node_id, through)) await ctx.drain(spool)
    })
  const drainAll = async (silent: readonly NodeRow[]) => {
    if (left_through !== null && (await drainNode(own.id, own.epoch - 1))) left_through = null
    for (const node of silent) {
      if (!(await drainNode(node.id, node.epoch))) continue
      await control.db
        .updateTable('nodes')
        .set({ state: 'gone', waiting_bytes: 0 })
        .where((is) => is.and({ id: node.id, epoch: node.epoch, state: 'draining' }))
        .execute()
    }
  }
  /** Logs a failure when its reason changes; draining is tried again each second. */
  const noteRound = (error: unknown) => {
    const newest = error === null ? null : String(error)
    if (newest === failure) return
    failure = newest
    if (newest === null) log.info('the spools of silent nodes are read again')
    else log.error({ err: error }, 'events of a silent node still wait in its spool; it is read again each second')
  }
  return {
    drainSoon(nodes) {
      if (is_draining) return
      const silent = nodes.filter((node) => node.state === 'draining' && node.collect_mode === 'shared')
      if (silent.length === 0 && left_through === null) return
      is_draining = true
      draining = drainAll(silent)
        .then(() => noteRound(null), noteRound)
        .finally(() => {
          is_draining = false
        })
    },
    leftThrough: () => left_through,
    settled: () => draining,
  }
}
