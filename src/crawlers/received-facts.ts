/** Identifies the facts of a day that is read from facts, by intervals of the time of their receipt. */
import { sumOfHashes, sumParts } from '#derived/part-sums.ts'
import { receivedFacts } from './cached-counts.sql.ts'
import type { SiteContext } from './context.ts'
import type { CrawlerScope } from './scope.sql.ts'

/** The length of these intervals. */
export const SPAN_MS = 10_000

export interface ReceivedFacts {
  /** The instant of the last request, epoch milliseconds, whether it counts or not; 0 if there is none. */
  last_ms: number
  /** Identifies the facts that were received before an instant, a multiple of SPAN_MS. */
  fingerprintBefore(instant_ms: number): string
  /** The number of facts that were received between two such instants. */
  countBetween(from_ms: number, to_ms: number): number
}

/**
 * Identifies the facts of the only day of a scope that is read from facts. Answers whose snapshots have the same facts
 * share the read, but not while facts are being written: an answer must count what its coverage covers (rules 3).
 */
export async function readReceived(
  ctx: SiteContext,
  { site_id, fact_days, facts_version }: CrawlerScope,
): Promise<ReceivedFacts> {
  const [day] = fact_days as [string]
  const key = JSON.stringify(['received', site_id, day])
  const read = () => sumParts(ctx, { key, read: (known) => receivedFacts(site_id, day, SPAN_MS / 1_000, known) })
  const readShared = (version: string) =>
    ctx.derived.answers.getOrRead(key, {
      version,
      read,
      bytesOf: (rows) => (rows.length + 1) * BYTES_A_SPAN,
      isStillValid: async () => true,
    })
  const spans = await (facts_version === null ? read() : readShared(facts_version))
  return {
    last_ms: Math.max(0, ...spans.map(({ last_ms }) => last_ms)),
    fingerprintBefore: (instant_ms) => {
      const earlier = spans.filter(({ span }) => span * SPAN_MS < instant_ms)
      return `${earlier.reduce((all, { rows }) => all + rows, 0)} ${sumOfHashes(earlier.map(({ sum }) => sum))}`
    },
    countBetween: (from_ms, to_ms) =>
      spans.reduce((all, { span, rows }) => {
        const at = span * SPAN_MS
        return at >= from_ms && at < to_ms ? all + rows : all
      }, 0),
  }
}

const BYTES_A_SPAN = 200

/** How many facts a day had, and how many facts of its site this process had stored by then. */
interface DaySize {
  facts: number
  stored: number
}

/**
 * The result of `readReceived` for a day that is large enough for pieces; null for a day of few facts. If only this
 * process stores facts, it knows their number without reading them again.
 */
export async function readReceivedOfLargeDay(ctx: SiteContext, scope: CrawlerScope): Promise<ReceivedFacts | null> {
  const { storedFacts, answers, openDayReads } = ctx.derived
  const { site_id, fact_days } = scope
  const key = JSON.stringify(['facts of day', site_id, fact_days])
  const stored = storedFacts.of(site_id)
  const known = ctx.evidence.has_own_parts ? answers.get<DaySize>(key) : undefined
  if (known !== undefined && known.facts + stored - known.stored < openDayReads.min_facts_of_pieces) return null
  const received = await readReceived(ctx, scope)
  const facts = received.countBetween(0, Number.POSITIVE_INFINITY)
  answers.set(key, { facts, stored } satisfies DaySize, BYTES_A_SPAN)
  return facts < openDayReads.min_facts_of_pieces ? null : received
}
