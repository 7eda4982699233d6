import type { CrawlerContext } from '#crawlers/context.ts'
import type { SecretBox } from '#secrets/secret-box.ts'
import type { CloudflareApi } from './api.ts'

/** The access to Cloudflare's API. */
export type CloudflareAccess = Pick<CloudflareApi, 'base_url' | 'outgoing' | 'timeout_ms'> & {
  /** Seals tokens at rest. */
  secrets: SecretBox
}

/** Long, because an answer may have ten thousand rows. */
const TIMEOUT_MS = 30_000

/** `base_url`: the address of Cloudflare's API, without a slash at the end. */
export const cloudflareAccess = (
  base_url: string,
  given: Pick<CloudflareAccess, 'outgoing' | 'secrets'>,
): CloudflareAccess => ({ base_url, ...given, timeout_ms: TIMEOUT_MS })

/** The context of connecting a zone. */
export interface ConnectContext extends Pick<CrawlerContext, 'clock' | 'control'> {
  cloudflare: CloudflareAccess
}

/** The context of polling zones. */
export interface ZoneContext extends CrawlerContext {
  cloudflare: CloudflareAccess
  /** Called after each zone was polled, with the number of read hours and the fault of others. */
  onPolled?: (polled: { hours: number; fault: string | null }) => void
}

/** The API with this token. */
export function apiOf({ cloudflare }: ConnectContext, token: string, signal?: AbortSignal): CloudflareApi {
  const { base_url, outgoing, timeout_ms } = cloudflare
  return { base_url, outgoing, timeout_ms, token, ...(signal === undefined ? {} : { signal }) }
}

/** The context that a token is sealed for, so that it opens only for its source. */
export const sealContext = (source_id: string): string => `source:${source_id}:cloudflare_token`
