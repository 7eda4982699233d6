/** Reads addresses and networks strictly, for the configuration and for checks of requests. */
import { isIP } from 'node:net'
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js'

export type IpAddress = IPv4 | IPv6

/** First address and length of a network. */
export type Network = readonly [IpAddress, number]

/**
 * Reads an address; null for other text. TRICKY: ipaddr.js alone also takes `127.1`, `0x7f.1`,
 * `017700000001` and zones (`fe80::1%eth0`), so the platform says what an address is; and it takes `::192.0.2.1` for
 * `::ffff:192.0.2.1`, so an IPv4 address inside an IPv6 one is written in groups first.
 */
export function readAddress(text: string): IpAddress | null {
  if (isIP(text) === 0 || text.includes('%')) return null
  const [, groups, inside] = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text) ?? []
  if (groups === undefined || inside === undefined) return ipaddr.parse(text)
  return ipaddr.parse(groups + inside4(inside))
}

/** The two groups of an IPv6 address that hold an IPv4 one. */
function inside4(text: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = ipaddr.IPv4.parse(text).octets
  return [a * 256 + b, c * 256 + d].map((group) => group.toString(16)).join(':')
}

/** An address, or a network in CIDR notation; IPv4 inside IPv6 becomes that IPv4 network. Null for other text. */
export function readNetwork(text: string): Network | null {
  const [, written = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const address = readAddress(written)
  if (address === null) return null
  const longest = address.kind() === 'ipv4' ? 32 : 128
  const bits = length === undefined ? longest : Number(length)
  if (bits > longest) return null
  const plain = plainAddress(address)
  return plain === address || bits < 96 ? [address, bits] : [plain, bits - 96]
}

/** Whether a text is an address with or without a port, as node:dns takes it: `192.0.2.53`, `[2001:db8::53]:5353`. */
export function isServerAddress(text: string): boolean {
  const parts = /^(?:\[([^\]]+)\](?::\d{1,5})?|([\d.]+):\d{1,5}|(.+))$/.exec(text)
  return isIP(parts?.[1] ?? parts?.[2] ?? parts?.[3] ?? '') !== 0
}

/** Whether a host, as a person writes it, is a loopback name or address. */
export const isLoopbackName = (host: string): boolean => /^(127\.\d+\.\d+\.\d+|::1|localhost)$/i.test(host)

/** Reads a port from 1 to 65535; null for other text. */
export function readPortNumber(text: string): number | null {
  const port = /^\s*\d{1,5}\s*$/.test(text) ? Number(text) : Number.NaN
  return port >= 1 && port <= 65_535 ? port : null
}

/** Whether an address lies in one of the networks; an IPv4 address inside an IPv6 one is looked up as both. */
export function isInNetworks(address: IpAddress, networks: readonly Network[]): boolean {
  const candidates = [address, plainAddress(address)]
  // TRICKY: `match` throws where the families differ.
  return networks.some(([network, bits]) =>
    candidates.some((one) => one.kind() === network.kind() && one.match(network, bits)),
  )
}

/** The IPv4 address inside an IPv6 one (`::ffff:192.0.2.1`), else the address itself. */
export function plainAddress(address: IpAddress): IpAddress {
  return isMapped(address) ? (address as IPv6).toIPv4Address() : address
}

// `isIPv4MappedAddress` looks through all special networks first.
function isMapped(address: IpAddress): boolean {
  if (address.kind() === 'ipv4') return false
  const { parts } = address as IPv6
  return parts[5] === 0xffff && parts.every((part, at) => at > 4 || part === 0)
}
