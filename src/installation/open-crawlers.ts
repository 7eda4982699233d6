/** Opens the evidence store of an installation and makes it ready for answers. */
import type { Logger } from 'pino'
import type { Config } from '#config.ts'
import type { ControlStore } from '#control/store.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { forgetOldAddresses } from '#crawlers/identity/prove-pending-addresses.ts'
import { makeProver } from '#crawlers/identity/prover.ts'
import { IntakeMemory } from '#crawlers/intake-memory.ts'
import { openRegistryStore } from '#crawlers/registry/registry-store.ts'
import { DerivedDays } from '#derived/derived-days.ts'
import { observeEvidence, type StatementObserver } from '#evidence/observe.ts'
import type { EmbeddedEvidence } from '#evidence/store.ts'
import type { Liveness } from '#health/liveness.ts'
import type { WriteGate } from '#move/write-gate.ts'
import type { SharedClock } from '#nodes/shared-clock.ts'
import { replayLeftEvents } from '#tracker/collection/replay-spool.ts'
import type { InstallationFolders } from './folders.ts'
import type { MayCreate } from './missing-installation.ts'
import { openEvidence } from './open-evidence.ts'
import type { OpenedNodes } from './open-nodes.ts'
import { prepareEvidence } from './prepare-evidence.ts'
import { mayCreateEvidence } from './require-installation.ts'

export interface CrawlersOptions {
  config: Config
  clock: SharedClock
  control: ControlStore
  log: Logger
  gate: WriteGate
  nodes: Pick<OpenedNodes, 'node_id' | 'locks'>
  may_create: MayCreate
  is_clock_simulated: boolean
  liveness: Liveness | null
  onStatement: StatementObserver | undefined
}

export interface OpenedCrawlers {
  crawlers: CrawlerContext
  /** The evidence store without the gate, where it is embedded, so that its files can be copied; null on servers. */
  embedded: EmbeddedEvidence | null
}

/**
 * Opens the evidence store, repairs what a crash left, stores events that wait in the spool, and brings the labels up
 * to date.
 */
export async function openCrawlers(folders: InstallationFolders, options: CrawlersOptions): Promise<OpenedCrawlers> {
  const { config, clock, control, log, gate, nodes, liveness, onStatement, is_clock_simulated } = options
  const { node_id, locks } = nodes
  const may_create = await mayCreateEvidence(config, control, options.may_create)
  const engine = await openEvidence(config, { folder: folders.evidence, control, locks, may_create })
  const gated = gate.ofEvidence(engine.store)
  const evidence = onStatement === undefined ? gated : observeEvidence(gated, clock, onStatement)
  if (config.clickhouse === null) liveness?.also(() => evidence.ping())
  const registries = openRegistryStore(control)
  const { trusted_proxies } = config
  const prover = makeProver({ clock, control, registries }, { asks_names: !is_clock_simulated, trusted_proxies })
  const crawlers: CrawlerContext = {
    clock,
    control,
    evidence,
    registries,
    prover,
    derived: new DerivedDays(locks),
    intake: new IntakeMemory(node_id, locks),
    is_clock_simulated,
  }
  try {
    await prepareEvidence(crawlers, log)
    if (!is_clock_simulated) await forgetOldAddresses(crawlers)
    await replayLeftEvents({ ...crawlers, log, origin: node_id }, folders.spool)
    await prover.refresh()
    return { crawlers, embedded: engine.embedded }
  } catch (error) {
    await evidence.close()
    throw error
  }
}
