/** How many facts of crawlers this process has stored of each site since it started. */
export class Arrivals {
  readonly #facts = new Map<string, number>()

  /**
   * Called after facts were stored, so that those which a read did not find are added after it began. Repeats, which are
   * not stored, may be among them.
   */
  add(site_id: string, facts: number): void {
    this.#facts.set(site_id, this.of(site_id) + facts)
  }

  of(site_id: string): number {
    return this.#facts.get(site_id) ?? 0
  }
}
