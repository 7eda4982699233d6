import type { CrawlerContext } from '#crawlers/context.ts'
import type { SecretBox } from '#secrets/secret-box.ts'
import type { CloudflareApi } from './api.ts'

/** What asking Cloudflare needs. */
export type CloudflareAccess = Pick<CloudflareApi, 'base_url' | 'outgoing' | 'timeout_ms'> & {
  /** Seals tokens at rest. */
  secrets: SecretBox
}

/** An answer may hold ten thousand rows. */
const TIMEOUT_MS = 30_000

/** `base_url`: where Cloudflare's API is, without a slash at the end. */
export const cloudflareAccess = (
  base_url: string,
  given: Pick<CloudflareAccess, 'outgoing' | 'secrets'>,
): CloudflareAccess => ({ base_url, ...given, timeout_ms: TIMEOUT_MS })

/** What connecting a zone needs. */
export interface ConnectContext extends Pick<CrawlerContext, 'clock' | 'control'> {
  cloudflare: CloudflareAccess
}

/** What polling zones needs. */
export interface ZoneContext extends CrawlerContext {
  cloudflare: CloudflareAccess
  /** Sees what came of each zone's turn: hours that were read, and why others were not. */
  onPolled?: (polled: { hours: number; fault: string | null }) => void
}

/** How a question with this token is asked. */
export function apiOf({ cloudflare }: ConnectContext, token: string, signal?: AbortSignal): CloudflareApi {
  const { base_url, outgoing, timeout_ms } = cloudflare
  return { base_url, outgoing, timeout_ms, token, ...(signal === undefined ? {} : { signal }) }
}

/** What a token is sealed for, so that it opens for its own source only. */
export const sealContext = (source_id: string): string => `source:${source_id}:cloudflare_token`
