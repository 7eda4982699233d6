/** How a funnel step is defined (spec 2.6). Closed objects: nothing may ride along in a definition. */
import Type from 'typebox'
import { closed, oneOf, Uuid } from '../fields.ts'
import { OPERATORS, PATH_FIDELITIES, SCALAR_KINDS } from '../vocabulary.ts'

const name = Type.String({ minLength: 1, maxLength: 64 })
const revision = Type.Integer({ minimum: 1 })

export type PropertyRule = Type.Static<typeof PropertyRule>
export const PropertyRule = closed(
  {
    event_name: Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z][A-Za-z0-9 _.-]{0,63}$' }),
    property_key: Type.String({ minLength: 1, maxLength: 48, pattern: '^[a-z][a-z0-9_.-]{0,47}$' }),
    property_revision: revision,
    scalar_kind: oneOf(SCALAR_KINDS),
    operator: oneOf(OPERATORS),
    comparison: Type.Union([
      closed({ value: Type.Union([Type.String(), Type.Integer(), Type.Boolean()]) }),
      closed({ values: Type.Array(name, { minItems: 1, maxItems: 50 }) }),
      closed({ lower: Type.Integer(), upper: Type.Integer() }),
    ]),
  },
  { title: 'PropertyRule' },
)

const page = {
  hostname: Type.String({ minLength: 1, maxLength: 253 }),
  path: Type.String({ minLength: 1, maxLength: 1024 }),
  path_fidelity: oneOf(PATH_FIDELITIES),
  path_transform_version: Type.Literal('path/v1'),
}

export const ConversionMatcher = Type.Union(
  [
    closed({
      kind: Type.Literal('event'),
      event_name: name,
      property_rules: Type.Array(PropertyRule, { maxItems: 8 }),
    }),
    closed({
      kind: Type.Literal('pageview'),
      ...page,
      property_rules: Type.Array(PropertyRule, { maxItems: 0 }),
    }),
  ],
  { title: 'ConversionMatcher' },
)

export const StepDefinition = Type.Union(
  [
    closed({ kind: Type.Literal('page'), ...page }),
    closed({
      kind: Type.Literal('conversion'),
      conversion_id: Uuid,
      revision_id: Uuid,
      revision,
      name,
      matcher: ConversionMatcher,
    }),
  ],
  { title: 'FunnelStepDefinition' },
)
