/** Forward-confirmed reverse DNS: the names of an address count only when they lead back to it (registry notes 4). */
import { getDomain } from 'tldts'
import type { NameServers } from '#outgoing/name-servers.ts'
import { addressText, emptyAddress, parseAddress } from './address.ts'
import { covers } from './host-name-suffixes.ts'
import type { NameAnswer } from './reverse-dns-answers.ts'

/** The most names of an address that are checked. */
const MAX_NAMES = 8

/**
 * The result of the names of an address: the longest known suffix of a confirmed name, else the registrable domain of
 * one, by which a later registry can judge. @throws if the name servers do not answer.
 */
export async function confirmNames(
  servers: NameServers,
  address: string,
  suffixes: readonly string[],
): Promise<NameAnswer> {
  const parsed = emptyAddress()
  if (!parseAddress(address, parsed)) return 'none'
  const pointers = (await servers.pointers(reverseName(address))).slice(0, MAX_NAMES).map(plainName)
  const byLength = suffixes.toSorted((a, b) => b.length - a.length)
  let other: NameAnswer = 'none'
  for (const name of pointers) {
    const suffix = byLength.find((known) => covers(known, name))
    const domain = suffix === undefined ? getDomain(name) : null
    if (suffix === undefined && domain === null) continue
    if (!(await leadsTo(servers, name, address, parsed.family))) continue
    if (suffix !== undefined) return { suffix }
    other = { suffix: `.${domain}` }
  }
  return other
}

/**
 * Whether these name servers know the vendors' domains. Name servers of a closed network answer that no name exists, so
 * that every crawler would look like an impostor.
 */
export async function knowVendors(servers: NameServers, suffixes: readonly string[]): Promise<boolean> {
  const domains = new Set(suffixes.flatMap((suffix) => getDomain(suffix.slice(suffix.indexOf('.') + 1)) ?? []))
  for (const domain of domains) {
    const delegations = await servers.delegations(domain).catch(() => [])
    if (delegations.length > 0) return true
  }
  return false
}

async function leadsTo(servers: NameServers, name: string, address: string, family: 4 | 6): Promise<boolean> {
  const parsed = emptyAddress()
  const found = await servers.addresses(name, family)
  return found.some((text) => parseAddress(text, parsed) && addressText(parsed) === address)
}

const plainName = (name: string) => name.toLowerCase().replace(/\.$/, '')

/** `4.3.2.1.in-addr.arpa` of 1.2.3.4; nibbles under `ip6.arpa` for IPv6 (RFC 1035, RFC 3596). */
function reverseName(address: string): string {
  if (!address.includes(':')) return `${address.split('.').reverse().join('.')}.in-addr.arpa`
  const nibbles = address.split(':').flatMap((group) => [...group.padStart(4, '0')])
  return `${nibbles.reverse().join('.')}.ip6.arpa`
}
