/** Whose pages may ask the tools: MCP clients are programs, and browsers may not be made to act for others. */

import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { AccountFailure } from '../account-api/failures.ts'

/**
 * Refuses a request whose `Origin` is not ours; programs send none.
 * @param public_url our origin where it is configured; null: the host that the request names, if it is an address or
 *   `localhost`. Any other name may have been pointed at this machine by whoever owns it.
 * @throws AccountFailure forbidden.
 */
export function refuseForeignOrigin({ origin, host }: IncomingHttpHeaders, public_url: string | null): void {
  if (origin === undefined) return
  const is_ours = public_url === null ? isOfMachine(origin, host) : origin.toLowerCase() === public_url
  if (is_ours) return
  const advice = public_url === null ? ' If Spoor is behind this name, set SPOOR_PUBLIC_URL.' : ''
  throw new AccountFailure('forbidden', `Pages of other origins may not use MCP: send no Origin.${advice}`)
}

function isOfMachine(origin: string, host: string | undefined): boolean {
  if (host === undefined || !/^https?:\/\//i.test(origin) || !URL.canParse(origin)) return false
  const { protocol, hostname, host: of_origin } = new URL(origin)
  const name = hostname.replace(/^\[|\]$/g, '')
  if (name !== 'localhost' && isIP(name) === 0) return false
  return URL.canParse(`${protocol}//${host}`) && new URL(`${protocol}//${host}`).host === of_origin
}
