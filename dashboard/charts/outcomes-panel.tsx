import type { ReactNode } from 'react'
import type { Meta, Outcome } from '../../src/contract/site-api/index.ts'
import { type DayEvidence, evidenceWords } from '../evidence/day.ts'
import { trackSummary } from '../evidence/day-track.tsx'
import { useCoverage } from '../states/report-page.tsx'
import { csvOf } from '../tables/csv.ts'
import { weekdayText } from '../words/days.ts'
import { OUTCOME_STACK, OUTCOME_WORDS, statusesText } from '../words/outcomes.ts'
import { OutcomeList, type OutcomeRow } from './outcome-list.tsx'
import { type PartRow, PartsPanel } from './parts-panel.tsx'

interface OutcomesPanelProps {
  /** Of the answer; undefined while it is read. */
  meta: Meta | undefined
  outcomes: readonly OutcomeRow[]
  /** null: unknown, and so is every class. */
  total: number | null
  /** The only day that is counted; null: all of the window. */
  day: DayEvidence | null
  /** Whether each class names the statuses that it holds. */
  has_statuses?: boolean
  above?: ReactNode
  below?: ReactNode
  wrap?: (content: ReactNode) => ReactNode
}

/** Responses by class, of the window or of one day. */
export function OutcomesPanel(props: OutcomesPanelProps) {
  const { meta, outcomes, total, day, has_statuses = false, above, below, wrap } = props
  const { days } = useCoverage()
  const of_window = days === null ? '' : trackSummary(days)
  const evidence = day === null ? of_window : evidenceWords(day)
  return (
    <PartsPanel
      title="Outcomes"
      file_name={day === null ? 'outcomes' : `outcomes-${day.date}`}
      part={{ head: 'Response', name: 'outcome' }}
      count={{ head: 'Requests', name: 'observed_request_count' }}
      {...(has_statuses ? { detail: { head: 'Statuses', name: 'statuses' } } : {})}
      {...(day === null ? {} : { note: weekdayText(day.date) })}
      {...(wrap === undefined ? {} : { wrap })}
      parts={outcomeParts(outcomes, total)}
      total={total}
      evidence={evidence}
      csv={meta === undefined ? null : (columns, rows) => csvOf(meta, columns, rows, day?.date)}
      chart={
        <>
          {above}
          <OutcomeList {...{ outcomes, total, has_statuses }} />
          {below}
        </>
      }
    />
  )
}

/** Every class in stacking order. A class without a row is zero, unless the total is unknown. */
export function outcomeParts(outcomes: readonly OutcomeRow[], total: number | null): PartRow[] {
  const rows = new Map<Outcome['outcome'], OutcomeRow>(outcomes.map((row) => [row.outcome, row]))
  return OUTCOME_STACK.map((outcome) => {
    const row = rows.get(outcome)
    return {
      key: outcome,
      label: OUTCOME_WORDS[outcome],
      count: row?.observed_request_count ?? (total === null ? null : 0),
      detail: row === undefined ? '' : statusesText([row]),
    }
  })
}
