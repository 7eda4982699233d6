/** Host name suffixes under which vendors run their crawlers, as the registry writes them. */
import type { RegistryEntry } from '../registry/document.ts'

/**
 * Clouds whose customers get names with these suffixes: such a name proves a customer, never a vendor. Google documents
 * `.gae.googleusercontent.com`, which any App Engine customer has, only together with its list.
 */
const CUSTOMER_SUFFIXES = ['.googleusercontent.com', '.amazonaws.com', '.azure.com', '.azure.net', '.googlehosted.com']

/**
 * The suffixes of an entry that can prove a vendor: no top-level domains, and no names that customers of a cloud get.
 */
export function provingSuffixes(entry: RegistryEntry): string[] {
  return entry.verification.rdns_suffixes.filter(
    (suffix) =>
      domainOf(suffix).split('.').length > 2 && !CUSTOMER_SUFFIXES.some((rented) => isUnder(domainOf(suffix), rented)),
  )
}

/**
 * Whether a suffix covers a host name: `.googlebot.com` covers every name below it, `google-proxy-*.google.com` only
 * names with one more label, which begins with `google-proxy-`. Names are lower case without a trailing dot.
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

/** Whether a stored, confirmed suffix is, or is below, one that the registry names now. */
export function provesSuffix(stored: string, suffix: string): boolean {
  return stored === suffix || (suffix.startsWith('.') && domainOf(stored).endsWith(suffix))
}

/** Whether a stored suffix is too broad to prove anything, because the registry now names a narrower one. */
export function mayHoldSuffix(stored: string, suffix: string): boolean {
  return stored.startsWith('.') && domainOf(suffix).endsWith(stored)
}
