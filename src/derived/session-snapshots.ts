/** Snapshots of the open days of sites that get many requests for answers. */

/** All sessions of an open day as of an instant; only the process that derived it knows it. */
export interface SessionSnapshot {
  site_id: string
  /** `YYYY-MM-DD`, UTC. */
  day: string
  /** Epoch milliseconds: holds every event received by then. */
  at: number
  /** Names these events. */
  facts: string
  /** Builds of the sessions that had settled. */
  settled: readonly number[]
  /** Build of the others that had ended by `at`. */
  ended: number
  /** Build of those that could still grow. */
  growing: number
  /** It is not taken again before it is so old. */
  fresh_ms: number
  /** When its builds were last renewed, so that other processes leave them alone, epoch milliseconds. */
  renewed_at: number
}

/** A site whose answers are asked for so often within a time is asked again soon. */
const ANSWERS = 4
const WITHIN_MS = 30_000

export class SessionSnapshots {
  readonly #snapshots = new Map<string, SessionSnapshot>()
  /** Of each site the instants of the last answers, ascending. */
  readonly #asked = new Map<string, number[]>()

  get(site_id: string): SessionSnapshot | undefined {
    return this.#snapshots.get(site_id)
  }

  set(snapshot: SessionSnapshot): void {
    this.#snapshots.set(snapshot.site_id, snapshot)
  }

  delete(site_id: string): void {
    this.#snapshots.delete(site_id)
  }

  all(): SessionSnapshot[] {
    return [...this.#snapshots.values()]
  }

  /** An answer is asked for at `now`, epoch milliseconds. */
  note(site_id: string, now: number): void {
    const asked = this.#asked.get(site_id) ?? []
    this.#asked.set(site_id, [...asked, now].slice(-ANSWERS))
  }

  /** Whether answers are asked for so often that a snapshot costs less than they do. */
  isAskedOften(site_id: string, now: number): boolean {
    const asked = this.#asked.get(site_id) ?? []
    const [first] = asked
    return first !== undefined && asked.length === ANSWERS && first <= now && now - first <= WITHIN_MS
  }

  /** Forgets the answers of all sites but these. */
  keepOnly(site_ids: ReadonlySet<string>): void {
    for (const site_id of [...this.#asked.keys()]) if (!site_ids.has(site_id)) this.#asked.delete(site_id)
  }
}
