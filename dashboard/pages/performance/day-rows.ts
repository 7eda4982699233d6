import type { DayEvidence } from '../../evidence/day.ts'

/** Rows of one day added up; without rows it is zero where somebody watched, and unknown where nobody did. */
export function totalOfDay(
  rows: readonly { observed_request_count: number }[],
  day: Pick<DayEvidence, 'state'>,
): number | null {
  if (rows.length === 0 && day.state === 'gap') return null
  return rows.reduce((sum, { observed_request_count }) => sum + observed_request_count, 0)
}
