/** Host name suffixes under which vendors run their crawlers, as the registry writes them. */
import type { RegistryEntry } from '../registry/document.ts'

/**
 * Clouds whose customers get names of this kind: such a name proves a tenant, never a vendor. Google documents
 * `.gae.googleusercontent.com`, where any App Engine customer runs, and only together with its list.
 */
const RENTED = ['.googleusercontent.com', '.amazonaws.com', '.azure.com', '.azure.net', '.googlehosted.com']

/** The suffixes of an entry that can prove anything: not a whole top-level domain, and nothing that can be rented. */
export function provingSuffixes(entry: RegistryEntry): string[] {
  return entry.verification.rdns_suffixes.filter(
    (suffix) => domainOf(suffix).split('.').length > 2 && !RENTED.some((rented) => isUnder(domainOf(suffix), rented)),
  )
}

/**
 * Whether a host name is covered: `.googlebot.com` covers every name below it, `google-proxy-*.google.com` only names
 * of one further label that begins so. Names are lower case without a trailing dot.
 */
export function covers(suffix: string, name: string): boolean {
  const star = suffix.indexOf('*')
  if (star === -1) return name.length > suffix.length && name.endsWith(suffix)
  const domain = suffix.slice(star + 1)
  if (!name.endsWith(domain) || !name.startsWith(suffix.slice(0, star))) return false
  const middle = name.slice(star, name.length - domain.length)
  return middle.length > 0 && !middle.includes('.')
}

/** `.google.com` of `google-proxy-*.google.com`. */
const domainOf = (suffix: string) => suffix.slice(suffix.indexOf('*') + 1)

const isUnder = (domain: string, parent: string) => domain === parent || domain.endsWith(parent)

/** Whether a confirmed suffix, stored at some time, lies at or under one that the registry names now. */
export function provesSuffix(stored: string, suffix: string): boolean {
  return stored === suffix || (suffix.startsWith('.') && domainOf(stored).endsWith(suffix))
}

/** Whether a stored suffix is too broad to prove anything: the registry has become narrower since. */
export function mayHoldSuffix(stored: string, suffix: string): boolean {
  return stored.startsWith('.') && domainOf(suffix).endsWith(stored)
}
