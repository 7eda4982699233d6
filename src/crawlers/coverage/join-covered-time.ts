/** Joins ranges of covered time over the silences between them (rules 3). Ranges are [from, to), in ms. */
import { DAY_MS } from '#clock.ts'
import type { TimeRange } from '#days/intervals.ts'

export interface JoinableRange extends TimeRange {
  /** The longest silence after its end that still counts as covered; before its beginning too, by default. */
  silence_limit_ms: number
  /** The longest silence before its beginning that still counts as covered. */
  silence_before_ms?: number
}

/** A range with the longest normal silence at each edge. */
export type EdgedRange = Required<JoinableRange>

/**
 * Joins ranges of one source, host and quality that touch, overlap, or are separated by a silence that is normal for
 * both (rules 3). Each edge of a joined range has the longest joining distance of its parts. A join never prevents a
 * later one, so the result does not depend on the order of the ranges, nor on the number of steps.
 */
export function mergeRanges(ranges: readonly JoinableRange[]): EdgedRange[] {
  const merged: LimitedRange[] = []
  for (const next of ranges.map(withLimits).sort((a, b) => a.from - b.from || a.to - b.to)) addTo(merged, next)
  return merged.map(({ from, to, joins_from, joins_to }) => ({
    from,
    to,
    silence_limit_ms: joins_to - to,
    silence_before_ms: from - joins_from,
  }))
}

/** Whether a silence counts as covered: up to a limit, and never if it includes a whole UTC day (rules 3). */
export function isCoveredSilence(silence: TimeRange, limitMs: number): boolean {
  return silence.to - silence.from <= limitMs && !holdsWholeDay(silence)
}

/** A range with the instants up to which silence is normal on either side. */
interface LimitedRange extends TimeRange {
  joins_from: number
  joins_to: number
}

function withLimits({ from, to, silence_limit_ms, silence_before_ms = silence_limit_ms }: JoinableRange): LimitedRange {
  return { from, to, joins_from: from - silence_before_ms, joins_to: to + silence_limit_ms }
}

/** `merged` is disjoint and ascending, and no two of its ranges join. `next` begins no earlier than any of them. */
function addTo(merged: LimitedRange[], next: LimitedRange): void {
  let first = merged.length
  for (let at = merged.length - 1; at >= 0; at--) {
    const earlier = merged[at] as LimitedRange
    if (earlier.to < next.joins_from) break
    if (joins(earlier, next)) first = at
  }
  if (first === merged.length) {
    merged.push(next)
    return
  }
  // The joined range has a larger joining distance than its parts, so it may join further ranges.
  addTo(merged, merged.splice(first).reduce(joined, next))
}

function joins(earlier: LimitedRange, later: LimitedRange): boolean {
  if (later.from <= earlier.to) return true
  const normal = later.from <= earlier.joins_to && later.joins_from <= earlier.to
  return normal && !holdsWholeDay({ from: earlier.to, to: later.from })
}

function joined(a: LimitedRange, b: LimitedRange): LimitedRange {
  return {
    from: Math.min(a.from, b.from),
    to: Math.max(a.to, b.to),
    joins_from: Math.min(a.joins_from, b.joins_from),
    joins_to: Math.max(a.joins_to, b.joins_to),
  }
}

function holdsWholeDay({ from, to }: TimeRange): boolean {
  return Math.ceil(from / DAY_MS) * DAY_MS + DAY_MS <= to
}
