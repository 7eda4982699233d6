import { quoted } from '#foreign-text.ts'
import { PATH_LIMIT, pathV1, REDACTED } from '#paths/path-v1.ts'
import { Refusal } from '#refusal.ts'
import { belongsTo, normalizeHost } from '#sites/root-domain.ts'

/** A page in a definition (spec 2.6). Its path is exact: shortened or redacted paths would match several pages. */
export interface ExactPage {
  hostname: string
  path: string
  path_fidelity: 'exact'
  path_transform_version: 'path/v1'
}

/**
 * The page with this host and path, in the form in which visits are stored. Without a hostname, the page is on the root
 * domain.
 * @throws Refusal invalid_input: the host is not of the site, the path is missing, or path/v1 shortens or redacts it.
 */
export function exactPage(
  site: { root_domain: string },
  { hostname: host, path }: { hostname?: string | undefined; path?: string | undefined },
): ExactPage {
  const kept = exactPath(path)
  return { hostname: hostOf(site, host), path: kept, path_fidelity: 'exact', path_transform_version: 'path/v1' }
}

/**
 * A path in the form in which visits are stored: encoded as browsers encode it, and then normalized by path/v1.
 * @throws Refusal invalid_input: the path is missing, or path/v1 shortens or redacts it.
 */
export function exactPath(path: string | undefined): string {
  if (path === undefined || !path.startsWith('/')) {
    throw refused(path ?? '', 'a path begins with a slash, such as /pricing')
  }
  if (/[?#]/.test(path)) {
    throw refused(path, 'query strings and fragments are never stored; leave out everything from the ? or # on')
  }
  if (/[\s\p{Cc}]/u.test(path) || !path.isWellFormed()) {
    throw refused(path, 'it contains spaces, control characters or unpaired surrogates; write a space as %20')
  }
  const encoded = asBrowsersSend(path)
  const { path: kept, fidelity } = pathV1(encoded)
  if (fidelity === 'redacted') {
    throw refused(
      path,
      encoded.length > PATH_LIMIT
        ? `it is longer than ${PATH_LIMIT} characters; longer paths are stored shortened, so it cannot be distinguished from others`
        : `path/v1 stores it as ${kept}, because it contains an e-mail address, a token or a card number, so it cannot be distinguished from others`,
    )
  }
  if (kept.split('/').includes(REDACTED)) {
    throw refused(path, `redacted segments are stored as ${REDACTED}, so it stands for many pages`)
  }
  return kept
}

/** The path as browsers encode it. The host is a placeholder: without one, a leading `//` would be parsed as a host. */
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
  new Refusal('invalid_input', `${quoted(path)} cannot be the path of a page here: ${reason}.`)
