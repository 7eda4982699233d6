import type { StagedDay } from './commit.sql.ts'

/** Days of one month that are committed together. */
export interface CommitStep {
  /** For example 202605. */
  month: number
  /** Ascending. */
  days: string[]
  rows: number
  /** Newest staged instant, epoch milliseconds. */
  through: number
}

/** The most rows of an insert, which has them in memory; only a single day may have more. */
const MAX_ROWS = 100_000

/**
 * The most rows of an insert of pages, whose memory depends on the number of names; only a single step may have more.
 */
const MAX_ROWS_OF_PAGES = 500_000

export interface PageSpan {
  from_day: string
  to_day: string
}

/** Joins ascending steps for the names of their pages, because most pages occur in every step. */
export function pageSpans(steps: readonly CommitStep[], max_rows = MAX_ROWS_OF_PAGES): PageSpan[] {
  const spans: PageSpan[] = []
  let rows = 0
  for (const step of steps) {
    const last = spans.at(-1)
    const to_day = step.days.at(-1) as string
    rows += step.rows
    if (last !== undefined && rows <= max_rows) last.to_day = to_day
    else {
      spans.push({ from_day: step.days[0] as string, to_day })
      rows = step.rows
    }
  }
  return spans
}

/** Joins ascending days to steps, each within one month, because only an insert into one partition is atomic. */
export function splitByMonth(days: readonly StagedDay[], max_rows = MAX_ROWS): CommitStep[] {
  const steps: CommitStep[] = []
  for (const day of days) {
    const last = steps.at(-1)
    if (last !== undefined && last.month === day.month && last.rows + day.rows <= max_rows) {
      last.days.push(day.name)
      last.through = Math.max(last.through, day.through)
      last.rows += day.rows
    } else {
      steps.push({ month: day.month, days: [day.name], rows: day.rows, through: day.through })
    }
  }
  return steps
}
