import { type BlockList, isIP, SocketAddress } from 'node:net'

/**
 * The address that a request really came from: the right-most forwarding entry that is not a declared trusted proxy, and that
 * only when the peer is one (rules 4, 6). Everything further left is what a stranger may have written.
 * @param peer the connection's other end; `forwarded` the value of `X-Forwarded-For`.
 */
export function clientAddress(peer: string, forwarded: string | undefined, trusted: BlockList): string {
  let nearest = canonical(peer) ?? peer
  const entries = forwarded === undefined ? [] : forwarded.split(',')
  while (isTrusted(nearest, trusted)) {
    const entry = entries.pop()
    const address = entry === undefined ? null : readEntry(entry)
    // What a trusted proxy wrote and is no address (`unknown`) names nobody: the proxy itself is the nearest that is known.
    if (address === null) return nearest
    nearest = address
  }
  return nearest
}

/** The network that one person can draw addresses from at will: an IPv6 client has at least 64 bits of its own. */
export function clientNetwork(address: string): string {
  if (isIP(address) !== 6) return address
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  return `${[...before, ...(tail === undefined ? [] : zeros), ...after].slice(0, 4).join(':')}::/64`
}

function isTrusted(address: string, trusted: BlockList): boolean {
  const family = isIP(address)
  return family !== 0 && trusted.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

/** One entry as proxies write it: an address, also quoted, in brackets, or with a port. */
function readEntry(entry: string): string | null {
  const text = entry.trim().replace(/^"(.*)"$/, '$1')
  const [, bracketed] = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text) ?? []
  const [, with_port] = /^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/.exec(text) ?? []
  return canonical(bracketed ?? with_port ?? text)
}

/** One spelling per address, IPv4 inside IPv6 as IPv4; null when it is none. */
function canonical(text: string): string | null {
  const address = text.replace(/%.*$/, '')
  const family = isIP(address)
  if (family === 0) return null
  const { address: spelled } = new SocketAddress({ address, family: family === 4 ? 'ipv4' : 'ipv6' })
  return spelled.replace(/^::ffff:(?=\d+\.)/, '')
}
