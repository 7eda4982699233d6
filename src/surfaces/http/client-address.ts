import type { IPv6 } from 'ipaddr.js'
import { type IpAddress, isInNetworks, type Network, plainAddress, readAddress } from '#networks.ts'

/**
 * The address that a request really came from: the right-most forwarding entry that is not a declared trusted proxy,
 * and that only when the peer is one (rules 4, 6). Everything further left is what a stranger may have written.
 * @param peer the connection's other end; `forwarded` the value of `X-Forwarded-For`.
 */
export function clientAddress(peer: string, forwarded: string | undefined, trusted: readonly Network[]): string {
  let nearest = readClient(peer)
  if (nearest === null) return peer
  const entries = forwarded === undefined ? [] : forwarded.split(',')
  while (isInNetworks(nearest, trusted)) {
    const entry = entries.pop()
    const address = entry === undefined ? null : readEntry(entry)
    // What a trusted proxy wrote and is not an address (`unknown`) names no client: the proxy itself is the nearest
    // that is known.
    if (address === null) break
    nearest = address
  }
  return nearest.toString()
}

/** The network that one person can draw addresses from at will: an IPv6 client has at least 64 bits of its own. */
export function clientNetwork(text: string): string {
  const address = readAddress(text)
  if (address?.kind() !== 'ipv6') return text
  const groups = (address as IPv6).parts.slice(0, 4).map((group) => group.toString(16))
  return `${groups.join(':')}::/64`
}

/** One entry as proxies write it: an address, also quoted, in brackets, or with a port. */
function readEntry(entry: string): IpAddress | null {
  const text = entry.trim().replace(/^"(.*)"$/, '$1')
  const [, bracketed] = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text) ?? []
  const [, with_port] = /^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/.exec(text) ?? []
  return readClient(bracketed ?? with_port ?? text)
}

/** IPv4 inside IPv6 as IPv4, without a zone, which means nothing elsewhere; null when the text is not an address. */
function readClient(text: string): IpAddress | null {
  const address = readAddress(text.replace(/%.*$/, ''))
  return address === null ? null : plainAddress(address)
}
