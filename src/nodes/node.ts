/** This process as one of several nodes: registers, reports, and checks the others (decisions 8.2, ADR 43). */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { ControlContext } from '#control/context.ts'
import type { ControlDb, ControlTransaction } from '#control/store.ts'
import type { NodeRow } from '#control/tables.ts'
import type { NamedLocks } from '#evidence/named-locks.ts'
import { markBrokenDeliveries } from '#intake/import/recover-broken-deliveries.ts'
import { type CollectingNode, type FenceReason, NodeFenced } from '#tracker/collection/collecting-node.ts'
import { openUseExchange } from './exchange-use.ts'
import { leastReadable } from './readable-through.ts'
import { registerNode } from './register.ts'
import { isTooFarOff, type SharedClock } from './shared-clock.ts'
import { endEpoch, isNodeSilent, MAX_NODE_SILENCE_MS } from './silent-nodes.ts'
import { openSpoolDrainer } from './spool-drainer.ts'
import { type SpoolFolder, spoolName } from './spool-folders.ts'

export interface NodeContext extends ControlContext {
  clock: SharedClock
  locks: NamedLocks
  log: Logger
  /** Stores the events of a spool that no process writes to any more. @throws errors of the stores. */
  drain(spool: SpoolFolder): Promise<void>
  /** The service has a simulated clock (`--clock`), which is not compared with the database's. */
  is_clock_simulated: boolean
  /** Called once when the epoch of this node is over: its process must end and start again. */
  onFenced(): void
  beat_every_ms?: number
}

export interface NodeOptions {
  id: string
  name: string
  collect_mode: NodeRow['collect_mode']
  /** The spool in the data folder, for the modes `direct` and `local`. */
  spool_folder: string
  /** A folder that all nodes see, for the mode `shared`. */
  shared_folder: string | null
}

/** Up to when the events of this process can be read. */
export interface NodeReport {
  /** Epoch milliseconds. */
  readable_through: number
  waiting_bytes: number
}

export interface ServiceNode extends CollectingNode {
  /** Sends this report once a second from now on. */
  start(report: () => NodeReport): Promise<void>
  /** False while its clock is too far off, it cannot report, or its epoch is over. */
  isReady(): boolean
  /** True while its clock differs too much from the database's: it then neither deletes nor reports by time. */
  isClockWrong(): boolean
  /** Leaves the other nodes. They still know that events wait in its spool. */
  stop(): Promise<void>
}

/** If the stored report is older than the confirmed one by more than this, the control store was restored. */
const MIN_SET_BACK_MS = 60_000

const FENCE_TEXTS: Record<FenceReason, string> = {
  given_up: 'others gave up waiting for this node',
  control_restored: 'the control store was restored to an earlier state while this node ran',
}

const BEAT_MS = 1_000
/** After a longer gap between its own reports, a node does not know whether the others were silent. */
const MAX_GAP_MS = 3_000
/** Without a report for this long the node is not ready. */
const MAX_UNREPORTED_MS = 10_000

