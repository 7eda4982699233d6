import { scaleLinear } from 'd3-scale'
import { dayText, isFirstOfMonth, isMonday, monthText } from '../words/days.ts'

export interface Scale {
  /** Height in pixels of a count above the baseline. */
  height(count: number): number
  ticks: readonly number[]
}

/** Below it, lines of the axis would touch each other with more than two ticks. */
const LOW = 72

/** From zero, with three to five round ticks, two in a low chart; the largest is at or above the largest count. */
export function countScale(largest: number, height: number): Scale {
  if (largest <= 0) return { height: () => 0, ticks: [] }
  const scale = scaleLinear().domain([0, largest]).range([0, height])
  const wanted = height < LOW ? 2 : 4
  const ticks = scale
    .nice(wanted)
    .ticks(wanted)
    .filter((tick) => Number.isInteger(tick) && tick > 0)
  return { height: (count) => (count === 0 ? 0 : Math.max(1, scale(count))), ticks }
}

export interface DayLabel {
  index: number
  text: string
}

const LABEL_WIDTH = 52

/** Mondays, months for long windows, and "today"; as many as fit without touching. */
export function dayLabels(days: readonly { date: string; elapsed: number | null }[], slot: number): DayLabel[] {
  const last = days.at(-1)
  const today = last?.elapsed === null || last === undefined ? [] : [{ index: days.length - 1, text: 'today' }]
  const is_long = days.length >= 90
  const candidates = days.flatMap(({ date }, index) =>
    is_long
      ? isFirstOfMonth(date)
        ? [{ index, text: monthText(date) }]
        : []
      : days.length <= 7 || isMonday(date)
        ? [{ index, text: dayText(date) }]
        : [],
  )
  const labels: DayLabel[] = []
  for (const label of candidates) {
    const before = labels.at(-1)
    const is_free = before === undefined || (label.index - before.index) * slot >= LABEL_WIDTH
    const is_before_today = today[0] === undefined || (today[0].index - label.index) * slot >= LABEL_WIDTH
    if (is_free && is_before_today) labels.push(label)
  }
  return [...labels, ...today]
}
