/** The picked steps of a funnel, in order, and the definition that is made from them. */
import { matcherWords, type StepDefinition } from '../../words/definitions.ts'
import { shortText, visibleText } from '../../words/foreign-text.ts'

export const MIN_STEPS = 2
export const MAX_STEPS = 5

export type StepDraft =
  | { kind: 'page'; hostname: string; path: string }
  | { kind: 'conversion'; conversion_id: string; name: string; words: string }

export const stepKey = (step: StepDraft): string =>
  step.kind === 'page' ? `page ${step.hostname}${step.path}` : `conversion ${step.conversion_id}`

/** "Sees example.com/pricing", "Does Trial started: plan_started" */
export const stepDraftSentence = (step: StepDraft): string =>
  step.kind === 'page'
    ? `Sees ${visibleText(step.hostname)}${shortText(step.path, 80)}`
    : `Does ${shortText(step.name)}: ${step.words}`

/** Moves the step at index `from` to `to`; an index out of range changes nothing. */
export function moved(steps: readonly StepDraft[], from: number, to: number): readonly StepDraft[] {
  const step = steps[from]
  if (step === undefined || to < 0 || to >= steps.length || from === to) return steps
  return steps.toSpliced(from, 1).toSpliced(to, 0, step)
}

export const stepOf = (step: StepDefinition): StepDraft =>
  step.kind === 'page'
    ? { kind: 'page', hostname: step.hostname, path: step.path }
    : { kind: 'conversion', conversion_id: step.conversion_id, name: step.name, words: matcherWords(step.matcher) }

/** "/pricing to Signed up": the default name of a funnel, cut to the maximum length of names. */
export function suggestedName(steps: readonly StepDraft[]): string {
  const [first, last] = [steps[0], steps.at(-1)]
  if (first === undefined || last === undefined || steps.length < MIN_STEPS) return ''
  return `${partOfName(first)} to ${partOfName(last)}`
}
const MAX_PART = 28
const partOfName = (step: StepDraft): string => {
  const text = visibleText(step.kind === 'page' ? step.path : step.name)
  return text.length > MAX_PART ? `${text.slice(0, MAX_PART - 1)}…` : text
}

/** As the service reads it. */
export const funnelDefinition = (name: string, steps: readonly StepDraft[]) => ({
  name,
  steps: steps.map((step) =>
    step.kind === 'page'
      ? { kind: 'page', hostname: step.hostname, path: step.path }
      : { kind: 'conversion', conversion_id: step.conversion_id },
  ),
})

/** Why these steps are not accepted; null if they are. */
export function stepsFault(steps: readonly StepDraft[]): string | null {
  if (steps.length >= MIN_STEPS && steps.length <= MAX_STEPS) return null
  return `A funnel has ${MIN_STEPS} to ${MAX_STEPS} steps; this one has ${steps.length}.`
}
