import { quoted } from '#foreign-text.ts'
import { PATH_LIMIT, pathV1, REDACTED } from '#paths/path-v1.ts'
import { Refusal } from '#refusal.ts'
import { belongsTo, normalizeHost } from '#sites/root-domain.ts'

/** A page as definitions name it (spec 2.6); only exact ones can be distinguished from others. */
export interface ExactPage {
  hostname: string
  path: string
  path_fidelity: 'exact'
  path_transform_version: 'path/v1'
}

/**
 * The page that a person means, in the form in which visits are stored: encoded as browsers encode it, then path/v1.
 * Without a hostname it is on the root domain itself.
 * @throws Refusal invalid_input: no host of the site, no path, or one that path/v1 does not keep whole.
 */
export function exactPage(
  site: { root_domain: string },
  { hostname: host, path }: { hostname?: string | undefined; path?: string | undefined },
): ExactPage {
  if (path === undefined || !path.startsWith('/')) {
    throw refused(path ?? '', 'a path begins with a slash, such as /pricing')
  }
  if (/[?#]/.test(path)) {
    throw refused(path, 'query strings and fragments are never stored; leave out everything from the ? or # on')
  }
  if (/[\s\p{Cc}]/u.test(path) || !path.isWellFormed()) {
    throw refused(path, 'it holds spaces, control characters or half characters; write a space as %20')
  }
  const encoded = asBrowsersSend(path)
  const { path: kept, fidelity } = pathV1(encoded)
  if (fidelity === 'redacted') {
    throw refused(
      path,
      encoded.length > PATH_LIMIT
        ? `it is longer than ${PATH_LIMIT} characters and is stored cut, so it cannot be distinguished from others`
        : `path/v1 stores it as ${kept}, because a part of it is an e-mail address, a token or a card number, so it cannot be distinguished from others`,
    )
  }
  if (kept.split('/').includes(REDACTED)) {
    throw refused(path, `every path whose segment may not be kept is stored with ${REDACTED}, so it names many pages`)
  }
  return { hostname: hostOf(site, host), path: kept, path_fidelity: 'exact', path_transform_version: 'path/v1' }
}

/** `//` at the beginning would be read as a host. */
function asBrowsersSend(path: string): string {
  try {
    return new URL(`http://host.invalid${path}`).pathname
  } catch {
    throw refused(path, 'it is not a path of a URL')
  }
}

function hostOf({ root_domain }: { root_domain: string }, given: string | undefined): string {
  if (given === undefined) return root_domain
  const host = normalizeHost(given)
  if (host !== null && belongsTo(host, root_domain)) return host
  throw new Refusal(
    'invalid_input',
    `${quoted(given)} is not a host of ${root_domain}: give ${root_domain} or a subdomain such as www.${root_domain}`,
  )
}

const refused = (path: string, reason: string) =>
  new Refusal('invalid_input', `${quoted(path)} cannot be a page here: ${reason}.`)
