import type { CrawlerContext } from '#crawlers/context.ts'
import type { Fetch } from './api.ts'
import type { Prove } from './zone-agents.ts'

/** What connecting and polling zones needs besides the stores. */
export interface ZoneContext extends CrawlerContext {
  cloudflare: {
    /** Where the API is: SPOOR_CLOUDFLARE_API_URL, without a slash at the end. */
    base_url: string
    fetch: Fetch
    /** Seals tokens at rest; a text opens only in the context that it was sealed in. */
    secrets: { seal(text: string, context: string): string; open(sealed: string, context: string): string }
    prove: Prove
  }
}

/** What a token is sealed for, so that it opens for its own source only. */
export const sealContext = (source_id: string): string => `cloudflare_zone ${source_id}`
