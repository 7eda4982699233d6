/** Whether a URL may be asked, and at which addresses: decided once, before anything is sent (decisions 4, rules 7). */
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Network } from '#networks.ts'
import { addressesIn, isNever, isPermitted } from './addresses.ts'
import type { Exchange } from './exchange.ts'
import { failed, OutgoingRefusal, refused } from './refused.ts'
import { noAddressText, type Resolve } from './resolve.ts'

/** Where the service itself, or a store of its, listens. */
export interface Endpoint {
  /** A name, an address, or a wildcard (`0.0.0.0`, `::`). */
  host: string
  port: number
}

export interface SafeFetchContext {
  resolve: Resolve
  /** SPOOR_ALLOW_NETWORKS: networks that may be asked besides the public ones. */
  allow_networks: readonly Network[]
  /** SPOOR_ALLOW_PORTS: ports that may be asked besides 80 and 443. */
  allow_ports: ReadonlySet<number>
  /** Endpoints that are never asked, allowed or not; read anew for each request. */
  own_endpoints: () => readonly Endpoint[]
  /** What asks a destination that was judged; over the network unless given. */
  exchange?: Exchange
}

/** A URL that may be asked, and the addresses it was judged by: a connection goes to one of these and nowhere else. */
export interface Destination {
  url: URL
  port: number
  addresses: readonly string[]
}

export type Scheme = 'http' | 'https'

const WEB_PORTS: ReadonlySet<number> = new Set([80, 443])
export const MAX_URL_LENGTH = 8_192

/**
 * Judges a URL and resolves its host, once. A name with one refused address is refused whole.
 * @throws OutgoingRefusal: it is no URL, or leads where the service does not go; or the name has no address.
 */
export async function findDestination(
  ctx: SafeFetchContext,
  text: string,
  schemes: readonly Scheme[],
  signal: AbortSignal,
): Promise<Destination> {
  const url = readUrl(text, schemes)
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  // The URL parser has turned decimal, octal and hexadecimal spellings of an address into the usual one.
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // No message shows an address (rules 8.5).
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
      `${named} leads to an address that is not public${isNever(address) ? NEVER : ASK_OPERATOR}`,
    )
  }
  if (await leadsHome(ctx, addresses, port, signal)) {
    throw refused(
      'address',
      `${named} leads to this service itself or to its stores, to which requests are never sent.`,
    )
  }
  return { url, port, addresses }
}

const NEVER = ', and of a kind to which requests are never sent.'
const ASK_OPERATOR = ': the operator can allow its network with SPOOR_ALLOW_NETWORKS.'

/** A URL by its form alone. @throws OutgoingRefusal. */
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

/** A endpoint behind a wildcard stands at every address of this machine. */
async function leadsHome(
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

/** A name that does not exist leads nowhere; one without an answer may lead home. */
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
