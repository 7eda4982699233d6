/** Opens this process as one of the nodes that share servers. Embedded evidence has a single process. */
import { hostname } from 'node:os'
import type { Logger } from 'pino'
import type { Config } from '#config.ts'
import type { ControlStore } from '#control/store.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { type NamedLocks, processLocks } from '#evidence/named-locks.ts'
import { openLeasedLocks } from '#nodes/leased-locks.ts'
import { joinNodes, type ServiceNode } from '#nodes/node.ts'
import { nodeIdOf } from '#nodes/node-id.ts'
import { readLeastReadable } from '#nodes/readable-through.ts'
import type { SharedClock } from '#nodes/shared-clock.ts'
import { Refusal } from '#refusal.ts'
import { type Collector, type CollectorOptions, openCollector } from '#tracker/collection/collector.ts'
import type { CollectorContext } from '#tracker/collection/context.ts'
import { drainSpool, holdsLeftEvents } from '#tracker/collection/replay-spool.ts'
import type { CollectionState } from '#tracker/context.ts'
import type { InstallationFolders } from './folders.ts'

export interface OpenedNodes {
  /** Null: no other process uses the evidence. */
  node_id: string | null
  /** Of all processes that write to the evidence store (ADR 44). */
  locks: NamedLocks
  /** For answers in a process without a collector, such as one that runs a single command. */
  collection: CollectionState
  /**
   * Joins the other nodes, if there can be any, and opens the collector of this one. Any earlier one has stopped.
   * @throws Refusal store_busy: events wait in the data folder, which the mode of this node does not read again.
   */
  collect(
    ctx: Omit<CollectorContext, 'spool_folder' | 'node'> & CrawlerContext,
    options?: CollectorOptions,
  ): Promise<Collector>
  /** False while this node must not receive requests. */
  isReady(): boolean
  /** True while this node's clock differs too much from the database's: it then neither deletes nor reports by time. */
  isClockWrong(): boolean
  /** Leaves; call it once the collector has stopped. */
  stop(): Promise<void>
}

export interface NodesContext {
  config: Config
  control: ControlStore
  clock: SharedClock
  log: Logger
  is_clock_simulated: boolean
  /**
   * Called when other nodes have given up waiting for this one, or the control store was restored under it; by default
   * its process ends, to be started again.
   */
  onFenced?: (() => void) | undefined
}

/** Ends the process like a crash, because no running work may continue; the launcher starts it again. */
const endProcess = () => process.kill(process.pid, 'SIGKILL')

/** Registers with the other nodes where there may be any; the collector joins them when it opens. */
export async function openNodes(
  ctx: NodesContext,
  { folder, spool: spool_folder }: InstallationFolders,
): Promise<OpenedNodes> {
  const { config, control, clock, log, is_clock_simulated, onFenced = endProcess } = ctx
  if (config.clickhouse === null) {
    const onRestored = () => {
      log.fatal('the control store was restored to an earlier state; this process ends and must start again')
      onFenced()
    }
    return {
      node_id: null,
      locks: processLocks(),
      // Without a collector nothing waits to become readable.
      collection: { readableThrough: () => clock.now() },
      collect: (collecting, options) =>
        openCollector({ ...collecting, spool_folder, node: null }, { onRestored, ...options }),
      isReady: () => true,
      isClockWrong: () => false,
      stop: async () => {},
    }
  }
  const node_id = await nodeIdOf(folder)
  // Before the first lock is taken.
  if (!is_clock_simulated) await clock.compare(control)
  const locks = openLeasedLocks({ control, clock })
  const readable_through = await readLeastReadable(control.db)
  let node: ServiceNode | null = null
  return {
    node_id,
    locks,
    collection: { readableThrough: () => Math.min(clock.now(), readable_through) },
    async collect(collecting, options) {
      const { mode: collect_mode, folder: shared_folder } = config.collect
      // This node would report that all of its events can be read.
      if (collect_mode !== 'local' && (await holdsLeftEvents(spool_folder))) throw eventsLeft(spool_folder)
      // Otherwise the node of an earlier collector of this process would take the new epoch for that of another
      // process.
      await node?.stop()
      const name = config.node_name === '' ? hostname() : config.node_name
      node = await joinNodes(
        {
          control,
          clock,
          log,
          locks,
          is_clock_simulated,
          onFenced,
          drain: (spool) => drainSpool({ ...collecting, origin: spool.name }, spool.folder),
        },
        { id: node_id, name, collect_mode, shared_folder, spool_folder },
      )
      const collector = await openCollector({ ...collecting, spool_folder, node }, options)
      await node.start(() => ({
        readable_through: collector.ownReadableThrough(),
        waiting_bytes: collector.waiting().bytes,
      }))
      return collector
    },
    isReady: () => node === null || node.isReady(),
    isClockWrong: () => node?.isClockWrong() === true,
    stop: async () => node?.stop(),
  }
}

const eventsLeft = (spool_folder: string) =>
  new Refusal(
    'store_busy',
    `Events that this node accepted before wait in ${spool_folder}, and the stores do not take them now. Start it again when they do, or ` +
      'with SPOOR_COLLECT_MODE=local, which tries again and again.',
  )
