/** Wildcard names of a zone, such as `*.example.com`, and the hosts below that they cover (rules 3, Hosts). */

/** Stands for all hosts where coverage names a host. */
export const EVERY_HOST = '*'

/** The names that an observer declares, in the forms that `wildcardOf` needs. */
interface DeclaredHosts {
  by_host: ReadonlyMap<string, unknown>
  /** The longest first. */
  wildcards: readonly string[]
  /** Hosts that no wildcard covers. */
  except: ReadonlySet<string>
}

/** True for a name such as `*.example.com`, which zones may have; not for `*`. */
export function isWildcard(host: string): boolean {
  return host.startsWith('*.')
}

/** True if a wildcard covers the host; it does not cover its own domain. */
export function isWithin(host: string, wildcard: string): boolean {
  return host !== wildcard && host.endsWith(wildcard.slice(1))
}

/** The wildcard of a zone that covers a host: the closest one; none for a host with its own record (RFC 4592). */
export function wildcardOf({ by_host, wildcards, except }: DeclaredHosts, host: string): string | undefined {
  if (except.has(host) || by_host.has(host)) return undefined
  return wildcards.find((wildcard) => isWithin(host, wildcard))
}
