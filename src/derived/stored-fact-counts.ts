/** Counts the crawler facts that this process has stored for each site since it started. */
export class StoredFactCounts {
  readonly #facts = new Map<string, number>()

  /**
   * Call it after facts are stored, so that facts which a read did not find are added after that read began. `facts`
   * may include repeats, which are not stored.
   */
  add(site_id: string, facts: number): void {
    this.#facts.set(site_id, this.of(site_id) + facts)
  }

  /** Counted from the start of the process; 0 if it has stored none. */
  of(site_id: string): number {
    const known = this.#facts.get(site_id)
    return known === undefined ? 0 : known
  }
}
