/** What a log covers (rules 3, Uploads; docs/decisions/0003 for edges and joins). */
import type { Minute } from '../events.ts'
import { HOUR } from '../time.ts'
import type { Broken } from './broken.ts'

/** A part of a log without a silence that is too long: from its first line's minute to its last line's, included. */
export interface TimeSpan {
  first: Minute
  last: Minute
  /** How long a silence may be. */
  limit: number
  /** Which file it is from. */
  file: number
  /** WHOLE or PART. */
  what: number
  /** Why it is partial; empty for a whole one. */
  why: string
}

/** Minutes with a line, in any order, as ranges. */
export function stretchesOf(
  minutes: readonly Minute[],
  file: Pick<TimeSpan, 'file' | 'what' | 'why'>,
  broken: Broken,
): TimeSpan[] {
  const sorted = [...new Set(minutes)].sort((a, b) => a - b)
  const limit = broken === 'uploads_know_no_silence' ? Number.POSITIVE_INFINITY : silenceLimit(sorted)
  const spans: TimeSpan[] = []
  for (const at of sorted) {
    const last = spans.at(-1)
    if (last !== undefined && at - last.last <= limit) last.last = at
    else spans.push({ first: at, last: at, limit, ...file })
  }
  return spans
}

/** 10 times the 99th percentile of the silences, at least an hour, at most a day. */
function silenceLimit(sorted: readonly Minute[]): number {
  const silences = sorted.slice(1).map((at, index) => at - (sorted[index] ?? 0))
  silences.sort((a, b) => a - b)
  const percentile = silences[Math.ceil(silences.length * 0.99) - 1] ?? 0
  return Math.min(24 * HOUR, Math.max(HOUR, 10 * percentile))
}

/**
 * The silences between two files that both call normal. What a silence is between a whole and a partial file, or two
 * that are partial for different reasons, the specification does not say; only a comparison by an hour can see it, and
 * it is taken as not covered.
 */
export function joins(spans: readonly TimeSpan[]): { from: Minute; to: Minute; what: number }[] {
  return spans.flatMap((before) =>
    spans
      .filter((after) => after.file !== before.file && after.why === before.why)
      .filter((after) => after.first > before.last && after.first - before.last <= Math.min(before.limit, after.limit))
      .map((after) => ({ from: before.last, to: after.first, what: before.what })),
  )
}
