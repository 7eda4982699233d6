import { scaleLinear } from 'd3-scale'
import { dayText, isFirstOfMonth, isMonday, monthText } from '../words/days.ts'

export interface Scale {
  /** Height in pixels of a count above the baseline. */
  height(count: number): number
  ticks: readonly number[]
}

/** The height below which the labels of more than two ticks would touch each other. */
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
/** The label of the first slot starts at its left edge, so it extends further to the right. */
const FIRST_REACHES = 14
/** Reached by windows of 90 days or more, even if their slots are weeks. */
const LONG_MS = 84 * 86_400_000

interface LabelledSlot {
  /** The first day of the slot. */
  date: string
  elapsed: number | null
}

/** Mondays, months for long windows, and "today"; as many as fit without touching. `width` is the width of a slot. */
export function dayLabels(slots: readonly LabelledSlot[], width: number): DayLabel[] {
  const [first, last] = [slots[0], slots.at(-1)]
  if (first === undefined || last === undefined) return []
  const today = last.elapsed === null ? [] : [{ index: slots.length - 1, text: 'today' }]
  const is_long = Date.parse(last.date) - Date.parse(first.date) >= LONG_MS
  const candidates = slots.flatMap(({ date }, index) => {
    if (is_long) return startsMonth(date, slots[index - 1]?.date) ? [{ index, text: monthText(date) }] : []
    return slots.length <= 7 || isMonday(date) ? [{ index, text: dayText(date) }] : []
  })
  const labels: DayLabel[] = []
  for (const label of candidates) {
    const before = labels.at(-1)
    const room = LABEL_WIDTH + (before?.index === 0 ? FIRST_REACHES : 0)
    const is_free = before === undefined || (label.index - before.index) * width >= room
    const is_before_today = today[0] === undefined || (today[0].index - label.index) * width >= LABEL_WIDTH
    if (is_free && is_before_today) labels.push(label)
  }
  return [...labels, ...today]
}

/** Whether a slot is the first of its month. */
const startsMonth = (date: string, before: string | undefined): boolean =>
  before === undefined ? isFirstOfMonth(date) : before.slice(0, 7) !== date.slice(0, 7)
