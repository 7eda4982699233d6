import type { Logger } from 'pino'
import type { CrawlerContext } from '#crawlers/context.ts'
import type { SecretBox } from '#secrets/secret-box.ts'

/** What the collector works with. */
export interface CollectorContext extends Pick<CrawlerContext, 'clock' | 'control' | 'evidence' | 'registries'> {
  secrets: SecretBox
  /** Never receives an address, a user agent, or a key. */
  log: Logger
  /** Where accepted events wait for the evidence store; made when missing. */
  spool_folder: string
  /** Sees what events are counted as, when they are. */
  onCounted?: (counted: { outcome: string; reason: string; events: number }) => void
}
