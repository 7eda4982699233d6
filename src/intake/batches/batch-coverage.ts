/** The time that a batch covers: the minutes of its records, also of human ones, and its heartbeats (rules 3). */
import { MINUTE_MS } from '#clock.ts'
import { type TimeRange, union } from '#days/intervals.ts'

export interface Heartbeat extends TimeRange {
  /** A declared host, or `*` for all of the site. */
  host: string
}

/** Coverage as plain data. */
export interface CoverageNotes {
  /** The first instant of every minute with records, and the end of the last: from, to, from, to, … */
  minutes: Float64Array
  heartbeats: Heartbeat[]
  has_statuses: boolean
  sees_edge: boolean
}

export class BatchCoverage {
  readonly heartbeats: Heartbeat[] = []
  /** Some record had a status. */
  has_statuses = false
  /** Some batch was in a dialect or format of a CDN. */
  sees_edge = false
  /** The newest record; -Infinity: none. */
  last_at = Number.NEGATIVE_INFINITY
  readonly #minutes = new Map<number, TimeRange>()
  #last: TimeRange | null = null
  #lastMinute = Number.NaN

  get is_empty(): boolean {
    return this.#minutes.size === 0 && this.heartbeats.length === 0
  }

  add(at: number): void {
    if (at > this.last_at) this.last_at = at
    const minute = Math.floor(at / MINUTE_MS)
    if (minute !== this.#lastMinute || this.#last === null) {
      this.#lastMinute = minute
      this.#last = this.#minutes.get(minute) ?? null
      if (this.#last === null) {
        this.#last = { from: at, to: at + 1 }
        this.#minutes.set(minute, this.#last)
        return
      }
    }
    if (at < this.#last.from) this.#last.from = at
    else if (at >= this.#last.to) this.#last.to = at + 1
  }

  notes(): CoverageNotes {
    const minutes = Float64Array.from([...this.#minutes.values()].flatMap(({ from, to }) => [from, to]))
    const { heartbeats, has_statuses, sees_edge } = this
    return { minutes, heartbeats, has_statuses, sees_edge }
  }

  /** Adds the coverage of another batch of the same sender. */
  join({ minutes, heartbeats, has_statuses, sees_edge }: CoverageNotes): void {
    for (let at = 0; at < minutes.length; at += 2) {
      this.add(minutes[at] as number)
      this.add((minutes[at + 1] as number) - 1)
    }
    for (const heartbeat of heartbeats) this.heartbeats.push(heartbeat)
    if (has_statuses) this.has_statuses = true
    if (sees_edge) this.sees_edge = true
  }

  /** The time from the first to the last record of each minute, ascending and disjoint. */
  timeRanges(): TimeRange[] {
    return this.#ascending().map(({ from, to }) => ({ from, to }))
  }

  /** The silences between records up to the limit, with the instant at which each ended. */
  silences(limitMs: number): { ended_at: number; ms: number }[] {
    const minutes = this.#ascending()
    return minutes
      .map(({ from }, index) => ({ ended_at: from, ms: from - (minutes[index - 1]?.to ?? from) }))
      .filter(({ ms }) => ms <= limitMs)
  }

  #ascending(): TimeRange[] {
    return [...this.#minutes.values()].sort((a, b) => a.from - b.from)
  }

  /** The hosts that heartbeats declare, with their covered time. */
  declared(): Map<string, TimeRange[]> {
    const byHost = Map.groupBy(this.heartbeats, (heartbeat) => heartbeat.host)
    return new Map([...byHost].map(([host, all]) => [host, union(all)]))
  }
}
