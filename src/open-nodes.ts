/** What an installation is among several nodes on the same servers; alone where its evidence is embedded. */
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '#config.ts'
import type { ControlStore } from '#control/store.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { ownTurns, type Turns } from '#evidence/turns.ts'
import { joinNodes, type ServiceNode } from '#nodes/node.ts'
import { nodeIdOf } from '#nodes/node-id.ts'
import { readLeastReadable } from '#nodes/readable-through.ts'
import type { SharedClock } from '#nodes/shared-clock.ts'
import { openTurns } from '#nodes/turns.ts'
import { type Collector, type CollectorOptions, openCollector } from '#tracker/collection/collector.ts'
import type { CollectorContext } from '#tracker/collection/context.ts'
import { drainSpool } from '#tracker/collection/replay-spool.ts'
import type { CollectionState } from '#tracker/context.ts'

/** In the data folder: events that wait for the evidence store. */
export const SPOOL = 'spool'

export interface OpenedNodes {
  /** Null: the evidence is this process's alone. */
  node_id: string | null
  /** Of all processes that write to the evidence store. */
  turns: Turns
  /** What answers of a process without a collector must know: such a process lives for one command. */
  collection: CollectionState
  /** Joins the other nodes, if there can be any, and opens the collector of this one. Any earlier one has stopped. */
  collect(
    ctx: Omit<CollectorContext, 'spool_folder' | 'node'> & CrawlerContext,
    options?: CollectorOptions,
  ): Promise<Collector>
  /** False while this node must not be asked. */
  isReady(): boolean
  /** True while the clock of this node is too far from the database's to delete or report by. */
  isClockApart(): boolean
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

/** As a crash ends it, which the launcher answers by a new start: whatever is under way must not go on. */
const endProcess = () => process.kill(process.pid, 'SIGKILL')

export async function openNodes(ctx: NodesContext, folder: string): Promise<OpenedNodes> {
  const { config, control, clock, log, is_clock_simulated, onFenced = endProcess } = ctx
  const spool_folder = join(folder, SPOOL)
  if (config.clickhouse === null) {
    const onRestored = () => {
      log.fatal('the control store was restored to an earlier state; this process ends and must start again')
      onFenced()
    }
    return {
      ...{ node_id: null, turns: ownTurns() },
      // Without a collector nothing waits to become readable.
      collection: { readableThrough: () => clock.now() },
      collect: (collecting, options) =>
        openCollector({ ...collecting, spool_folder, node: null }, { onRestored, ...options }),
      isReady: () => true,
      isClockApart: () => false,
      stop: async () => {},
    }
  }
  const node_id = await nodeIdOf(folder)
  // Before the first turn is taken.
  if (!is_clock_simulated) await clock.compare(control)
  const turns = openTurns({ control, clock })
  const readable_through = await readLeastReadable(control.db)
  let node: ServiceNode | null = null
  return {
    node_id,
    turns,
    collection: { readableThrough: () => Math.min(clock.now(), readable_through) },
    async collect(collecting, options) {
      const { mode: collect_mode, folder: shared_folder } = config.collect
      // A collector of this process that has stopped: its node would take the new epoch for the work of others.
      await node?.stop()
      const name = config.node_name === '' ? hostname() : config.node_name
      node = await joinNodes(
        {
          ...{ control, clock, log, turns, is_clock_simulated, onFenced },
          drain: (spool) => drainSpool({ ...collecting, origin: spool.name }, spool.folder),
        },
        { ...{ id: node_id, name, collect_mode, shared_folder, spool_folder } },
      )
      const collector = await openCollector({ ...collecting, spool_folder, node }, options)
      await node.start(() => ({
        readable_through: collector.ownReadableThrough(),
        waiting_bytes: collector.waiting().bytes,
      }))
      return collector
    },
    isReady: () => node === null || node.isReady(),
    isClockApart: () => node?.isClockApart() === true,
    stop: async () => node?.stop(),
  }
}
