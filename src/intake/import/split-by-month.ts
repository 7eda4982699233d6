import type { StagedDay } from './commit.sql.ts'

/** Days of one month that become facts together. */
export interface CommitStep {
  /** For example 202605. */
  month: number
  /** Ascending. */
  days: string[]
  rows: number
  /** Newest staged instant, epoch milliseconds. */
  through: number
}

/** One insert holds all of its rows in memory, several hundred bytes each; only a single day may be more. */
const MAX_ROWS = 100_000

/** Ascending days put together to steps: each within one month, because only an insert into one partition is atomic. */
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
