/** Counts by day as a line of blocks. A day without evidence is a gap, never drawn like a day of zero. */
import { eachDay } from '#days/windows.ts'

/** The count of one day; null if no source covered it. */
export interface ChartDay {
  day: string
  count: number | null
}

const BLOCKS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']
const NOTHING = '·'
const GAP = '░'

/** What the blocks mean. */
export const chartLegend = (scale: 'one scale' | 'a scale per line'): string =>
  `${BLOCKS[0]} to ${BLOCKS.at(-1)} requests${scale === 'one scale' ? '' : ', each line to its own scale'}; ${NOTHING} none observed; ${GAP} unknown`

interface Counted {
  window: { from: string; to: string }
  gaps: readonly { from: string; to: string }[]
  /** No source has ever reported. */
  is_unknown: boolean
}

/** Every day of the window with its count, out of the rows of those on which something was observed. */
export function chartDays(
  { window, gaps, is_unknown }: Counted,
  rows: readonly { date: string; observed_request_count: number }[],
): ChartDay[] {
  const counts = new Map<string, number>()
  for (const { date, observed_request_count } of rows) {
    const before = counts.get(date)
    counts.set(date, before === undefined ? observed_request_count : before + observed_request_count)
  }
  const is_gap = (day: string) => is_unknown || gaps.some(({ from, to }) => from <= day && day <= to)
  return eachDay(window).map((day) => {
    const count = counts.get(day)
    if (count !== undefined) return { day, count }
    return { day, count: is_gap(day) ? null : 0 }
  })
}

/**
 * One block for each day, or for each run of days if there are more than `width`: then the mean of its known days, and
 * a gap only if none is known. `peak`: the count of the highest block, by default the largest count of these days.
 */
export function dayChart(days: readonly ChartDay[], width: number, peak?: number): string {
  const each = daysInBlock(days.length, width)
  const means: (number | null)[] = []
  for (let at = 0; at < days.length; at += each) means.push(meanOf(days.slice(at, at + each)))
  const highest = peak ?? Math.max(0, ...means.filter((mean) => mean !== null))
  return means.map((mean) => blockOf(mean, highest)).join('')
}

/** The number of days per block if at most `width` blocks are drawn. */
export const daysInBlock = (days: number, width: number): number => Math.ceil(days / width)

function meanOf(days: readonly ChartDay[]): number | null {
  const known = days.flatMap(({ count }) => (count === null ? [] : [count]))
  return known.length === 0 ? null : known.reduce((sum, count) => sum + count, 0) / known.length
}

function blockOf(mean: number | null, highest: number): string {
  if (mean === null) return GAP
  if (mean === 0) return NOTHING
  const at = Math.ceil((mean / highest) * BLOCKS.length) - 1
  return BLOCKS[Math.min(BLOCKS.length - 1, Math.max(0, at))] as string
}

/** The day with the most requests; null when there is none. */
export function peakOf(days: readonly ChartDay[]): (ChartDay & { count: number }) | null {
  let peak: (ChartDay & { count: number }) | null = null
  for (const { day, count } of days) {
    if (count !== null && count > 0 && (peak === null || count > peak.count)) peak = { day, count }
  }
  return peak
}
