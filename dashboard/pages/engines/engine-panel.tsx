import type { ENGINE_OBSTACLES } from '../../../src/contract/vocabulary.ts'
import { Badge } from '../../controls/badge.tsx'
import { Panel } from '../../states/panel.tsx'
import { costText, ENGINE_WORDS, failureWords, providerName } from '../../words/brand.ts'
import { instantText } from '../../words/days.ts'
import { visibleText } from '../../words/foreign-text.ts'
import { fullCount } from '../../words/numbers.ts'
import { EngineActions } from './engine-actions.tsx'
import { EngineForm } from './engine-form.tsx'
import { KeyForm } from './key-form.tsx'
import type { EngineState } from './page.tsx'

const OBSTACLE_WORDS: Record<(typeof ENGINE_OBSTACLES)[number], string> = {
  off: 'Switched off',
  no_key: 'No key',
  terms: 'Terms not accepted',
  unknown: 'Not known to this version',
}

/** One engine: its state, its use of the monthly budget, its key and its settings. */
export function EnginePanel({ engine }: { engine: EngineState }) {
  const state = stateOf(engine)
  return (
    <Panel
      title={ENGINE_WORDS[engine.engine] ?? engine.engine}
      note={providerName(engine.provider)}
      controls={<Badge tone={state.tone}>{state.word}</Badge>}
    >
      <div className="space-y-6 px-8 pb-8 max-tablet:px-6">
        {engine.fault !== null && engine.obstacle === null && (
          <p className="text-bad">
            The last call failed, and others would fail for the same reason: {failureWords(engine.fault)}.
          </p>
        )}
        {engine.paused_until !== null && (
          <p className="text-warn">The provider asked to wait until {instantText(engine.paused_until)} UTC.</p>
        )}
        <Month engine={engine} />
        <KeyForm engine={engine} />
        {engine.has_key && (
          <details>
            <summary className="link w-fit">Model {visibleText(engine.model)}, prices and budget</summary>
            <div className="pt-6">
              <EngineForm engine={engine} />
            </div>
          </details>
        )}
        <EngineActions engine={engine} />
      </div>
    </Panel>
  )
}

export function stateOf({ obstacle, fault, month }: EngineState): {
  tone: 'ok' | 'warn' | 'bad' | 'plain'
  word: string
} {
  if (obstacle !== null)
    return { tone: obstacle === 'terms' ? 'warn' : 'plain', word: OBSTACLE_WORDS[obstacle] ?? obstacle }
  if (fault !== null) return { tone: 'bad', word: 'Failing' }
  return month.has_room ? { tone: 'ok', word: 'Asked' } : { tone: 'warn', word: 'Monthly budget used up' }
}

/** What was used of the month's budget, in money and in calls. */
function Month({ engine: { month, has_key } }: { engine: EngineState }) {
  if (!has_key && month.calls === 0) return null
  const used = month.budget_micros === 0 ? 1 : Math.min(1, month.spent_micros / month.budget_micros)
  return (
    <div className="max-w-260 space-y-2">
      <p className="flex flex-wrap justify-between gap-x-8 text-dense">
        <span>
          {costText(month.spent_micros)} of {costText(month.budget_micros)} in {month.month}
        </span>
        <span className="text-ink2">
          {fullCount(month.calls)} of {fullCount(month.budget_calls)} calls
        </span>
      </p>
      <svg aria-hidden="true" width="100%" height="6" className="block">
        <rect width="100%" height="6" fill="var(--color-sunken)" />
        <rect width={`${used * 100}%`} height="6" fill="var(--color-series)" />
      </svg>
      <p className="text-small text-ink2">
        The next call is expected to cost {costText(month.estimate_micros)}; {costText(month.reserve_micros)} is
        reserved for it.
      </p>
    </div>
  )
}
