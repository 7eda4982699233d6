import type { DailyBreakdown } from '../../src/contract/dashboard-api/index.ts'
import type { Performance } from '../../src/contract/site-api/index.ts'
import { totalOfDay } from '../evidence/day-rows.ts'
import { SelectedDay, useSelectedDay } from '../states/selected-day.tsx'
import { OutcomesPanel } from './outcomes-panel.tsx'

interface AnswerOutcomesProps {
  answer: Pick<Performance, 'meta' | 'http_outcomes' | 'observed_request_count'>
  /** By day; undefined while they are read. */
  daily: DailyBreakdown['daily_outcomes'] | undefined
  has_statuses?: boolean
}

/** Responses by class, of the window or of the selected day. */
export function AnswerOutcomes({ answer, daily, has_statuses = false }: AnswerOutcomesProps) {
  const { meta, http_outcomes, observed_request_count } = answer
  const day = useSelectedDay()
  if (day === null || daily === undefined) {
    return (
      <OutcomesPanel {...{ meta, has_statuses }} outcomes={http_outcomes} total={observed_request_count} day={null} />
    )
  }
  const rows = daily.filter(({ date }) => date === day.date)
  return (
    <OutcomesPanel
      {...{ meta, day }}
      outcomes={rows}
      total={totalOfDay(rows, day)}
      above={<SelectedDay day={day} panels="outcomes" />}
    />
  )
}
