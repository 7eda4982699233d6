/** Arithmetic of watched time: stretches are [from, to) in epoch milliseconds. */
import { DAY_MS } from '#clock.ts'

export interface Stretch {
  from: number
  to: number
}

export interface JoinableStretch extends Stretch {
  /** The longest silence after its end that still counts as watched; before its beginning too, unless that edge has its own. */
  silence_limit_ms: number
  /** The longest silence before its beginning that still counts as watched. */
  silence_before_ms?: number
}

/** A stretch whose edges each know how far they call silence normal. */
export type EdgedStretch = Required<JoinableStretch>

/**
 * Joins stretches of one source, host and quality that touch, overlap, or are parted by a silence that both sides call normal (rules 3).
 * Each edge of what is joined keeps the farthest reach of its parts. A join never takes a later one away, so the result is the same
 * in whatever order, and in however many steps, the stretches come in.
 */
export function mergeStretches(stretches: readonly JoinableStretch[]): EdgedStretch[] {
  const merged: Reaching[] = []
  for (const next of stretches.map(reaching).sort((a, b) => a.from - b.from || a.to - b.to)) addTo(merged, next)
  return merged.map(({ from, to, reach_from, reach_to }) => ({
    from,
    to,
    silence_limit_ms: reach_to - to,
    silence_before_ms: from - reach_from,
  }))
}

/** A silence counts as watched up to a limit, and never when a whole UTC day lies in it (rules 3). */
export function isWatchedSilence(silence: Stretch, limitMs: number): boolean {
  return silence.to - silence.from <= limitMs && !holdsWholeDay(silence)
}

/** A stretch with the instants up to which its edges call silence normal. */
interface Reaching extends Stretch {
  reach_from: number
  reach_to: number
}

function reaching({ from, to, silence_limit_ms, silence_before_ms = silence_limit_ms }: JoinableStretch): Reaching {
  return { from, to, reach_from: from - silence_before_ms, reach_to: to + silence_limit_ms }
}

/** `merged` is disjoint, ascending, and no two of it join; `next` begins no earlier than any of it. */
function addTo(merged: Reaching[], next: Reaching): void {
  let first = merged.length
  for (let at = merged.length - 1; at >= 0; at--) {
    const earlier = merged[at] as Reaching
    if (earlier.to < next.reach_from) break
    if (joins(earlier, next)) first = at
  }
  if (first === merged.length) {
    merged.push(next)
    return
  }
  // What now reaches farther may join what none of its parts did.
  addTo(merged, merged.splice(first).reduce(joined, next))
}

function joins(earlier: Reaching, later: Reaching): boolean {
  if (later.from <= earlier.to) return true
  const normal = later.from <= earlier.reach_to && later.reach_from <= earlier.to
  return normal && !holdsWholeDay({ from: earlier.to, to: later.from })
}

function joined(a: Reaching, b: Reaching): Reaching {
  return {
    from: Math.min(a.from, b.from),
    to: Math.max(a.to, b.to),
    reach_from: Math.min(a.reach_from, b.reach_from),
    reach_to: Math.max(a.reach_to, b.reach_to),
  }
}

function holdsWholeDay({ from, to }: Stretch): boolean {
  return Math.ceil(from / DAY_MS) * DAY_MS + DAY_MS <= to
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

/** All time that none of the stretches holds, disjoint and ascending, without beginning and end. */
export function complement(stretches: readonly Stretch[]): Stretch[] {
  const result: Stretch[] = []
  let from = Number.NEGATIVE_INFINITY
  for (const held of union(stretches)) {
    if (from < held.from) result.push({ from, to: held.from })
    from = held.to
  }
  return [...result, { from, to: Number.POSITIVE_INFINITY }]
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