/** Registers this process. @throws Refusal conflict: too many nodes. */
export async function joinNodes(ctx: NodeContext, options: NodeOptions): Promise<ServiceNode> {
  const { control, clock, log } = ctx
  const { id, name, collect_mode, shared_folder } = options
  const measure = async () => (ctx.is_clock_simulated ? 0 : clock.compare(control))
  let clock_ahead_ms = await measure()
  const own = await registerNode(ctx, { id, name, collect_mode, clock_ahead_ms })
  const { number, epoch } = own
  const origin = shared_folder === null ? id : spoolName(id, epoch)
  const spool_folder = shared_folder === null ? options.spool_folder : join(shared_folder, origin)
  if (shared_folder !== null) await mkdir(shared_folder, { recursive: true, mode: 0o700 })

  let report: (() => NodeReport) | null = null
  let fenced: FenceReason | null = null
  let is_stopped = false
  let others_through = own.readable_through
  /** When the store confirmed the last report. */
  let confirmed_at = own.seen_at
  let reported_at = clock.elapsed()
  /** Since when all reports succeeded; only then does this node know whether the others are silent. */
  let reporting_since = clock.elapsed()
  let timer: NodeJS.Timeout | undefined
  let beating: Promise<void> = Promise.resolve()
  const drainer =
    shared_folder === null
      ? null
      : openSpoolDrainer(ctx, { folder: shared_folder, id, epoch, readable_through: own.readable_through })

  const fence = (row: Pick<NodeRow, 'epoch'> | undefined): NodeFenced => {
    const reason = row !== undefined && row.epoch > epoch ? 'given_up' : 'control_restored'
    if (fenced === null && !is_stopped) {
      fenced = reason
      log.fatal({ node: name, epoch }, `${FENCE_TEXTS[reason]}; its process ends and must start again`)
      ctx.onFenced()
    }
    return new NodeFenced(name, reason)
  }
  const readEpoch = (db: ControlDb) => db.selectFrom('nodes').select('epoch').where('id', '=', id).executeTakeFirst()
  const beat = async (): Promise<void> => {
    if (report === null || is_stopped) return
    const began = clock.elapsed()
    const newest_ahead_ms = await measure()
    clock_ahead_ms = newest_ahead_ms
    const now = clock.now()
    // By the shared clock: a node whose own clock is wrong must neither end others nor be ended by them.
    const seen_at = clock.shared()
    const { readable_through, waiting_bytes } = report()
    const through = Math.min(readable_through, drainer?.leftThrough() ?? readable_through)
    const row = { seen_at, readable_through: through, waiting_bytes, clock_ahead_ms: newest_ahead_ms }
    const { numUpdatedRows } = await control.db
      .updateTable('nodes')
      .set(row)
      .where((is) => is.and({ id, epoch }))
      // A store that was restored to an earlier state holds an earlier report.
      .where('seen_at', '>=', confirmed_at - MIN_SET_BACK_MS)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw fence(await readEpoch(control.db))
    confirmed_at = seen_at
    const nodes = await control.db.selectFrom('nodes').selectAll().where('id', '!=', id).execute()
    others_through = Math.min(now, leastReadable(nodes))
    // This process may have been suspended, and the others with it.
    if (began - reported_at > MAX_GAP_MS) reporting_since = began
    reported_at = began
    if (clock.elapsed() - reporting_since > MAX_NODE_SILENCE_MS) {
      for (const node of nodes) if (isNodeSilent(node, seen_at)) await giveUpWaiting(node, seen_at)
    }
    drainer?.drainSoon(nodes)
  }
  const giveUpWaiting = async (node: NodeRow, at: number) => {
    if (!(await endEpoch(ctx, node))) return
    const silent_ms = at - node.seen_at
    log.warn({ node: node.name, silent_ms, mode: node.collect_mode }, 'a node is silent; its epoch is over')
  }
  const queueBeat = (): Promise<void> => {
    const done = beating.then(beat)
    beating = done.catch(() => {
      reporting_since = clock.elapsed()
    })
    return done
  }
  const round = () => {
    clearTimeout(timer)
    void queueBeat()
      .catch((error: unknown) => {
        if (fenced === null) log.warn({ err: error }, 'the node could not report; it tries again in a second')
      })
      .finally(() => {
        if (!is_stopped && fenced === null) timer = setTimeout(round, ctx.beat_every_ms ?? BEAT_MS).unref()
      })
  }
  return {
    number,
    collect_mode,
    origin,
    spool_folder,
    async checkEpoch(db: ControlDb) {
      if (fenced !== null) throw new NodeFenced(name, fenced)
      const row = await readEpoch(db)
      if (row?.epoch !== epoch) throw fence(row)
    },
    othersReadableThrough: () => others_through,
    report: queueBeat,
    exchangeUse: openUseExchange(ctx, own),
    async start(given) {
      report = given
      await queueBeat()
      timer = setTimeout(round, ctx.beat_every_ms ?? BEAT_MS).unref()
    },
    isReady() {
      if (fenced !== null || clock.elapsed() - reported_at > MAX_UNREPORTED_MS) return false
      return !isTooFarOff(clock_ahead_ms)
    },
    isClockWrong: () => isTooFarOff(clock_ahead_ms),
    async stop() {
      clearTimeout(timer)
      const last = report?.()
      is_stopped = true
      await Promise.all([beating, drainer?.settled()])
      const is_empty = last === undefined || last.waiting_bytes === 0
      if (fenced !== null || !is_empty || drainer?.leftThrough() != null) return
      const left = { state: 'stopped', seen_at: clock.shared(), waiting_bytes: 0 } as const
      const leave = async (tx: ControlTransaction) => {
        const { numUpdatedRows } = await tx
          .updateTable('nodes')
          .set(left)
          .where((is) => is.and({ id, epoch }))
          .executeTakeFirst()
        // Its process may be killed before it has ended a running import, and may never start again.
        if (numUpdatedRows > 0n) await markBrokenDeliveries(tx, id, clock.now())
      }
      await control
        .transaction(leave)
        .catch((error: unknown) => log.warn({ err: error }, 'the node could not report its end'))
    },
  }
}
