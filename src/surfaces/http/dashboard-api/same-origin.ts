import type { IncomingHttpHeaders } from 'node:http'
import { RequestProblem } from '../problems.ts'

/**
 * Refuses what a page of another origin makes a browser send: `Origin` must be ours, and `Sec-Fetch-Site`, where the
 * browser sends it, must say same-origin (decisions 2).
 * @param public_url our origin where it is configured; null: the host that the request itself names.
 */
export function checkSameOrigin(headers: IncomingHttpHeaders, public_url: string | null): void {
  const { origin, host } = headers
  const fetch_site = headers['sec-fetch-site']
  const is_ours =
    origin !== undefined && (public_url === null ? isOfHost(origin, host) : origin.toLowerCase() === public_url)
  if (is_ours && (fetch_site === undefined || fetch_site === 'same-origin')) return
  throw new RequestProblem(
    'foreign_origin',
    public_url === null
      ? 'This request does not come from a page of this service: open its own page. Behind a proxy, set SPOOR_PUBLIC_URL.'
      : `This request does not come from a page of this service: open it at ${public_url}.`,
  )
}

function isOfHost(origin: string, host: string | undefined): boolean {
  if (host === undefined || !/^https?:\/\//i.test(origin) || !URL.canParse(origin)) return false
  const scheme = new URL(origin).protocol
  // Parsed alike, so that a default port that is spelled out is no difference.
  return URL.canParse(`${scheme}//${host}`) && new URL(`${scheme}//${host}`).host === new URL(origin).host
}
