/** Recent ids in bounded memory, enough for entries of one request, which are close together. */
export class RecentIds {
  #young = new Set<string>()
  #old = new Set<string>()

  /** Adds an id; returns true if it was added before. A very long id is always new. */
  seen(id: string): boolean {
    if (id.length > MAX_ID_LENGTH) return false
    if (this.#young.has(id) || this.#old.has(id)) return true
    if (this.#young.size >= MAX_IDS) {
      this.#old = this.#young
      this.#young = new Set()
    }
    this.#young.add(id)
    return false
  }
}

const MAX_IDS = 50_000
const MAX_ID_LENGTH = 256
