import type { Logger } from 'pino'
import type { CrawlerContext } from '#crawlers/context.ts'
import type { SecretBox } from '#secrets/secret-box.ts'
import type { CollectingNode } from './collecting-node.ts'

/** The dependencies of the collector. */
export interface CollectorContext extends Pick<CrawlerContext, 'clock' | 'control' | 'evidence' | 'registries'> {
  secrets: SecretBox
  /** Never receives an address, a user agent, or a key. */
  log: Logger
  /** The folder in which accepted events wait for the evidence store; created if missing. */
  spool_folder: string
  /** The node of this process; null for a single service. */
  node?: CollectingNode | null
  /** Called for events that are counted, with their outcome. */
  onCounted?: (counted: { outcome: string; reason: string; events: number }) => void
}
