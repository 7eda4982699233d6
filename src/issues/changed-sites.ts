/** Sites whose evidence has changed since their issues were last detected. */
import type { DerivedDays } from '#derived/derived-days.ts'

/** Days that were derived again, `YYYY-MM-DD`; null: everything may have changed. */
export type ChangedDays = readonly string[] | null

export class ChangedSites {
  readonly #sites = new Map<string, Set<string> | null>()

  /**
   * Adds every day of crawler evidence that is derived from now on, and calls `onChange`. Returns a function that ends
   * this.
   */
  listen(derived: DerivedDays, onChange: () => void): () => void {
    return derived.listen(({ kind, site_id, day }) => {
      if (kind !== 'crawlers') return
      this.add(site_id, [day])
      onChange()
    })
  }

  /** `days` null, the default: an inspection has ended, which may advance any issue of the site. */
  add(site_id: string, days: ChangedDays = null): void {
    const known = this.#sites.get(site_id)
    this.#sites.set(site_id, days === null || known === null ? null : new Set([...(known ?? []), ...days]))
  }

  /** Returns the changed sites and clears the list. */
  take(): [site_id: string, days: ChangedDays][] {
    const sites = [...this.#sites].map(([site_id, days]): [string, ChangedDays] => [site_id, days && [...days].sort()])
    this.#sites.clear()
    return sites
  }
}
