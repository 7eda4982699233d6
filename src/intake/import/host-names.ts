import Type from 'typebox'
import { rows, uuid } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'

/** A site keeps this many hosts apart; the rest share one name (rules 3). */
export const MOST_HOSTS = 1_000
export const OTHER_HOSTS = ':other'

const Host = Type.Object({ host: Type.String() })

const knownHosts = (siteId: string) => rows(Host)`
  SELECT DISTINCT toString(host) AS host FROM spoor.pages WHERE site_id = ${uuid(siteId)} ORDER BY host`

/** The names that a site's hosts are stored under, so that made-up host names cannot fill the store. */
export class HostNames {
  readonly #known: Set<string>
  /** True once a host had to share. */
  crowded = false

  constructor(known: Iterable<string>) {
    this.#known = new Set(known)
  }

  static async open(evidence: EvidenceStore, siteId: string): Promise<HostNames> {
    const hosts = await evidence.all(knownHosts(siteId))
    return new HostNames(hosts.map((row) => row.host))
  }

  stored(host: string): string {
    if (this.#known.has(host)) return host
    if (this.#known.size >= MOST_HOSTS) {
      this.crowded = true
      return OTHER_HOSTS
    }
    this.#known.add(host)
    return host
  }
}
