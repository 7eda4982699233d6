/**
 * Strict decoding of path and query parameters by the contract: nothing is coerced, trimmed or corrected. Unknown names
 * are ignored; a known one that is repeated, empty or outside its set is refused, the first in contract order (rules
 * 1).
 */
import Type from 'typebox'
import type { HttpOperation } from '#contract/operation.ts'
import { WINDOWS } from '#contract/vocabulary.ts'
import { quoted } from '#foreign-text.ts'
import { patternInWords } from '../schema-rule.ts'
import { RequestProblem } from './problems.ts'
import { decodesTo } from './request-target.ts'

export type DecodedInput = Readonly<Record<string, unknown>>

/** Path parameters, then query parameters, then a window that is too long only here (rules 1, checks 7 and 8). */
export function decodeInput(
  operation: HttpOperation,
  params: Readonly<Record<string, string>>,
  query: string,
): DecodedInput {
  const input: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(operation.params.properties)) {
    input[name] = decodeText(name, params[name] ?? '', schema)
  }
  const given = parametersOf(query)
  let too_long: RequestProblem | null = null
  for (const [name, schema] of Object.entries(operation.query.properties)) {
    const text = single(name, given.get(name))
    if (text === null) {
      if ('default' in schema) input[name] = structuredClone(schema.default)
    } else if (isTooLong(operation, name, text, schema)) {
      too_long = tooLong(text, schema)
    } else {
      input[name] = decodeValue(name, text, schema)
    }
  }
  if (too_long !== null) throw too_long
  return input
}

function decodeValue(name: string, text: string, schema: Type.TSchema): unknown {
  if (Type.IsInteger(schema)) return decodeInteger(name, text, schema)
  if (Type.IsEnum(schema)) return decodeMember(name, text, schema, text)
  if (Type.IsArray(schema) && Type.IsEnum(schema.items)) return decodeList(name, text, schema.items)
  throw new Error(`query parameter ${name} has a schema without a decoder`)
}

function decodeInteger(name: string, text: string, schema: Type.TSchema): number {
  const { minimum, maximum } = schema as Type.TNumberOptions
  const value = /^[1-9][0-9]*$/.test(text) ? Number(text) : Number.NaN
  if (value >= Number(minimum) && value <= Number(maximum)) return value
  throw invalid(name, text, `a whole number from ${minimum} to ${maximum}, in digits alone`)
}

function decodeMember(name: string, member: string, schema: Type.TEnum, given: string): string {
  if (schema.enum.includes(member)) return member
  throw invalid(name, given, `one of ${schema.enum.join(', ')}`)
}

/** A comma list counts each member once and comes out in the order of its vocabulary. */
function decodeList(name: string, text: string, schema: Type.TEnum): (string | number)[] {
  const members = new Set(text.split(','))
  for (const member of members) {
    if (!schema.enum.includes(member)) {
      throw invalid(
        name,
        text,
        `a comma-separated list of ${schema.enum.join(', ')}; ${quoted(member)} is none of them`,
      )
    }
  }
  return schema.enum.filter((member) => members.has(String(member)))
}

function decodeText(name: string, text: string, schema: Type.TSchema): string {
  const { minLength, maxLength, pattern } = schema as Type.TStringOptions
  const fits = text.length >= Number(minLength) && text.length <= Number(maxLength)
  if (fits && typeof pattern === 'string' && new RegExp(pattern).test(text)) return text
  const length = minLength === maxLength ? '' : `, of ${minLength} to ${maxLength} characters`
  throw invalid(name, text, `${patternInWords(String(pattern)) ?? `text that matches ${pattern}`}${length}`)
}

/** Names and values in the order sent; `+` is a space. Throws a 400 problem for bad percent-encoding. */
export function parametersOf(query: string): ReadonlyMap<string, readonly string[]> {
  const given = new Map<string, string[]>()
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const name = decoded(at === -1 ? pair : pair.slice(0, at))
    const values = given.get(name)
    const value = at === -1 ? '' : decoded(pair.slice(at + 1))
    if (values === undefined) given.set(name, [value])
    else values.push(value)
  }
  return given
}

function decoded(text: string): string {
  const plain = decodesTo(text.replaceAll('+', ' '))
  if (plain === null)
    throw new RequestProblem('malformed_request', 'The query string is not valid percent-encoded UTF-8.')
  return plain
}

function single(name: string, values: readonly string[] | undefined): string | null {
  const [first] = values ?? []
  if (values === undefined || first === undefined) return null
  if (values.length > 1) {
    throw new RequestProblem(
      'invalid_parameter',
      `${name} is given ${values.length} times; give it once or leave it out.`,
    )
  }
  if (first === '') {
    throw new RequestProblem('invalid_parameter', `${name} is empty; give it a value or leave it out.`)
  }
  return first
}

const isTooLong = (operation: HttpOperation, name: string, text: string, schema: Type.TSchema): boolean =>
  name === 'window' &&
  operation.window_too_long !== undefined &&
  Type.IsEnum(schema) &&
  !schema.enum.includes(text) &&
  WINDOWS.some((window) => window === text)

const tooLong = (text: string, schema: Type.TSchema) =>
  new RequestProblem(
    'window_too_long',
    `window is ${quoted(text)}; this operation reads at most 30 days: one of ${Type.IsEnum(schema) ? schema.enum.join(', ') : ''}.`,
  )

const invalid = (name: string, given: string, allowed: string) =>
  new RequestProblem('invalid_parameter', `${name} is ${quoted(given)}; allowed is ${allowed}.`)
