/** Arithmetic of watched time: stretches are [from, to) in epoch milliseconds. */
import { DAY_MS } from '#clock.ts'

export interface Stretch {
  from: number
  to: number
}

export interface JoinableStretch extends Stretch {
  /** The longest silence that still counts as watched at this stretch's edges. */
  silence_limit_ms: number
}

/**
 * Joins stretches of one source, host and quality that touch, overlap, or are parted by a silence that both sides call normal (rules 3).
 * The more careful of two limits decides a join; the longer stretch hands its limit on, so that a one-line upload changes nothing.
 */
export function mergeStretches(stretches: readonly JoinableStretch[]): JoinableStretch[] {
  const merged: JoinableStretch[] = []
  for (const next of [...stretches].sort((a, b) => a.from - b.from || a.to - b.to)) {
    const open = merged.at(-1)
    if (open !== undefined && isWatchedSilence({ from: open.to, to: next.from }, joinLimit(open, next))) {
      const handsOn = next.to - next.from > open.to - open.from ? next : open
      open.silence_limit_ms = handsOn.silence_limit_ms
      open.to = Math.max(open.to, next.to)
    } else {
      merged.push({ from: next.from, to: next.to, silence_limit_ms: next.silence_limit_ms })
    }
  }
  return merged
}

/** A silence counts as watched up to a limit, and never when a whole UTC day lies in it (rules 3). */
export function isWatchedSilence(silence: Stretch, limitMs: number): boolean {
  const firstMidnight = Math.ceil(silence.from / DAY_MS) * DAY_MS
  return silence.to - silence.from <= limitMs && firstMidnight + DAY_MS > silence.to
}

function joinLimit(a: JoinableStretch, b: JoinableStretch): number {
  return Math.min(a.silence_limit_ms, b.silence_limit_ms)
}

/** Union of stretches, disjoint and ascending. */
export function union(stretches: readonly Stretch[]): Stretch[] {
  const result: Stretch[] = []
  for (const next of [...stretches].sort((a, b) => a.from - b.from)) {
    if (next.to <= next.from) continue
    const open = result.at(-1)
    if (open !== undefined && next.from <= open.to) open.to = Math.max(open.to, next.to)
    else result.push({ from: next.from, to: next.to })
  }
  return result
}

/** What both unions hold; the arguments must be disjoint and ascending. */
export function intersection(a: readonly Stretch[], b: readonly Stretch[]): Stretch[] {
  const result: Stretch[] = []
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    const left = a[i] as Stretch
    const right = b[j] as Stretch
    const from = Math.max(left.from, right.from)
    const to = Math.min(left.to, right.to)
    if (from < to) result.push({ from, to })
    if (left.to < right.to) i++
    else j++
  }
  return result
}

/** How a span lies in a disjoint ascending union: inside it, touched by it, or apart from it. */
export function reach(stretches: readonly Stretch[], span: Stretch): 'inside' | 'touched' | 'apart' {
  let low = 0
  let high = stretches.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((stretches[middle] as Stretch).to <= span.from) low = middle + 1
    else high = middle
  }
  const first = stretches[low]
  if (first === undefined || first.from >= span.to) return 'apart'
  return first.from <= span.from && first.to >= span.to ? 'inside' : 'touched'
}
