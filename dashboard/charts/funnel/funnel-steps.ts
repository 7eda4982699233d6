/** The data of a funnel chart, computed from the object of the API. */
import type { SingleFunnel } from '../../../src/contract/site-api/index.ts'
import { stepNote, stepWords } from '../../words/definitions.ts'
import { fullCount, percent } from '../../words/numbers.ts'

export type Funnel = SingleFunnel['funnel']
type Step = Funnel['steps'][number]

export interface FunnelBar {
  position: number
  kind: Step['definition']['kind']
  words: string
  note: string
  reached: number | null
  quality: Step['reached_quality']
  /**
   * Sessions that reached the previous step but not this one; null at the first step, or if either number is unknown.
   */
  lost: number | null
  /** The share of the previous step that reached this one. */
  rate: number | null
  /** The share of the sessions that entered. */
  of_entered: number | null
}

export function barsOf({ steps }: Pick<Funnel, 'steps'>): FunnelBar[] {
  const entered = steps[0]?.reached_sessions ?? null
  return steps.map((step, index) => {
    const before = index === 0 ? null : (steps[index - 1]?.reached_sessions ?? null)
    const reached = step.reached_sessions
    return {
      position: step.position,
      kind: step.definition.kind,
      words: stepWords(step.definition),
      note: stepNote(step.definition),
      reached,
      quality: step.reached_quality,
      lost: before === null || reached === null ? null : before - reached,
      rate: step.rate_from_previous,
      of_entered: reached === null || entered === null || entered === 0 ? null : reached / entered,
    }
  })
}

/** The step that the smallest share of the previous step reached; null if no rate is known. */
export function fewestWentOn(bars: readonly FunnelBar[]): FunnelBar | null {
  const rated = bars.filter(({ rate }) => rate !== null)
  return rated.length === 0 ? null : rated.reduce((least, bar) => ((bar.rate ?? 1) < (least.rate ?? 1) ? bar : least))
}

/** "≥ 1,629", "withheld", "unknown" */
export function countText({ reached, quality }: Pick<FunnelBar, 'reached' | 'quality'>): string {
  if (quality === 'suppressed') return 'withheld'
  if (reached === null) return 'unknown'
  return `${quality === 'observed_lower_bound' ? '≥ ' : ''}${fullCount(reached)}`
}

/** "step 2, /pricing, at least 1,629, 39.0 % of the previous step, 2,553 not seen going on" */
export const stepSentence = (bar: FunnelBar): string =>
  [
    `step ${bar.position}`,
    bar.words,
    countText(bar).replace('≥', 'at least'),
    ...(bar.rate === null ? [] : [`${percent(bar.rate)} of the previous step`]),
    ...(bar.lost === null || bar.lost === 0 ? [] : [`${fullCount(bar.lost)} not seen going on`]),
  ].join(', ')

/** "4,182 sessions entered, at least 391 completed": the whole in a sentence. */
export function funnelSummary(bars: readonly FunnelBar[]): string {
  const [first, last] = [bars[0], bars.at(-1)]
  if (first === undefined || last === undefined) return 'No steps'
  const words = (bar: FunnelBar) => countText(bar).replace('≥', 'at least')
  return `Sessions that entered: ${words(first)}; that reached the last step: ${words(last)}`
}
