/** Conversions and steps of funnels as sentences. */

import type { Static } from 'typebox'
import type { Conversion } from '../../src/contract/site-api/conversions.ts'
import type { PropertyRule } from '../../src/contract/site-api/funnel-definition.ts'
import type { SingleFunnel } from '../../src/contract/site-api/index.ts'
import { shortText, visibleText } from './foreign-text.ts'

export type Matcher = Static<typeof Conversion>['matcher']
export type StepDefinition = SingleFunnel['funnel']['steps'][number]['definition']
/** The part of a rule that decides whether an event counts. */
export type RuleWords = Pick<PropertyRule, 'property_key' | 'operator' | 'comparison'>

/** "plan is pro or team", "amount is 10 to 99" */
export function ruleWords({ property_key, comparison }: RuleWords): string {
  const key = visibleText(property_key)
  if ('values' in comparison) return `${key} is ${orList(comparison.values)}`
  if ('lower' in comparison) return `${key} is ${comparison.lower} to ${comparison.upper}`
  return `${key} is ${visibleText(String(comparison.value))}`
}

/** "signup where plan is pro or team", "a view of example.com/pricing" */
export function matcherWords(matcher: Matcher): string {
  if (matcher.kind === 'pageview') return `a view of ${visibleText(matcher.hostname)}${shortText(matcher.path, 80)}`
  return eventWords(matcher.event_name, matcher.property_rules)
}

export const eventWords = (event_name: string, rules: readonly RuleWords[]): string =>
  rules.length === 0
    ? visibleText(event_name)
    : `${visibleText(event_name)} where ${rules.map(ruleWords).join(' and ')}`

/** "Counts sessions with signup where plan is pro or team." */
export const countsSentence = (words: string): string => `Counts sessions with ${words}.`

/** The page or the conversion of a step: "/pricing", "Trial started". */
export const stepWords = (step: StepDefinition): string =>
  step.kind === 'page' ? shortText(step.path, 64) : shortText(step.name)

/** Beside it: "www.example.com", "event plan_started, revision 2". */
export const stepNote = (step: StepDefinition): string =>
  step.kind === 'page' ? visibleText(step.hostname) : `${matcherNote(step.matcher)}, revision ${step.revision}`

export const STEP_KIND_WORDS: Record<StepDefinition['kind'], string> = { page: 'Page', conversion: 'Conversion' }

const matcherNote = (matcher: Matcher): string =>
  matcher.kind === 'pageview'
    ? `view of ${visibleText(matcher.hostname)}${shortText(matcher.path, 48)}`
    : `event ${eventWords(matcher.event_name, matcher.property_rules)}`

/** The changes of a revision from the previous one; null for the first. */
export function changeWords(steps: readonly StepDefinition[], before: readonly StepDefinition[] | null): string {
  if (before === null) return 'Created'
  const changes = steps.flatMap((step, index) => {
    const old = before[index]
    if (old === undefined) return [`Step ${index + 1} added: ${stepWords(step)}`]
    if (sameStep(step, old)) return []
    if (step.kind === 'conversion' && old.kind === 'conversion' && step.conversion_id === old.conversion_id) {
      return [`${shortText(step.name)} revised: ${matcherWords(step.matcher)}`]
    }
    return [`Step ${index + 1} became ${stepWords(step)}`]
  })
  const removed = before.length - steps.length
  if (removed > 0) changes.push(removed === 1 ? 'One step removed' : `${removed} steps removed`)
  return changes.length === 0 ? 'Renamed' : changes.join('; ')
}

const sameStep = (one: StepDefinition, other: StepDefinition): boolean => {
  if (one.kind === 'page') return other.kind === 'page' && one.path === other.path && one.hostname === other.hostname
  return other.kind === 'conversion' && one.revision_id === other.revision_id
}

function orList(values: readonly string[]): string {
  const shown = values.map((value) => visibleText(value))
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`
}
