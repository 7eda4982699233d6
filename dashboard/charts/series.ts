import { countWithoutRow, type DayEvidence, weekWords } from '../evidence/day.ts'

/** One part of a stacked bar. */
export interface Series {
  key: string
  label: string
  color: string
  /** Shape of its mark, so that series can be distinguished without colour. */
  mark: 'square' | 'disc' | 'diamond' | 'hollow'
  /** A pattern in place of the colour, such as that of unobserved responses. */
  pattern?: string
  /** Drawn around a part whose colour is too pale to be seen. */
  outline?: string
  /** Counts by day. The evidence of a day decides whether a missing entry is zero or unknown. */
  counts: ReadonlyMap<string, number>
}

/** A day, or a week if days would be too narrow. */
export interface Slot {
  day: DayEvidence
  /** The days that it stands for, first and last. */
  from: string
  to: string
  /** In the order of the series; null: unknown. */
  counts: readonly (number | null)[]
  total: number | null
}

/** The counts of each day. A day without a row counts as zero only where its evidence proves it. */
export function slotsOf(days: readonly DayEvidence[], series: readonly Series[]): Slot[] {
  return days.map((day) => {
    const empty = countWithoutRow(day)
    const counts = series.map(({ counts: of_days }) => of_days.get(day.date) ?? empty)
    return { day, from: day.date, to: day.date, counts, total: sum(counts) ?? empty }
  })
}

/** Pixels of a day: a narrower one has a bar of less than two, which cannot be seen. */
const MIN_SLOT_WIDTH = 2.5
/** Width of the axis numbers left of the days, in pixels. */
const AXIS_WIDTH = 40

/** Whether this many days are drawn by week in a chart of this width. */
export const isByWeek = (width: number, days: number): boolean =>
  (width - AXIS_WIDTH) / Math.max(1, days) < MIN_SLOT_WIDTH

/** Weeks from Monday. A week with a gap or a partial day is partial; one that was not observed at all is a gap. */
export function weeksOf(slots: readonly Slot[]): Slot[] {
  const weeks: Slot[][] = []
  for (const slot of slots) {
    const starts = weeks.length === 0 || new Date(`${slot.from}T00:00:00Z`).getUTCDay() === 1
    if (starts) weeks.push([slot])
    else weeks.at(-1)?.push(slot)
  }
  return weeks.map(weekOf)
}

function weekOf(days: readonly Slot[]): Slot {
  const first = days[0] as Slot
  const last = days.at(-1) as Slot
  const states = new Set(days.map(({ day }) => day.state))
  const state = states.size === 1 ? first.day.state : 'partial'
  const counts = first.counts.map((_, index) => sum(days.map(({ counts: of_day }) => of_day[index] ?? null)))
  return {
    day: {
      date: first.from,
      state,
      minutes: null,
      sampling: null,
      reasons: [...new Set(days.flatMap(({ day }) => day.reasons))],
      elapsed: last.day.elapsed,
      words: weekWords(days.map(({ day }) => day)),
      ...(first.day.collector === undefined ? {} : { collector: first.day.collector }),
    },
    from: first.from,
    to: last.to,
    counts,
    total: sum(days.map(({ total }) => total)),
  }
}

/** Unknown only when every part is unknown. */
function sum(counts: readonly (number | null)[]): number | null {
  const known = counts.filter((count) => count !== null)
  return known.length === 0 ? null : known.reduce((total, count) => total + count, 0)
}
