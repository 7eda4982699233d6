/** How many questions one token may ask: Cloudflare takes 300 in 5 minutes of a user (registry notes 6.2). */
import { createHash } from 'node:crypto'
import type { Clock } from '#clock.ts'
import { MINUTE_MS } from '#clock.ts'

export interface QueryBudget {
  /** Takes one question out of the budget; false when the next has to wait. */
  take(): boolean
  /** The instant from which on the next question fits. */
  nextAt(): number
}

const SPAN_MS = 5 * MINUTE_MS
/** Some of the 300 are left to the owner's own dashboards. */
const MAX_QUERIES = 250

/** When the questions of the last minutes were asked, by the hash of the token. */
export type SpentQueries = Map<string, number[]>

/** The budget of a token, shared by all of its zones in this process. */
export function queryBudget(spent: SpentQueries, clock: Clock, token: string): QueryBudget {
  const name = createHash('sha256').update(token).digest('hex')
  const recent = (): number[] => {
    const kept = (spent.get(name) ?? []).filter((at) => at > clock.now() - SPAN_MS)
    spent.set(name, kept)
    return kept
  }
  return {
    take() {
      const asked = recent()
      if (asked.length >= MAX_QUERIES) return false
      asked.push(clock.now())
      return true
    },
    nextAt() {
      const asked = recent()
      const first = asked[asked.length - MAX_QUERIES]
      return first === undefined ? clock.now() : first + SPAN_MS
    },
  }
}
