/**
 * Lines without a time zone that an earlier import has read in another zone. The same lines again change nothing
 * (decisions 3.4), so that they keep their instants; the time that this import reads from them has no evidence and must
 * not count as covered (rules 3).
 */
import type { JoinableRange } from '#crawlers/coverage/join-covered-time.ts'
import type { TimeRange } from '#days/intervals.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { movedLines, type StagedDays } from './commit.sql.ts'

export interface Moved {
  lines: number
  /** The instant of the last one, as this import reads it. */
  to: number
}

/** Null: no line is stored at another instant. */
export async function findMoved(evidence: EvidenceStore, steps: readonly StagedDays[]): Promise<Moved | null> {
  const all = { lines: 0, to: Number.NEGATIVE_INFINITY }
  for (const step of steps) {
    const [found] = await evidence.all(movedLines(step))
    if (found === undefined || found.lines === 0) continue
    all.lines += found.lines
    all.to = Math.max(all.to, found.to)
  }
  return all.lines === 0 ? null : all
}

interface ReadTime {
  /** How many rows were staged. */
  staged: number
  ranges: readonly JoinableRange[]
  covers: TimeRange | null
  data_through: number
  source: { data_through: number | null }
}

/** A log grows at its end, so that a delivery covers only the time after its moved lines. */
export function withoutMoved<Delivery extends ReadTime>(delivery: Delivery, moved: Moved): Delivery {
  const { ranges, staged, source } = delivery
  if (moved.lines < staged) return { ...delivery, ranges: ranges.flatMap((range) => partAfter(range, moved.to)) }
  return { ...delivery, ranges: [], covers: null, data_through: source.data_through ?? delivery.data_through }
}

/** The part of a range after an instant; the silence before it does not count as covered. */
function partAfter(range: JoinableRange, at: number): JoinableRange[] {
  if (range.from > at) return [range]
  return range.to > at + 1 ? [{ ...range, from: at + 1, silence_before_ms: 0 }] : []
}
