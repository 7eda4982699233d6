/** What the service has to answer to a question, worked out from the history alone. */
import { UNPREDICTED } from '../compare.ts'
import type { Ask, History, Instant } from '../history.ts'
import { conversions } from './conversions.ts'
import { gather } from './evidence.ts'
import { funnel, funnels } from './funnels.ts'
import { journeys } from './journeys.ts'
import { overview } from './overview.ts'
import { pages } from './pages.ts'
import { revenue } from './revenue.ts'
import { PAPERS, type Rules } from './rules.ts'
import { sources } from './sources.ts'

type Evaluator = (history: History, as_of: Instant, ask: Ask, rules: Rules) => unknown

const EVALUATORS: Record<Ask['reader'], Evaluator> = {
  overview,
  'analytics-sources': sources,
  pages,
  conversions,
  funnels,
  funnel,
  journeys,
  revenue,
}

export interface Expected {
  status: number
  json: unknown
}

export function expectAnswer(history: History, as_of: Instant, ask: Ask, rules: Rules = PAPERS): Expected {
  if (gather(history, as_of, rules).closed.has(ask.reader)) return { status: 503, json: UNPREDICTED }
  const json = EVALUATORS[ask.reader](history, as_of, ask, rules)
  return json === null ? { status: 404, json: UNPREDICTED } : { status: 200, json }
}
