/** Wildcard names of a zone, such as `*.example.com`, and the hosts below it that they stand for (rules 3, Hosts). */

/** The names that an observer declares, in the forms in which they are looked up. */
interface DeclaredHosts {
  by_host: ReadonlyMap<string, unknown>
  /** The longest first. */
  wildcards: readonly string[]
  /** Hosts that no wildcard holds. */
  except: ReadonlySet<string>
}

/** True for a name such as `*.example.com`, as zones have them; not for `*`. */
export function isWildcard(host: string): boolean {
  return host.startsWith('*.')
}

/** True when a wildcard holds the host; it does not hold itself. */
export function isWithin(host: string, wildcard: string): boolean {
  return host !== wildcard && host.endsWith(wildcard.slice(1))
}

/** The wildcard record of a zone that holds a host: the closest, or none for a host with its own record (RFC 4592). */
export function wildcardOf({ by_host, wildcards, except }: DeclaredHosts, host: string): string | undefined {
  if (except.has(host) || by_host.has(host)) return undefined
  return wildcards.find((wildcard) => isWithin(host, wildcard))
}
