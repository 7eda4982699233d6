import type { CrawlerContext } from '#crawlers/context.ts'
import type { Prover } from '#crawlers/identity/prove.ts'

/** The proof facts of one request as canonical text; empty when nothing is known. */
export type Prove = Prover['prove']

export interface IntakeContext extends CrawlerContext {
  prove: Prove
}
