/**
 * Identifies the labels of agents by when the agents were first seen. Cached counts stay valid when an agent is seen
 * for the first time, because none of its requests are in them (ADR 46).
 */
import { DAY_MS } from '#clock.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { sumOfHashes } from '#derived/part-sums.ts'
import type { Row } from '#evidence/sql.ts'
import { labelsBySpan } from './cached-counts.sql.ts'
import type { SiteContext } from './context.ts'
import type { CrawlerScope } from './scope.sql.ts'

/** The length of the spans in which agents were first seen. */
const SPAN_MS = 10_000
const BYTES_A_SPAN = 100

/** The labels that counts depend on: those of agents that were first seen before an instant (epoch milliseconds). */
export interface CountedLabels {
  before: number
  fingerprint: string
}

export interface LabelState {
  /** Identifies all labels. */
  fingerprint: string
  /** The labels that counts depend on which were read by `now`, if no label changed during the read. */
  countedBy(now: number): CountedLabels
  /** Whether the labels that counts depend on are still the same. */
  hasSame(counted: CountedLabels): boolean
}

/**
 * The labels of a scope's registry version. They are read once until this process writes labels; on servers, where
 * other processes write labels too, each time.
 */
export async function readLabels(
  { clock, evidence, derived }: Pick<SiteContext, 'clock' | 'evidence' | 'derived'>,
  scope: Pick<CrawlerScope, 'registry_version'>,
): Promise<LabelState> {
  const registry_version = scope.registry_version as string
  // Agents that were first seen before yesterday are in one span, so that there are few spans.
  const from = dayStart(utcDay(clock.now() - DAY_MS))
  const read = async () => fingerprintSpans(await evidence.all(labelsBySpan(registry_version, from, SPAN_MS / 1_000)))
  const version = evidence.versionOf('agent_labels')
  const spans =
    version === null
      ? await read()
      : await derived.answers.getOrRead(JSON.stringify(['labels', registry_version]), {
          version: `${version} ${from}`,
          read,
          bytesOf: (found) => (found.length + 1) * BYTES_A_SPAN,
          isStillValid: async () => evidence.versionOf('agent_labels') === version,
        })
  const fingerprintBefore = (instant_ms: number) =>
    spans.findLast(({ start }) => start < instant_ms)?.fingerprint ?? NO_LABELS
  const last = spans.at(-1)
  const end = last === undefined ? 0 : last.start + SPAN_MS
  return {
    fingerprint: last?.fingerprint ?? NO_LABELS,
    countedBy(now) {
      // A clock that was set back, or that of another node, may be behind the newest agents.
      const before = Math.max(end, (Math.floor(now / SPAN_MS) + 1) * SPAN_MS)
      return { before, fingerprint: fingerprintBefore(before) }
    },
    // Counts from before yesterday cannot be compared any more.
    hasSame: ({ before, fingerprint }) => before > from && fingerprintBefore(before) === fingerprint,
  }
}

const NO_LABELS = ''

interface LabelSpan {
  /** Epoch milliseconds. */
  start: number
  /** Identifies the labels of all agents that were first seen before the end of the span. */
  fingerprint: string
}

/** @param spans ascending. */
function fingerprintSpans(spans: readonly Row<ReturnType<typeof labelsBySpan>>[]): LabelSpan[] {
  let fingerprint = NO_LABELS
  return spans.map(({ span, sum }) => {
    fingerprint = sumOfHashes(fingerprint === NO_LABELS ? [sum] : [fingerprint, sum])
    return { start: span * SPAN_MS, fingerprint }
  })
}
