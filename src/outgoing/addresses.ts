/** What an address is, by the registries of special-purpose addresses (RFC 6890, RFC 4291) and the clouds' metadata services. */
import { BlockList, isIP } from 'node:net'

/** Whether nobody may be sent there: not even an operator's permission opens these (rules 7). */
export function isNever(address: string): boolean {
  return faces(address).some((face) => contains(NEVER, face))
}

/**
 * Whether a request may go to an address: it is public or in `allowed`, and so is the IPv4 address that an IPv6 one carries
 * (mapped, translated, 6to4, Teredo, ISATAP), because that is where the packets end up.
 */
export function isPermitted(address: string, allowed: BlockList): boolean {
  const shown = faces(address)
  if (shown.length === 0 || isNever(address)) return false
  return shown.every((face) => contains(allowed, face) || isPublic(face))
}

/** The address itself in its usual spelling, and the IPv4 address inside it, if any; what is no address has no face. */
export function faces(address: string): string[] {
  const family = isIP(address)
  if (family === 0 || address.includes('%')) return []
  if (family === 4) return [address]
  // The URL parser writes every spelling of an IPv6 address the same way.
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const groups = groupsOf(written)
  return [
    written,
    ...CARRIERS.flatMap(({ carries, at, inverted }) => (carries(groups) ? v4(groups, at, inverted) : [])),
  ]
}

function contains(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** IPv6 has one block of public addresses, with exceptions; IPv4 is public but for its exceptions. */
function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !contains(SPECIAL_V4, address)
  return contains(GLOBAL_V6, address) && !contains(SPECIAL_V6, address)
}

const networks = (...entries: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}

const SPECIAL_V4 = networks(
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.175.48.0/24'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
)
const GLOBAL_V6 = networks('2000::/3')
/** Teredo, ORCHID and benchmarking (2001::/23), documentation, 6to4, AS112. */
const SPECIAL_V6 = networks('2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20')

/**
 * Nothing of anybody's is there (`this host`, multicast, broadcast), or what is there hands out the machine's own credentials:
 * AWS, Google, Azure and most others (169.254.169.254 and neighbours), Azure's host, Alibaba, Oracle.
 */
const NEVER = networks(
  ...['0.0.0.0/8', '224.0.0.0/4', '255.255.255.255/32', '::/128', 'ff00::/8'],
  ...['169.254.0.0/16', '168.63.129.16/32', '100.100.100.200/32', '192.0.0.192/32'],
  ...['fd00:ec2::/32', 'fd20:ce::254/128', 'fe80::a9fe:a9fe/128'],
)

type Groups = readonly number[]

/** The forms in which an IPv6 address carries an IPv4 one, and the group (of eight) that it begins at. */
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

function v4(groups: Groups, at: number, inverted = false): string[] {
  const pair = groups.slice(at, at + 2).map((group) => (inverted ? group ^ 0xffff : group))
  return [pair.flatMap((group) => [group >> 8, group & 0xff]).join('.')]
}

/** The eight groups of an IPv6 address in its usual spelling. */
function groupsOf(written: string): number[] {
  const [head = '', tail] = written.split('::')
  const read = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  const [first, last] = [read(head), read(tail ?? '')]
  return [...first, ...new Array<number>(8 - first.length - last.length).fill(0), ...last]
}
