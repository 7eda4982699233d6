import type { CrawlerContext } from '#crawlers/context.ts'
import type { SecretBox } from '#secrets/secret-box.ts'
import type { CloudflareApi } from './api.ts'

/** What connecting and polling zones needs besides the stores. */
export interface ZoneContext extends CrawlerContext {
  cloudflare: Pick<CloudflareApi, 'base_url' | 'outgoing' | 'timeout_ms'> & {
    /** Seals tokens at rest. */
    secrets: SecretBox
  }
}

/** How a question with this token is asked. */
export function apiOf({ cloudflare }: ZoneContext, token: string, signal?: AbortSignal): CloudflareApi {
  const { base_url, outgoing, timeout_ms } = cloudflare
  return { base_url, outgoing, timeout_ms, token, ...(signal === undefined ? {} : { signal }) }
}

/** What a token is sealed for, so that it opens for its own source only. */
export const sealContext = (source_id: string): string => `source:${source_id}:cloudflare_token`
