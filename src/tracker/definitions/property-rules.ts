/** Checks the property rules of an event matcher against the properties in force (spec 2.6, rules 6). */

import type { PropertyRule } from '#contract/site-api/funnel-definition.ts'
import { excerpt, quoted } from '#foreign-text.ts'
import { Refusal } from '#refusal.ts'
import { type RuleInput, refuseContradiction } from './definition-input.ts'
import { MAX_ONE_OF, MAX_RULES } from './limits.ts'
import type { Property } from './properties.ts'

/**
 * Completes the rules: each gets the kind and the revision of its property.
 * @throws Refusal invalid_input, conflict (a revision or kind that was sent is not the one in force).
 */
export function resolveRules(
  event_name: string,
  asked: readonly RuleInput[],
  inForce: readonly Property[],
): PropertyRule[] {
  if (asked.length > MAX_RULES) {
    throw new Refusal(
      'invalid_input',
      `A conversion has at most ${MAX_RULES} property rules; this one has ${asked.length}.`,
    )
  }
  return asked.map((rule) => {
    const property = inForce.find((row) => row.event_name === event_name && row.property_key === rule.property_key)
    if (property === undefined) {
      throw new Refusal(
        'invalid_input',
        `The event ${event_name} has no property ${quoted(rule.property_key)} in force: declare it first ({next}).`,
        { next: { step: 'property.add' } },
      )
    }
    const reason = misfit(rule, property)
    if (reason !== null)
      throw new Refusal('invalid_input', `The rule for ${property.property_key} does not fit: ${reason}.`)
    const resolved = {
      event_name,
      property_key: property.property_key,
      property_revision: property.revision,
      scalar_kind: property.scalar_kind,
      operator: rule.operator,
      comparison: rule.comparison as PropertyRule['comparison'],
    }
    const place = `The rule for ${property.property_key}`
    refuseContradiction(place, rule, resolved, ['event_name', 'property_revision', 'scalar_kind'])
    return resolved
  })
}

/** Why a rule is invalid for a property, as part of a sentence; null if it is valid. */
export function misfit(
  { operator, comparison }: Pick<RuleInput, 'operator' | 'comparison'>,
  { scalar_kind, enum_values }: Pick<Property, 'scalar_kind' | 'enum_values'>,
): string | null {
  const { value, values, lower, upper } = comparison
  const declared = new Set<unknown>(enum_values)
  if (!hasOnly(comparison, OPERANDS[operator])) {
    return `${operator} takes ${OPERANDS[operator].join(' and ')}, and nothing else`
  }
  if (operator === 'between') {
    if (scalar_kind !== 'integer') return `between is for integers; this property is of the kind ${scalar_kind}`
    if (!Number.isSafeInteger(lower) || !Number.isSafeInteger(upper)) return 'its bounds must stay within ±(2^53-1)'
    return Number(lower) <= Number(upper) ? null : `lower (${lower}) is greater than upper (${upper})`
  }
  if (operator === 'one_of') {
    if (scalar_kind !== 'enum') return `one_of is for enums; this property is of the kind ${scalar_kind}`
    const wanted = values as string[]
    if (wanted.length < 1 || wanted.length > MAX_ONE_OF) return `one_of takes 1 to ${MAX_ONE_OF} values`
    if (new Set(wanted).size < wanted.length) return 'it has a value twice'
    return undeclared(
      wanted.find((one) => !declared.has(one)),
      declared,
    )
  }
  if (scalar_kind === 'enum') return undeclared(declared.has(value) ? undefined : value, declared)
  if (scalar_kind === 'boolean') return typeof value === 'boolean' ? null : 'its value is true or false'
  return Number.isSafeInteger(value) ? null : 'its value is a whole number within ±(2^53-1)'
}

const OPERANDS = { equals: ['value'], one_of: ['values'], between: ['lower', 'upper'] } as const

function hasOnly(comparison: object, operands: readonly string[]): boolean {
  const given = Object.keys(comparison)
  return given.length === operands.length && operands.every((name) => given.includes(name))
}

function undeclared(value: unknown, declared: ReadonlySet<unknown>): string | null {
  if (value === undefined) return null
  return `${excerpt(JSON.stringify(value))} is not one of the declared values (${excerpt([...declared].join(', '))})`
}
