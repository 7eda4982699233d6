/** Checks whether a URL may be requested, and at which addresses, before anything is sent (decisions 4, rules 7). */
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Network } from '#networks.ts'
import { addressesIn, isNeverPermitted, isPermitted } from './addresses.ts'
import type { Exchange } from './exchange.ts'
import { failed, OutgoingRefusal, refused } from './refused.ts'
import { noAddressText, type Resolve } from './resolve.ts'

/** An address of the service itself, or of one of its stores. */
export interface Endpoint {
  /** A name, an address, or a wildcard (`0.0.0.0`, `::`). */
  host: string
  port: number
}

export interface SafeFetchContext {
  resolve: Resolve
  /** SPOOR_ALLOW_NETWORKS: allowed networks besides public addresses. */
  allow_networks: readonly Network[]
  /** SPOOR_ALLOW_PORTS: allowed ports besides 80 and 443. */
  allow_ports: ReadonlySet<number>
  /** Endpoints that are always refused; read for each request. */
  own_endpoints: () => readonly Endpoint[]
  /** Sends a request to a checked destination; by default over the network. */
  exchange?: Exchange
}

/** A URL that may be requested, with its checked addresses, the only ones for connections. */
export interface Destination {
  url: URL
  port: number
  addresses: readonly string[]
}

export type Scheme = 'http' | 'https'

const WEB_PORTS: ReadonlySet<number> = new Set([80, 443])
export const MAX_URL_LENGTH = 8_192

/**
 * Checks a URL and resolves its host once. A name with a refused address is refused altogether.
 * @throws OutgoingRefusal: it is no URL, its destination is refused, or its name has no address.
 */
export async function findDestination(
  ctx: SafeFetchContext,
  text: string,
  schemes: readonly Scheme[],
  signal: AbortSignal,
): Promise<Destination> {
  const url = readUrl(text, schemes)
  const usual_port = url.protocol === 'https:' ? 443 : 80
  const port = url.port === '' ? usual_port : Number(url.port)
  // The URL parser has normalised decimal, octal and hexadecimal spellings of an address.
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // No message contains an address (rules 8.5).
  const named = isIP(host) === 0 ? host : 'The URL'
  if (!WEB_PORTS.has(port) && !ctx.allow_ports.has(port)) {
    throw refused(
      'port',
      `${named} names the port ${port}: only 80, 443 and the ports of SPOOR_ALLOW_PORTS are allowed.`,
    )
  }
  const addresses = isIP(host) === 0 ? await ctx.resolve(host, signal) : [host]
  if (addresses.length === 0) throw failed('no_address', noAddressText(host), 'ENODATA')
  for (const address of addresses) {
    if (isPermitted(address, ctx.allow_networks)) continue
    throw refused(
      'address',
      `${named} leads to an address that is not public${isNeverPermitted(address) ? NEVER : ASK_OPERATOR}`,
    )
  }
  if (await isOwnEndpoint(ctx, addresses, port, signal)) {
    throw refused(
      'address',
      `${named} leads to this service itself or to its stores, to which requests are never sent.`,
    )
  }
  return { url, port, addresses }
}

const NEVER = ', and of a kind to which requests are never sent.'
const ASK_OPERATOR = ': the operator can allow its network with SPOOR_ALLOW_NETWORKS.'

/** Parses a URL and checks its form. @throws OutgoingRefusal. */
export function readUrl(text: string, schemes: readonly Scheme[]): URL {
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text)) {
    throw refused(
      'malformed_url',
      'This is not a URL: it needs a scheme and a host, as in https://example.com/file.json.',
    )
  }
  const url = new URL(text)
  if (!schemes.some((scheme) => url.protocol === `${scheme}:`)) {
    const said = url.protocol.replace(/[^\w:+.-]/g, '').slice(0, 32)
    throw refused('scheme', `The URL begins with ${said}; only ${schemes.join(' and ')} is allowed.`)
  }
  if (url.username !== '' || url.password !== '') {
    throw refused('credentials', `The URL of ${url.host} holds a user name or a password: leave them out.`)
  }
  return url
}

/** Whether an address is an own endpoint. A wildcard means every address of this machine. */
async function isOwnEndpoint(
  { own_endpoints, resolve }: SafeFetchContext,
  addresses: readonly string[],
  port: number,
  signal: AbortSignal,
): Promise<boolean> {
  const asked = new Set(addresses.flatMap(addressesIn))
  for (const endpoint of own_endpoints()) {
    if (endpoint.port !== port) continue
    const home = await addressesOf(endpoint.host, resolve, signal)
    if (home.some((address) => asked.has(address))) return true
    if (home.some(isWildcard) && [...asked].some(isOwnAddress)) return true
  }
  return false
}

async function addressesOf(host: string, resolve: Resolve, signal: AbortSignal): Promise<string[]> {
  const bare = host.replace(/^\[|\]$/g, '')
  return (isIP(bare) === 0 ? await resolve(bare, signal).catch(noneIfUnknown) : [bare]).flatMap(addressesIn)
}

/**
 * No addresses for a name that does not exist; without an answer the error is thrown, because it may be an own name.
 */
function noneIfUnknown(error: unknown): string[] {
  if (error instanceof OutgoingRefusal && error.system_code === 'ENOTFOUND') return []
  throw error
}

const isWildcard = (address: string) => address === '0.0.0.0' || address === '::'

function isOwnAddress(address: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((entries) => (entries ?? []).map((entry) => entry.address))
  return own.includes(address) || isLoopback(address)
}

const isLoopback = (address: string) => address === '::1' || address.startsWith('127.')
