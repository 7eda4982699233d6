/** The fields of a new conversion, and the definition that is made from them. */
import type { ReadOutput } from '../../read/operations.ts'
import { eventWords, type Matcher, type RuleWords } from '../../words/definitions.ts'
import { shortText, visibleText } from '../../words/foreign-text.ts'

export type Property = ReadOutput<'property.list'>['properties'][number]
export type Operator = RuleWords['operator']

export interface RuleDraft {
  property_key: string
  operator: Operator
  /** Of an enum. */
  values: readonly string[]
  /** The value of the stored `equals` rule: while it is the only value, the rule does not change. */
  equal_to?: string
  /** Of an integer or a boolean. */
  value: string
  lower: string
  upper: string
}

export interface Draft {
  name: string
  kind: Matcher['kind']
  event_name: string
  hostname: string
  path: string
  rules: readonly RuleDraft[]
}

export const NEW_DRAFT: Draft = { name: '', kind: 'event', event_name: '', hostname: '', path: '', rules: [] }

export const OPERATOR_WORDS: Record<Operator, string> = {
  equals: 'is',
  one_of: 'is one of',
  between: 'is between',
}

/** The operators that a property of this kind allows. */
export const OPERATORS_OF: Record<Property['scalar_kind'], readonly Operator[]> = {
  enum: ['one_of'],
  integer: ['equals', 'between'],
  boolean: ['equals'],
}

export const newRule = ({ property_key, scalar_kind }: Property): RuleDraft => ({
  property_key,
  operator: OPERATORS_OF[scalar_kind][0] as Operator,
  values: [],
  value: scalar_kind === 'boolean' ? 'true' : '',
  lower: '',
  upper: '',
})

/** Properties that rules may use: declared and not ended. */
export const inForce = (properties: readonly Property[], event_name: string): Property[] =>
  properties.filter((row) => row.event_name === event_name && row.ended_at === null)

export function draftOf({ name, matcher }: { name: string; matcher: Matcher }): Draft {
  if (matcher.kind === 'pageview') {
    return { ...NEW_DRAFT, name, kind: 'pageview', hostname: matcher.hostname, path: matcher.path }
  }
  return { ...NEW_DRAFT, name, event_name: matcher.event_name, rules: matcher.property_rules.map(ruleOf) }
}

function ruleOf({ property_key, scalar_kind, operator, comparison }: Matcher['property_rules'][number]): RuleDraft {
  const empty = { property_key, operator, values: [], value: '', lower: '', upper: '' }
  if ('values' in comparison) return { ...empty, values: comparison.values }
  if ('lower' in comparison) return { ...empty, lower: String(comparison.lower), upper: String(comparison.upper) }
  return scalar_kind === 'enum'
    ? { ...empty, operator: 'one_of', values: [String(comparison.value)], equal_to: String(comparison.value) }
    : { ...empty, value: String(comparison.value) }
}

/** The definition as input of the service. Missing values are left out, because the service reports them. */
export function conversionDefinition(draft: Draft, properties: readonly Property[]) {
  const { name, kind, event_name, hostname, path } = draft
  if (kind === 'pageview') {
    return { name, matcher: { kind, ...(hostname === '' ? {} : { hostname: hostname.trim() }), path: path.trim() } }
  }
  return { name, matcher: { kind, event_name: event_name.trim(), property_rules: rulesOf(draft, properties) } }
}

export function rulesOf({ rules, event_name }: Draft, properties: readonly Property[]): RuleWords[] {
  const declared = new Map(inForce(properties, event_name.trim()).map((row) => [row.property_key, row]))
  return rules.map((rule) => {
    const { property_key, operator, values, equal_to } = rule
    if (equal_to !== undefined && values.length === 1 && values[0] === equal_to) {
      return { property_key, operator: 'equals', comparison: { value: equal_to } }
    }
    return { property_key, operator, comparison: comparisonOf(rule, declared.get(property_key)?.scalar_kind) }
  })
}

function comparisonOf({ operator, values, value, lower, upper }: RuleDraft, kind: Property['scalar_kind'] | undefined) {
  if (operator === 'one_of') return { values: [...values] }
  if (operator === 'between') return { lower: Number(lower), upper: Number(upper) }
  return { value: kind === 'boolean' ? value === 'true' : Number(value) }
}

/** What the draft counts, for the sentence below it; null if the draft has no event and no page. */
export function draftWords(draft: Draft, properties: readonly Property[]): string | null {
  if (draft.kind === 'pageview') {
    return draft.path === '' ? null : `a view of ${visibleText(draft.hostname)}${shortText(draft.path, 80)}`
  }
  if (draft.event_name.trim() === '') return null
  const complete = draft.rules.map((rule, index) => ({ rule, words: rulesOf(draft, properties)[index] }))
  return eventWords(
    draft.event_name.trim(),
    complete.flatMap(({ rule, words }) => (words === undefined || !isFilled(rule) ? [] : [words])),
  )
}

function isFilled({ operator, values, value, lower, upper }: RuleDraft): boolean {
  if (operator === 'one_of') return values.length > 0
  return operator === 'between' ? lower !== '' && upper !== '' : value !== ''
}

/** What is missing, by field, before it is sent. */
export function faultsOf(draft: Draft): Partial<Record<'name' | 'event_name' | 'path' | 'rules', string>> {
  return {
    ...(draft.name.trim() === '' ? { name: 'The name is empty; give 1 to 64 characters.' } : {}),
    ...(draft.kind === 'event' && draft.event_name.trim() === ''
      ? { event_name: 'The event name is empty; pick one, or type 1 to 64 letters, digits, spaces and _ . -' }
      : {}),
    ...(draft.kind === 'pageview' && !draft.path.trim().startsWith('/')
      ? { path: `${JSON.stringify(draft.path)} is not a path; a path begins with a slash, such as /thanks.` }
      : {}),
    ...(draft.rules.every(isFilled) ? {} : { rules: 'A rule has no value; give one or remove the rule.' }),
  }
}
