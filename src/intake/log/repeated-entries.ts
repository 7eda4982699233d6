/** The ids seen lately, in bounded memory: enough for entries of one request, which arrive close together. */
export class RecentIds {
  #young = new Set<string>()
  #old = new Set<string>()

  /** True when the id was seen before; remembers it. One too long to keep is always new. */
  seen(id: string): boolean {
    if (id.length > MAX_ID_LENGTH) return false
    if (this.#young.has(id) || this.#old.has(id)) return true
    if (this.#young.size >= KEPT) {
      this.#old = this.#young
      this.#young = new Set()
    }
    this.#young.add(id)
    return false
  }
}

const KEPT = 50_000
const MAX_ID_LENGTH = 256
