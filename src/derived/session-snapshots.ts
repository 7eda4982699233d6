/** Snapshots of the open days of sites that get many requests for answers. */

/** All sessions of an open day as of an instant. Only the process that derived a snapshot knows it. */
export interface SessionSnapshot {
  site_id: string
  /** `YYYY-MM-DD`, UTC. */
  day: string
  /** Epoch milliseconds. The snapshot has every event that was received by then. */
  at: number
  /** The fingerprint of these events. */
  facts: string
  /** Builds of the sessions that had settled. */
  settled: readonly number[]
  /** The other builds have the sessions that settle later than this, epoch milliseconds. */
  after: number
  /** The build of the other sessions that had ended by `at`. */
  ended: number
  /** The build of the sessions that could still grow. */
  growing: number
  /** The age at which the next snapshot is taken, milliseconds. */
  fresh_ms: number
  /** When its builds were last renewed, so that other processes leave them alone, epoch milliseconds. */
  renewed_at: number
}

/** A site with this many requests for answers within this time is expected to get more soon. */
const MIN_REQUESTS = 4
const WITHIN_MS = 30_000

export class SessionSnapshots {
  readonly #snapshots = new Map<string, SessionSnapshot>()
  /** The instants of the last requests for answers by site, ascending. */
  readonly #requests = new Map<string, number[]>()

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

  /** Records a request for an answer at `now`, epoch milliseconds. */
  note(site_id: string, now: number): void {
    const requests = this.#requests.get(site_id) ?? []
    this.#requests.set(site_id, [...requests, now].slice(-MIN_REQUESTS))
  }

  /** Whether answers are requested so often that a snapshot costs less. */
  isRequestedOften(site_id: string, now: number): boolean {
    const requests = this.#requests.get(site_id) ?? []
    const [first] = requests
    return first !== undefined && requests.length === MIN_REQUESTS && first <= now && now - first <= WITHIN_MS
  }

  /** Drops requests that are too old to make `isRequestedOften` true at `now` or later. */
  dropOldRequests(now: number): void {
    for (const [site_id, requests] of [...this.#requests])
      if (requests.every((at) => now - at > WITHIN_MS)) this.#requests.delete(site_id)
  }
}
