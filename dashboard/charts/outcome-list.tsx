import type { Outcome } from '../../src/contract/site-api/index.ts'
import { PATTERN } from '../evidence/patterns.tsx'
import { Value } from '../evidence/value.tsx'
import { percent } from '../words/numbers.ts'
import {
  OUTCOME_COLORS,
  OUTCOME_STACK,
  OUTCOME_WORDS,
  statusesText,
  UNOBSERVED_RESPONSE_NOTE,
} from '../words/outcomes.ts'
import { Mark } from './mark.tsx'
import { ShareBar, type SharePart } from './share-bar.tsx'

export type OutcomeRow = Pick<Outcome, 'outcome' | 'observed_request_count'> & Partial<Pick<Outcome, 'statuses'>>

interface OutcomeListProps {
  outcomes: readonly OutcomeRow[]
  /** null: unknown, and so is every class. */
  total: number | null
  /** Whether each class names the statuses that it holds. */
  has_statuses?: boolean
}

/** Responses by class. Requests with an unobserved response are below a line, outside of the classes. */
export function OutcomeList({ outcomes, total, has_statuses = false }: OutcomeListProps) {
  const counts = new Map(outcomes.map(({ outcome, observed_request_count }) => [outcome, observed_request_count]))
  const countOf = (outcome: Outcome['outcome']) => counts.get(outcome) ?? (total === null ? null : 0)
  const parts: SharePart[] = outcomes.map(({ outcome, observed_request_count }) => ({
    key: outcome,
    label: OUTCOME_WORDS[outcome],
    count: observed_request_count,
    color: OUTCOME_COLORS[outcome],
    ...(outcome === 'other' ? { outline: 'var(--color-ink2)' } : {}),
    ...(outcome === 'response_unobserved' ? { pattern: PATTERN.unobserved, outline: 'var(--color-ink2)' } : {}),
  }))
  const classes = OUTCOME_STACK.filter(
    (one) => one !== 'response_unobserved' && (one !== 'other' || countOf(one) !== 0),
  )
  return (
    <div>
      <ShareBar parts={parts} label="Responses by class" height={14} className="mb-6 w-full" />
      {total === null && <div className="hatched mb-6 h-7 rounded-tag border border-hatch" />}
      <ul>
        {classes.map((outcome) => (
          <OutcomeRow
            key={outcome}
            {...{ outcome, total }}
            count={countOf(outcome)}
            statuses={has_statuses ? statusesText(outcomes.filter((one) => one.outcome === outcome)) : ''}
          />
        ))}
        <li aria-hidden="true" className="my-4 border-t border-line" />
        <OutcomeRow outcome="response_unobserved" total={total} count={countOf('response_unobserved')} />
      </ul>
      {counts.has('response_unobserved') && counts.get('response_unobserved') !== 0 && (
        <p className="mt-3 text-small text-ink2">{UNOBSERVED_RESPONSE_NOTE}</p>
      )}
    </div>
  )
}

function OutcomeRow({
  outcome,
  count,
  total,
  statuses = '',
}: {
  outcome: Outcome['outcome']
  count: number | null
  total: number | null
  statuses?: string
}) {
  const is_unobserved = outcome === 'response_unobserved'
  return (
    <li className="flex items-center gap-6 py-3">
      <Mark
        mark={outcome === 'other' ? 'hollow' : 'square'}
        color={outcome === 'other' ? 'var(--color-ink2)' : OUTCOME_COLORS[outcome]}
        {...(is_unobserved ? { pattern: PATTERN.unobserved } : {})}
      />
      <span className="mr-auto">
        {OUTCOME_WORDS[outcome] ?? outcome}
        {statuses !== '' && <span className="ml-4 text-small text-ink3">{statuses}</span>}
      </span>
      <Value value={count} />
      {count !== null && total !== null && total !== 0 && (
        <span className="w-29 text-right text-ink2">
          <Value value={count / total} format={percent} />
        </span>
      )}
    </li>
  )
}
