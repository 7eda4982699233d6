/** Finds pages and crawlers that may meet the rule, by sums of each day (rules 8.1). */
import { meetsRule, STATUS_HARMS, type StatusHarm } from '../harms.ts'

/**
 * Columns of equal length, ascending by page: the requests of each unit (a crawler from one vantage) to each page on a
 * day, by harm. Columns, because a day may have hundreds of thousands of entries.
 */
export interface DayHarms {
  /** `YYYY-MM-DD`. */
  day: string
  /** Time alone can no longer change which requests count. On other days, some may not count yet. */
  is_settled: boolean
  /** Upper and lower 32 bits of the page's id. */
  page_high: Uint32Array
  page_low: Uint32Array
  /** 8 × the number of the unit + the position of the harm in `STATUS_HARMS`, from 1 on; 0: none. */
  unit_harm: Uint32Array
  /** Requests whose response was observed. */
  requests: Float64Array
}

/** The number of harm values of a unit. */
const HARMS = 8

/** A unit that may meet the rule with one kind of harm at a page. */
export interface Suspect {
  /** Of the evidence store, 64 bits as decimal text. */
  page_id: string
  unit: number
  harm: StatusHarm
  harmful: number
}

/**
 * Pages and units that may meet the rule with a harm of one of these days. Walks the pages of all days in parallel.
 * @param changed_days `YYYY-MM-DD`; null: any day.
 */
export function findSuspects(days: readonly DayHarms[], changed_days: readonly string[] | null): Suspect[] {
  const walks = days.map((entries) => ({
    entries,
    at: 0,
    end: entries.unit_harm.length,
    is_news: changed_days === null || changed_days.includes(entries.day),
    is_settled: entries.is_settled,
  }))
  const found: Suspect[] = []
  const sums = new PageSums(Math.max(0, ...days.map(({ unit_harm }) => largest(unit_harm))))
  const news = walks.filter(({ is_news }) => is_news)
  for (;;) {
    let high = Number.POSITIVE_INFINITY
    let low = 0
    for (const { entries, at, end } of news) {
      if (at === end) continue
      const its_high = entries.page_high[at] as number
      const its_low = entries.page_low[at] as number
      if (its_high > high || (its_high === high && its_low >= low)) continue
      high = its_high
      low = its_low
    }
    if (high === Number.POSITIVE_INFINITY) return found
    for (const walk of walks) {
      const { page_high, page_low, unit_harm, requests } = walk.entries
      for (; walk.at < walk.end; walk.at++) {
        const its_high = page_high[walk.at] as number
        if (its_high < high) continue
        const its_low = page_low[walk.at] as number
        if (its_high > high || its_low > low) break
        if (its_low === low) sums.add(unit_harm[walk.at] as number, requests[walk.at] as number, walk)
      }
    }
    const page_id = String((BigInt(high) << 32n) | BigInt(low))
    for (const unit of sums.take()) found.push({ page_id, ...unit })
  }
}

function largest(numbers: Uint32Array): number {
  let most = 0
  for (let at = 0; at < numbers.length; at++) most = Math.max(most, numbers[at] as number)
  return most
}

/** The requests of one page, by unit and harm. */
class PageSums {
  readonly #requests: Float64Array
  /** Those of these requests that certainly count. */
  readonly #settled: Float64Array
  readonly #is_news: Uint8Array
  /** The units and harms that have requests. */
  #used: number[] = []

  /** @param largest the largest value of `unit_harm`. */
  constructor(largest: number) {
    this.#requests = new Float64Array(largest + HARMS)
    this.#settled = new Float64Array(largest + HARMS)
    this.#is_news = new Uint8Array(largest + HARMS)
  }

  add(unit_harm: number, requests: number, { is_news, is_settled }: { is_news: boolean; is_settled: boolean }): void {
    if (this.#requests[unit_harm] === 0) this.#used.push(unit_harm)
    this.#requests[unit_harm] = (this.#requests[unit_harm] as number) + requests
    if (is_settled) this.#settled[unit_harm] = (this.#settled[unit_harm] as number) + requests
    if (is_news) this.#is_news[unit_harm] = 1
  }

  /**
   * The units that may meet the rule if all of their harm counts, and of their other requests only the certain ones.
   */
  take(): Omit<Suspect, 'page_id'>[] {
    const found: Omit<Suspect, 'page_id'>[] = []
    for (const unit_harm of this.#used) {
      const harm = STATUS_HARMS[(unit_harm % HARMS) - 1]
      if (harm === undefined || this.#is_news[unit_harm] === 0) continue
      const unit = Math.floor(unit_harm / HARMS)
      const harmful = this.#requests[unit_harm] as number
      let observed = harmful
      for (let at = unit * HARMS; at < (unit + 1) * HARMS; at++)
        if (at !== unit_harm) observed += this.#settled[at] as number
      if (meetsRule({ harmful, observed })) found.push({ unit, harm, harmful })
    }
    for (const unit_harm of this.#used) {
      this.#requests[unit_harm] = 0
      this.#settled[unit_harm] = 0
      this.#is_news[unit_harm] = 0
    }
    this.#used = []
    return found
  }
}
