/** Step 3: checks that the page which sent a request belongs to the site (rules 6). */
import { CollectRefusal, describeValue } from './collect-refusal.ts'

/** The headers that name the page which sent a request. */
export interface PageHeaders {
  origin: string | undefined
  referer: string | undefined
}

/** Whether a host (lower case, without a trailing dot) is the root domain of a site or a subdomain of it. */
export function isHostOfSite(host: string, root_domain: string): boolean {
  return host === root_domain || (host.length > root_domain.length && host.endsWith(`.${root_domain}`))
}

/** The host of a URL in lower case, without a trailing dot; empty if the URL is invalid or has no host. */
export function urlHost(url: string): string {
  const host = URL.parse(url)?.hostname
  if (host === undefined) return ''
  return host.endsWith('.') ? host.slice(0, -1) : host
}

/** The origin of the page that sent a request, as the browser wrote it; null if unknown, as for local files. */
export function originOf({ origin, referer }: PageHeaders): string | null {
  if (origin !== undefined && origin !== 'null') return origin
  const found = referer === undefined ? undefined : URL.parse(referer)?.origin
  return found === undefined || found === 'null' ? null : found
}

const MAX_REMEMBERED = 10_000
const MAX_REMEMBERED_LENGTH = 256

/** Returns `urlHost` with a bounded cache. */
export function openUrlHosts(): (url: string) => string {
  const hosts = new Map<string, string>()
  return (url) => {
    const known = hosts.get(url)
    if (known !== undefined) return known
    const host = urlHost(url)
    if (hosts.size >= MAX_REMEMBERED) hosts.clear()
    if (url.length <= MAX_REMEMBERED_LENGTH) hosts.set(url, host)
    return host
  }
}

/** Returns the check, which caches the hosts of origins. It @throws CollectRefusal foreign_origin. */
export function openOriginCheck(): (page: PageHeaders, root_domain: string) => void {
  const hostOf = openUrlHosts()
  return ({ origin, referer }, root_domain) => {
    const given = origin === undefined || origin === 'null' ? referer : origin
    if (given === undefined) {
      throw new CollectRefusal(
        'foreign_origin',
        'origin_missing',
        `Neither Origin nor Referer names a page of ${root_domain}; events come from the site's pages. A server sends to /collect/server with its own key.`,
      )
    }
    if (isHostOfSite(hostOf(given), root_domain)) return
    throw new CollectRefusal(
      'foreign_origin',
      'foreign_origin',
      `The page's origin ${describeValue(given)} is not ${root_domain} or a name below it; use the key of the site that the page belongs to.`,
    )
  }
}
