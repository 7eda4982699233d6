/** Names of hosts and of sites: how they are written, and which host belongs to which site (rules 1). */
import { isIP } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'
import { getDomain, parse } from 'tldts'
import { hasControlCharacters } from '#names.ts'
import { Refusal } from '#refusal.ts'

/**
 * A host as it is stored and compared: lower case, punycode, no port, no trailing dot. Null for an address, localhost
 * and whatever is not a host name, which all count as "no host" (rules 4).
 */
export function normalizeHost(text: string): string | null {
  let host = text.trim().toLowerCase()
  const colon = host.indexOf(':')
  if (colon >= 0) {
    if (!/^:\d{0,5}$/.test(host.slice(colon))) return null
    host = host.slice(0, colon)
  }
  if (host.endsWith('.')) host = host.slice(0, -1)
  if (!PLAIN.test(host)) host = /[^\x20-\x7e]/.test(host) ? domainToASCII(host) : ''
  if (host.length === 0 || host.length > 253 || !HOST.test(host)) return null
  return ADDRESS_LIKE.test(host) || LOCAL.test(host) ? null : host
}

/**
 * The root domain of a site from what a person typed or pasted, a URL included: lower case, punycode, no scheme, port,
 * `www.` or trailing dot (rules 1). A subdomain stays one. Refuses what cannot be a site as invalid_input.
 */
export function rootDomain(text: string): string {
  const given = text.trim()
  const host = hasControlCharacters(given) ? null : normalizeHost(hostOfPasted(given))
  if (host === null) throw refused(given, whyNoHost(hostOfPasted(given)))
  if (hasHighPort(hostOfPasted(given))) throw refused(given, PORT)
  if (!host.includes('.') && parse(host).isIcann !== true) throw refused(given, 'it has no ending such as .com')
  if (host.includes('.') && !NAME.test(host)) throw refused(given, CHARACTERS)
  if (ENCODED.test(domainToUnicode(host))) throw refused(given, ENCODING)
  if (registrable(host) === null)
    throw refused(given, 'it is a public suffix that many owners share, not the domain of one')
  const bare = host.startsWith('www.') ? host.slice(4) : host
  return registrable(bare) === null ? host : bare
}

/** Whether a normalised host is the site's root domain or one of its subdomains. */
export function belongsTo(host: string, root_domain: string): boolean {
  return host === root_domain || (host.endsWith(root_domain) && host.at(-root_domain.length - 1) === '.')
}

const PLAIN = /^[a-z0-9._-]+$/
const HOST = /^(?!-)[a-z0-9_-]{0,62}[a-z0-9](?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?)*$/
const NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** The URL standard reads a host whose last label is a number as an IPv4 address. */
const ADDRESS_LIKE = /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/
const LOCAL = /(?:^|\.)localhost$|^localhost\.localdomain$|^ip6-(?:localhost|loopback)$/

function hostOfPasted(given: string): string {
  const without_scheme = given.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/^\/\//, '')
  const authority = without_scheme.split(/[/?#\\]/, 1)[0] as string
  return authority.slice(authority.lastIndexOf('@') + 1)
}

/** Whether a host names a port that there is not. */
function hasHighPort(host: string): boolean {
  const [, port] = /:(\d+)$/.exec(host) ?? []
  return Number(port) > MAX_PORT
}

const MAX_PORT = 65_535
const PORT = `its port is above ${MAX_PORT}, the highest there is`
/** A label that stands for other letters (RFC 5890, 2.3.2.1); decoded, it begins with them. */
const ENCODED = /(?:^|\.)xn--/
const ENCODING = 'what follows its xn-- does not stand for letters of a name'
const CHARACTERS = 'a domain name holds only letters, digits, dots and inner hyphens'

/** Why a text is not the name of a host that a site could have. */
function whyNoHost(text: string): string {
  if (text === '') return 'it names no host'
  const [name = ''] = text.split(/:\d*$/, 1)
  const lower = name.replace(/\.$/, '').toLowerCase()
  if ([text, lower.replace(/^\[(.*)\]$/, '$1')].some(isIP))
    return 'it is an IP address, and a site is known by its name'
  if (LOCAL.test(lower)) return 'it is a name of the machine itself'
  if (lower.startsWith('*.')) return 'it is a pattern, and subdomains belong to a site without one'
  if (lower.split('.').includes('')) return 'a part between its dots is empty'
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(lower)) return CHARACTERS
  if (ADDRESS_LIKE.test(lower)) return 'its ending is a number'
  if (hasHighPort(text)) return PORT
  const is_long = lower.length > 253 || lower.split('.').some((part) => part.length > 63)
  return is_long ? 'it is too long: 63 characters a part and 253 in all are allowed' : CHARACTERS
}

function registrable(host: string): string | null {
  return getDomain(host, { allowPrivateDomains: true, extractHostname: false })
}

function refused(given: string, reason: string): Refusal {
  const shown = given.length > 100 ? `${given.slice(0, 100)}…` : given
  return new Refusal(
    'invalid_input',
    `"${shown}" cannot be used as a domain: ${reason}; give a domain such as example.com`,
  )
}
