import type { DailyBreakdown } from '../../src/contract/dashboard-api/index.ts'
import type { Performance } from '../../src/contract/site-api/index.ts'
import { totalOfDay } from '../evidence/day-rows.ts'
import { Panel, PanelBody } from '../states/panel.tsx'
import { SelectedDay, useSelectedDay } from '../states/selected-day.tsx'
import { weekdayText } from '../words/days.ts'
import { OutcomeList } from './outcome-list.tsx'

interface AnswerOutcomesProps {
  answer: Pick<Performance, 'http_outcomes' | 'observed_request_count'>
  /** By day; undefined while they are read. */
  daily: DailyBreakdown['daily_outcomes'] | undefined
  has_statuses?: boolean
}

/** Responses by class, of the window or of the selected day. */
export function AnswerOutcomes({ answer, daily, has_statuses = false }: AnswerOutcomesProps) {
  const day = useSelectedDay()
  if (day === null || daily === undefined) {
    return (
      <Panel title="Outcomes">
        <PanelBody>
          <OutcomeList
            outcomes={answer.http_outcomes}
            total={answer.observed_request_count}
            has_statuses={has_statuses}
          />
        </PanelBody>
      </Panel>
    )
  }
  const rows = daily.filter(({ date }) => date === day.date)
  return (
    <Panel title="Outcomes" note={weekdayText(day.date)}>
      <PanelBody>
        <SelectedDay day={day} panels="outcomes" />
        <OutcomeList outcomes={rows} total={totalOfDay(rows, day)} />
      </PanelBody>
    </Panel>
  )
}
