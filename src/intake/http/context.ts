import type { CrawlerContext } from '#crawlers/context.ts'

/** What of a request its proof may rest on. The address is kept no longer than this call (rules 4). */
export interface ProvableRequest {
  /** Epoch milliseconds, as all instants here. */
  at: number
  received_at: number
  user_agent: string
  /** As the sender saw the client; null when it did not say. */
  address: string | null
  /** The address is really the client's, by the word of a token's sender. */
  attested: boolean
  verified_bot: { provider: string } | null
  signature_verified: boolean
}

/** The proof facts of one request as canonical text; empty when nothing is known. */
export type Prove = (request: ProvableRequest) => string

export interface IntakeContext extends CrawlerContext {
  prove: Prove
}
