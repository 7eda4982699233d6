/** Classifies addresses by the special-purpose registries (RFC 6890, RFC 4291) and the clouds' metadata services. */
import ipaddr, { type IPv6 } from 'ipaddr.js'
import { type IpAddress, isInNetworks, type Network, readAddress, readNetwork } from '#networks.ts'

/** Whether requests to an address are always refused, whatever the operator allows (rules 7). */
export function isNeverPermitted(address: string): boolean {
  return parseAddresses(address).some((one) => isInNetworks(one, NEVER))
}

/**
 * Whether requests to an address are allowed: it is public or in `allowed`, and so is the IPv4 address inside an IPv6
 * one (mapped, translated, 6to4, Teredo, ISATAP), because packets go there.
 */
export function isPermitted(address: string, allowed: readonly Network[]): boolean {
  const shown = parseAddresses(address)
  if (shown.length === 0 || isNeverPermitted(address)) return false
  return shown.every((one) => isInNetworks(one, allowed) || isPublic(one))
}

/** The address in its usual spelling, and the IPv4 address inside it, if any; nothing for other text. */
export function addressesIn(address: string): string[] {
  return parseAddresses(address).map(String)
}

function parseAddresses(text: string): IpAddress[] {
  const address = readAddress(text)
  if (address === null) return []
  if (address.kind() === 'ipv4') return [address]
  const { parts } = address as IPv6
  const carried = CARRIERS.flatMap(({ carries, at, inverted }) => (carries(parts) ? v4(parts, at, inverted) : []))
  return [address, ...carried]
}

/** Whether an address is public: IPv6 has one public block with exceptions, IPv4 is public with exceptions. */
function isPublic(address: IpAddress): boolean {
  // TRICKY: ipaddr.js calls `::7f00:1` and `100:0:0:1::1` unicast, too.
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || isInNetworks(address, GLOBAL_V6))
}

const networks = (...entries: readonly string[]): Network[] =>
  entries.map(readNetwork).filter((network) => network !== null)

const GLOBAL_V6 = networks('2000::/3')

/**
 * Addresses without servers (`this host`, multicast, broadcast), and metadata services, which give out credentials of
 * the machine: AWS, Google, Azure and most others (169.254.169.254 and neighbours), Azure's host, Alibaba, Oracle.
 */
const NEVER = networks(
  '0.0.0.0/8',
  '224.0.0.0/4',
  '255.255.255.255/32',
  '::/128',
  'ff00::/8',
  '169.254.0.0/16',
  '168.63.129.16/32',
  '100.100.100.200/32',
  '192.0.0.192/32',
  'fd00:ec2::/32',
  'fd20:ce::254/128',
  'fe80::a9fe:a9fe/128',
)

type Groups = readonly number[]

/** The forms of IPv6 addresses with an IPv4 address inside, and the group (of eight) at which it begins. */
const CARRIERS: readonly { carries: (groups: Groups) => boolean; at: number; inverted?: boolean }[] = [
  // Mapped, compatible (RFC 4291), and translated (RFC 2765). `::` and `::1` are themselves.
  { carries: (g) => g.slice(0, 5).every(isZero) && g[5] === 0xffff, at: 6 },
  { carries: (g) => g.slice(0, 6).every(isZero) && g[6] !== 0, at: 6 },
  { carries: (g) => g.slice(0, 4).every(isZero) && g[4] === 0xffff && g[5] === 0, at: 6 },
  // NAT64, well-known and local prefix (RFC 6052, RFC 8215).
  { carries: (g) => g[0] === 0x64 && g[1] === 0xff9b, at: 6 },
  // 6to4 (RFC 3056); Teredo, whose server is written out and whose client is inverted (RFC 4380).
  { carries: (g) => g[0] === 0x2002, at: 1 },
  { carries: (g) => g[0] === 0x2001 && g[1] === 0, at: 2 },
  { carries: (g) => g[0] === 0x2001 && g[1] === 0, at: 6, inverted: true },
  // ISATAP (RFC 5214).
  { carries: (g) => [0, 0x200].includes(g[4] as number) && g[5] === 0x5efe, at: 6 },
]

const isZero = (group: number) => group === 0

function v4(groups: Groups, at: number, inverted = false): IpAddress[] {
  const pair = groups.slice(at, at + 2).map((group) => (inverted ? group ^ 0xffff : group))
  return [new ipaddr.IPv4(pair.flatMap((group) => [group >> 8, group & 0xff]))]
}
