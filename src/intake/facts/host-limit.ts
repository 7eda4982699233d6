/** A site keeps this many hosts apart; the rest share one name (rules 3). */
export const MAX_HOSTS = 1_000
export const OTHER_HOSTS = ':other'

/** The names that a site's hosts are stored under, so that made-up host names cannot fill the store. */
export class HostNames {
  readonly #known: Set<string>
  /** True once a host had to share. */
  crowded = false

  constructor(known: Iterable<string>) {
    this.#known = new Set(known)
  }

  /** Whether all of these keep their names, before or after `others` further ones, in any order. */
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
