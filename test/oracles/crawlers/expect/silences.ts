/** What a log covers (rules 3, Uploads; docs/decisions/0003 for edges and joins). */
import type { Minute } from '../events.ts'
import { HOUR } from '../time.ts'
import type { Broken } from './broken.ts'
import { PART, WHOLE } from './watch.ts'

/** A part of a log without a silence that is too long: from its first line's minute to its last line's, included. */
export interface Stretch {
  first: Minute
  last: Minute
  /** How long a silence may be. */
  limit: number
  /** Which file it is from. */
  file: number
  /** WHOLE or PART. */
  what: number
}

/** Minutes with a line, in any order, as stretches. */
export function stretchesOf(minutes: readonly Minute[], file: number, what: number, broken: Broken): Stretch[] {
  const sorted = [...new Set(minutes)].sort((a, b) => a - b)
  const limit = broken === 'uploads_know_no_silence' ? Number.POSITIVE_INFINITY : silenceLimit(sorted)
  const stretches: Stretch[] = []
  for (const at of sorted) {
    const last = stretches.at(-1)
    if (last !== undefined && at - last.last <= limit) last.last = at
    else stretches.push({ first: at, last: at, limit, file, what })
  }
  return stretches
}

/** 10 times the 99th percentile of the silences, at least an hour, at most a day. */
function silenceLimit(sorted: readonly Minute[]): number {
  const silences = sorted.slice(1).map((at, index) => at - (sorted[index] ?? 0))
  silences.sort((a, b) => a - b)
  const percentile = silences[Math.ceil(silences.length * 0.99) - 1] ?? 0
  return Math.min(24 * HOUR, Math.max(HOUR, 10 * percentile))
}

/** The silences between two files that both call normal. */
export function joins(stretches: readonly Stretch[]): { from: Minute; to: Minute; what: number }[] {
  return stretches.flatMap((before) =>
    stretches
      .filter((after) => after.file !== before.file)
      .filter((after) => after.first > before.last && after.first - before.last <= Math.min(before.limit, after.limit))
      .map((after) => ({
        from: before.last,
        to: after.first,
        what: before.what === WHOLE && after.what === WHOLE ? WHOLE : PART,
      })),
  )
}
