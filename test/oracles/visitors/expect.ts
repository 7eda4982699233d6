/** What the service has to answer to a question, worked out from the history alone. */
import type { Ask, History, Instant } from './history.ts'
import { journeys } from './journeys.ts'
import { overview } from './overview.ts'
import { pages } from './pages.ts'
import { revenue } from './revenue.ts'
import { PAPERS, type Rules } from './rules.ts'
import { sources } from './sources.ts'

type Evaluator = (history: History, as_of: Instant, ask: Ask, rules: Rules) => unknown

const EVALUATORS: Partial<Record<Ask['reader'], Evaluator>> = { overview, 'analytics-sources': sources, pages, journeys, revenue }

export function expectAnswer(history: History, as_of: Instant, ask: Ask, rules: Rules = PAPERS): unknown {
  return EVALUATORS[ask.reader]?.(history, as_of, ask, rules)
}
