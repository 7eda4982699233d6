/** Values of a JSON schema of an OpenAPI document, mostly right ones, so that requests get past the first check. */
import fc from 'fast-check'
import { anyText } from '../support/any-text.ts'

export interface Schema {
  $ref?: string
  type?: string
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  items?: Schema
  maxItems?: number
  properties?: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
}

/** What many forms of text take or just miss. */
const TEXTS = ['', '0', '1', '200', '201', 'all', 'none', 'DE', 'XX', 'true', 'null', '%', '2026-03-01', '2026-02-30']

export const junk = fc.oneof(fc.constantFrom(...TEXTS), anyText({ maxLength: 20 }))

/** @param schemas the components of the document, by their reference. */
export function arbitraryOf(schema: Schema, schemas: Readonly<Record<string, Schema>>): fc.Arbitrary<unknown> {
  const { $ref, anyOf, items, properties } = schema
  if ($ref !== undefined) return arbitraryOf(schemas[$ref] as Schema, schemas)
  if (anyOf !== undefined) return fc.oneof(...anyOf.map((each) => arbitraryOf(each, schemas)))
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if ('const' in schema) return fc.constant(schema.const)
  switch (schema.type) {
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'integer':
      return fc.integer({ min: (schema.minimum ?? 0) - 1, max: (schema.maximum ?? 1_000) + 1 })
    case 'array':
      return fc.array(arbitraryOf(items ?? {}, schemas), { maxLength: Math.min(schema.maxItems ?? 4, 4) })
    case 'object':
      return objectOf(properties ?? {}, schema.required ?? [], schemas)
    default:
      return textOf(schema)
  }
}

/** Sometimes with a member that is missing, wrong or unknown. */
function objectOf(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[],
  schemas: Readonly<Record<string, Schema>>,
): fc.Arbitrary<unknown> {
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, of]) => [
      name,
      fc.oneof({ weight: 8, arbitrary: arbitraryOf(of, schemas) }, fc.jsonValue()),
    ]),
  )
  const whole = fc.record(members, { requiredKeys: [...required] })
  const partial = fc.record({ ...members, more: fc.jsonValue() }, { requiredKeys: [] })
  return fc.oneof({ weight: 4, arbitrary: whole }, partial)
}

function textOf({ format, pattern }: Schema): fc.Arbitrary<unknown> {
  if (format === 'uuid') return fc.oneof({ weight: 3, arbitrary: fc.uuid() }, junk)
  if (format === 'date') return fc.oneof({ weight: 3, arbitrary: days }, junk)
  if (format === 'uri') return fc.oneof(fc.webUrl(), fc.constant('https://www.acme.example/a?b=c'), junk)
  if (pattern === '^([A-Z]{2}|none)$')
    return fc.oneof({ weight: 3, arbitrary: fc.constantFrom('DE', 'US', 'none') }, junk)
  return fc.oneof(junk, fc.string({ unit: 'grapheme', maxLength: 40 }))
}

/** Around the day at which the tests stand. */
const days = fc
  .integer({ min: -400, max: 3 })
  .map((offset) => new Date(Date.parse('2026-03-10') + offset * 86_400_000).toISOString().slice(0, 10))
