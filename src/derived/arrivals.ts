/** How many facts of crawlers this process has stored of each site since it started. */
export class Arrivals {
  readonly #facts = new Map<string, number>()

  /**
   * Called after facts were stored, so that those which a read did not find are added after it began. Repeats, which
   * are not stored, may be among them.
   */
  add(site_id: string, facts: number): void {
    this.#facts.set(site_id, this.of(site_id) + facts)
  }

  /** A count from the start of the process: where none is known, none were stored. */
  of(site_id: string): number {
    const known = this.#facts.get(site_id)
    return known === undefined ? 0 : known
  }
}
