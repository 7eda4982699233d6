/** Sites whose crawler evidence was derived again since their issues were last detected. */
import type { DerivedDays } from '#derived/derived-days.ts'

export class ChangedSites {
  readonly #sites = new Set<string>()

  /** Hears of every day of crawlers that is derived; `onChange` is called when there is something to do. Returns what ends that. */
  listen(derived: DerivedDays, onChange: () => void): () => void {
    return derived.listen(({ kind, site_id }) => {
      if (kind !== 'crawlers') return
      this.#sites.add(site_id)
      onChange()
    })
  }

  /** An inspection of the site has ended, which may move its issues. */
  add(site_id: string): void {
    this.#sites.add(site_id)
  }

  /** The sites, which count as detected from now on. */
  take(): string[] {
    const sites = [...this.#sites]
    this.#sites.clear()
    return sites
  }

  /** Detection of these did not come to its end. */
  giveBack(sites: readonly string[]): void {
    for (const site of sites) this.#sites.add(site)
  }
}
