import type { Logger } from 'pino'
import type { CrawlerContext } from '#crawlers/context.ts'
import type { SecretBox } from '#secrets/secret-box.ts'
import type { CollectingNode } from './collecting-node.ts'

/** What the collector works with. */
export interface CollectorContext extends Pick<CrawlerContext, 'clock' | 'control' | 'evidence' | 'registries'> {
  secrets: SecretBox
  /** Never receives an address, a user agent, or a key. */
  log: Logger
  /** Where accepted events wait for the evidence store; made when missing. */
  spool_folder: string
  /** The node of this process; null where one service has the stores to itself. */
  node?: CollectingNode | null
  /** Sees what events are counted as, when they are. */
  onCounted?: (counted: { outcome: string; reason: string; events: number }) => void
}
