/** A front and a back server often write into one log, and then every request stands in it twice (HARD CASE of counting). */

/** Requests are compared within this many kept lines. */
const REMEMBERED = 4_096
const LEAST_LINES = 20
const LIKELY_SHARE = 0.2

/** Notices requests that occur twice within a second, from one client by one agent to one target, under different protocols. */
export class DoubleLog {
  #lines = 0
  #doubles = 0
  #seen = new Map<string, string>()

  /** `protocol` is the last word of the request line, for example HTTP/1.1. */
  add(second: number, client: string, target: string, agentKey: string, protocol: string): void {
    this.#lines++
    const key = `${second} ${client} ${agentKey} ${target}`
    const earlier = this.#seen.get(key)
    if (earlier !== undefined && earlier !== protocol) {
      this.#doubles++
      this.#seen.delete(key)
      return
    }
    if (this.#seen.size >= REMEMBERED) this.#seen.clear()
    this.#seen.set(key, protocol)
  }

  /** Share of kept lines that stand twice; null when a double log is not likely. */
  share(): number | null {
    const share = (2 * this.#doubles) / this.#lines
    return this.#lines >= LEAST_LINES && share >= LIKELY_SHARE ? share : null
  }
}
