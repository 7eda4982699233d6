/** Arithmetic of covered time: ranges are [from, to) in epoch milliseconds. */

export interface TimeRange {
  from: number
  to: number
}

/** Union of ranges, disjoint and ascending. */
export function union(ranges: readonly TimeRange[]): TimeRange[] {
  const result: TimeRange[] = []
  for (const next of [...ranges].sort((a, b) => a.from - b.from)) {
    if (next.to <= next.from) continue
    const open = result.at(-1)
    if (open !== undefined && next.from <= open.to) open.to = Math.max(open.to, next.to)
    else result.push({ from: next.from, to: next.to })
  }
  return result
}

/** What both unions hold; the arguments must be disjoint and ascending. */
export function intersection(a: readonly TimeRange[], b: readonly TimeRange[]): TimeRange[] {
  const result: TimeRange[] = []
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    const left = a[i] as TimeRange
    const right = b[j] as TimeRange
    const from = Math.max(left.from, right.from)
    const to = Math.min(left.to, right.to)
    if (from < to) result.push({ from, to })
    if (left.to < right.to) i++
    else j++
  }
  return result
}

/** All time that none of the ranges holds, disjoint and ascending, without beginning and end. */
export function complement(ranges: readonly TimeRange[]): TimeRange[] {
  const result: TimeRange[] = []
  let from = Number.NEGATIVE_INFINITY
  for (const held of union(ranges)) {
    if (from < held.from) result.push({ from, to: held.from })
    from = held.to
  }
  return [...result, { from, to: Number.POSITIVE_INFINITY }]
}

/** What the first union holds and the other ranges do not. */
export const without = (held: readonly TimeRange[], others: readonly TimeRange[]): TimeRange[] =>
  intersection(held, complement(others))

/** How a span lies in a disjoint ascending union: inside it, touched by it, or apart from it. */
export function overlap(ranges: readonly TimeRange[], span: TimeRange): 'inside' | 'touched' | 'apart' {
  let low = 0
  let high = ranges.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ranges[middle] as TimeRange).to <= span.from) low = middle + 1
    else high = middle
  }
  const first = ranges[low]
  if (first === undefined || first.from >= span.to) return 'apart'
  return first.from <= span.from && first.to >= span.to ? 'inside' : 'touched'
}
