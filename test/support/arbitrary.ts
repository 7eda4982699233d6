/**
 * Random answers that a contract allows, rich in what a text form could lose: nulls, quotes, line ends, formulas, other
 * scripts.
 */
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { anyText } from './any-text.ts'

interface Json {
  type?: string
  anyOf?: Json[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Json>
  required?: string[]
  additionalProperties?: unknown
  items?: Json
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  pattern?: string
  format?: string
}

const AWKWARD = [
  '',
  ' ',
  '"',
  '""',
  ',',
  '\r\n',
  '\n',
  'null',
  '=1+1',
  '+1',
  '-2',
  '@SUM(A1)',
  'Übung, “x”',
  '日本',
  'a"b,c\r\nd',
  '\u2028',
  '😀',
]
const text = fc.oneof(fc.constantFrom(...AWKWARD), anyText({ maxLength: 12 }), fc.string({ maxLength: 12 }))
/** Fields that a later version might add. */
const more = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 5 }).map((name) => `x_${name}`),
  fc.jsonValue({ maxDepth: 2 }),
  { maxKeys: 2 },
)

const FORMATS: Record<string, fc.Arbitrary<string>> = {
  uuid: fc.uuid(),
  date: fc
    .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  'date-time': fc
    .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
}

/** Values of a schema of the contract. Open objects get fields that the schema does not name. */
export function answersOf(schema: TSchema): fc.Arbitrary<unknown> {
  return valuesOf(schema as Json)
}

function valuesOf(schema: Json): fc.Arbitrary<unknown> {
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(valuesOf))
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if ('const' in schema) return fc.constant(schema.const)
  switch (schema.type) {
    case 'object':
      return objectOf(schema)
    case 'array':
      return fc.array(valuesOf(schema.items as Json), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, (schema.minItems ?? 0) + 4),
      })
    case 'string':
      return stringOf(schema)
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1_000, max: Math.min(schema.maximum ?? 1_000_000, 2 ** 31 - 1) })
    case 'number':
      return fc
        .double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true })
        .map((n) => (n === 0 ? 0 : n))
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      throw new Error(`no values are known of ${JSON.stringify(schema)}`)
  }
}

function objectOf({ properties = {}, required = [], additionalProperties }: Json): fc.Arbitrary<unknown> {
  const named = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, valuesOf(field)])),
    {
      requiredKeys: required,
    },
  )
  const plain = named.map((value) => ({ ...value }))
  if (additionalProperties === false) return plain
  return fc.tuple(plain, more).map(([value, others]) => ({ ...others, ...value }))
}

function stringOf({
  format,
  pattern,
  minLength = 0,
  maxLength = Number.POSITIVE_INFINITY,
}: Json): fc.Arbitrary<string> {
  const known = format === undefined ? undefined : FORMATS[format]
  if (known !== undefined) return known
  const isFit = (value: string) => value.length >= minLength && value.length <= maxLength
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern)).filter(isFit)
  return text.filter(isFit)
}
