import { countWithoutRow, type ZeroEvidence } from './day.ts'

/** The sum of a day's rows. Without rows, the evidence of the day decides between zero and unknown. */
export function totalOfDay(rows: readonly { observed_request_count: number }[], day: ZeroEvidence): number | null {
  if (rows.length === 0) return countWithoutRow(day)
  return rows.reduce((sum, { observed_request_count }) => sum + observed_request_count, 0)
}
