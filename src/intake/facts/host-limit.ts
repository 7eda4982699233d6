/** The most hosts of a site; further ones share a name (rules 3). */
export const MAX_HOSTS = 1_000
export const OTHER_HOSTS = ':other'

/** The stored names of a site's hosts, bounded so that invented host names cannot fill the store. */
export class HostNames {
  readonly #known: Set<string>
  /** True: some host shares the name. */
  crowded = false

  constructor(known: Iterable<string>) {
    this.#known = new Set(known)
  }

  /** Whether all of these keep their names, with `others` further ones in any order. */
  takes(hosts: readonly string[], others: number): boolean {
    const fresh = hosts.filter((host) => !this.#known.has(host)).length
    return fresh === 0 || this.#known.size + fresh + others <= MAX_HOSTS
  }

  stored(host: string): string {
    if (this.#known.has(host)) return host
    if (this.#known.size >= MAX_HOSTS) {
      this.crowded = true
      return OTHER_HOSTS
    }
    this.#known.add(host)
    return host
  }
}
