import type { StagedDay } from './commit.sql.ts'

/** Days of one month that are committed together. */
export interface CommitStep {
  /** For example 202605. */
  month: number
  /** Ascending. */
  days: string[]
  rows: number
  /** Of the rows' paths and user agents, which may be long. */
  bytes: number
  /** Newest staged instant, epoch milliseconds. */
  through: number
}

type Size = Pick<CommitStep, 'rows' | 'bytes'>

/** The most texts of an insert, which has several copies of them in memory. */
const MAX_BYTES = 33_554_432

/** The most of an insert, which has it in memory; only a single day may have more. */
const MAX_OF_FACTS: Size = { rows: 100_000, bytes: MAX_BYTES }

/** The most of an insert of pages, whose memory depends on the number of names; only a single step may have more. */
const MAX_OF_PAGES: Size = { rows: 500_000, bytes: 2 * MAX_BYTES }

const sumOf = (one: Size, other: Size): Size => ({ rows: one.rows + other.rows, bytes: one.bytes + other.bytes })
const isWithin = ({ rows, bytes }: Size, most: Size): boolean => rows <= most.rows && bytes <= most.bytes

export interface PageSpan {
  from_day: string
  to_day: string
}

/** Joins ascending steps for the names of their pages, because most pages occur in every step. */
export function pageSpans(steps: readonly CommitStep[], most = MAX_OF_PAGES): PageSpan[] {
  const spans: PageSpan[] = []
  let size: Size = { rows: 0, bytes: 0 }
  for (const step of steps) {
    const last = spans.at(-1)
    const to_day = step.days.at(-1) as string
    size = sumOf(size, step)
    if (last !== undefined && isWithin(size, most)) last.to_day = to_day
    else {
      spans.push({ from_day: step.days[0] as string, to_day })
      size = step
    }
  }
  return spans
}

/** Joins ascending days to steps, each within one month, because only an insert into one partition is atomic. */
export function splitByMonth(days: readonly StagedDay[], most = MAX_OF_FACTS): CommitStep[] {
  const steps: CommitStep[] = []
  for (const day of days) {
    const last = steps.at(-1)
    if (last !== undefined && last.month === day.month && isWithin(sumOf(last, day), most)) {
      last.days.push(day.name)
      last.through = Math.max(last.through, day.through)
      Object.assign(last, sumOf(last, day))
    } else {
      const { name, month, ...rest } = day
      steps.push({ month, days: [name], ...rest })
    }
  }
  return steps
}
