import { countWithoutRow, type ZeroEvidence } from './day.ts'

/** Rows of one day added up; without rows it is what the evidence of the day says. */
export function totalOfDay(rows: readonly { observed_request_count: number }[], day: ZeroEvidence): number | null {
  if (rows.length === 0) return countWithoutRow(day)
  return rows.reduce((sum, { observed_request_count }) => sum + observed_request_count, 0)
}
