/**
 * Definitions as callers send them: the form of the contract, in which every field that is computed from other fields
 * is optional, and must be correct if it is present.
 */
import { isDeepStrictEqual } from 'node:util'
import Type from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import Value from 'typebox/value'
import { closed, oneOf } from '#contract/fields.ts'
import { OPERATORS, PATH_FIDELITIES, SCALAR_KINDS } from '#contract/vocabulary.ts'
import { Refusal } from '#refusal.ts'

const text = Type.String()
const optional = Type.Optional

const RuleInput = closed({
  property_key: text,
  operator: oneOf(OPERATORS),
  comparison: closed({
    value: optional(Type.Union([Type.String(), Type.Integer(), Type.Boolean()])),
    values: optional(Type.Array(text)),
    lower: optional(Type.Integer()),
    upper: optional(Type.Integer()),
  }),
  event_name: optional(text),
  property_revision: optional(Type.Integer()),
  scalar_kind: optional(oneOf(SCALAR_KINDS)),
})

const page = {
  hostname: optional(text),
  path: optional(text),
  path_fidelity: optional(oneOf(PATH_FIDELITIES)),
  path_transform_version: optional(text),
}

const MatcherInput = closed({
  kind: oneOf(['event', 'pageview']),
  event_name: optional(text),
  property_rules: optional(Type.Array(RuleInput)),
  ...page,
})

const StepInput = closed({
  kind: oneOf(['page', 'conversion']),
  ...page,
  /** Id or name. */
  conversion: optional(text),
  conversion_id: optional(text),
  revision_id: optional(text),
  revision: optional(Type.Integer()),
  name: optional(text),
  matcher: optional(MatcherInput),
})

const ConversionInput = closed({ name: text, matcher: MatcherInput })
const FunnelInput = closed({ name: text, steps: Type.Array(StepInput) })
const ConversionEdit = closed({ name: optional(text), matcher: optional(MatcherInput) })
const FunnelEdit = closed({ name: optional(text), steps: optional(Type.Array(StepInput)) })

export type RuleInput = Type.Static<typeof RuleInput>
export type MatcherInput = Type.Static<typeof MatcherInput>
export type StepInput = Type.Static<typeof StepInput>
export type ConversionInput = Type.Static<typeof ConversionInput>
export type FunnelInput = Type.Static<typeof FunnelInput>
export type ConversionEdit = Type.Static<typeof ConversionEdit>
export type FunnelEdit = Type.Static<typeof FunnelEdit>

const reader =
  <Schema extends Type.TSchema>(what: string, schema: Schema) =>
  (given: unknown): Type.Static<Schema> => {
    if (Value.Check(schema, given)) return given
    const [error] = Value.Errors(schema, given)
    const place = error?.instancePath.slice(1).replaceAll('/', '.') || 'it'
    throw new Refusal('invalid_input', `The ${what} is malformed: ${place} ${error && reasonOf(error)}.`)
  }

function reasonOf(error: TLocalizedValidationError): string {
  // TypeBox validates a field that a closed object does not have against the schema `false`.
  if (error.keyword === 'boolean') return 'is unknown here'
  if (error.keyword === 'enum') return `must be one of ${error.params.allowedValues.join(', ')}`
  return error.message
}

/** Each validates one JSON value. @throws Refusal invalid_input, which names the field. */
export const readConversionInput = reader('conversion', ConversionInput)
export const readFunnelInput = reader('funnel', FunnelInput)
export const readConversionEdit = reader('edit of a conversion', ConversionEdit)
export const readFunnelEdit = reader('edit of a funnel', FunnelEdit)

/**
 * Callers may send fields that are computed from other fields, because a definition that was read from the API has
 * them. They must have the value that Spoor computes.
 * @throws Refusal conflict, which names the field.
 */
export function refuseContradiction(where: string, given: object, is: object, follows: readonly string[]): void {
  const [said, actual] = [new Map(Object.entries(given)), new Map(Object.entries(is))]
  for (const field of follows) {
    const value = said.get(field)
    if (value === undefined || isDeepStrictEqual(value, actual.get(field))) continue
    const now = JSON.stringify(actual.get(field))
    throw new Refusal(
      'conflict',
      now === undefined
        ? `${where} has no ${field}: leave it out.`
        : `${where} has ${field} ${now}, not ${JSON.stringify(value)}: leave ${field} out, or give ${now}.`,
    )
  }
}
