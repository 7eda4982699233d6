/** Definitions as the command line takes them: a JSON document, or flags for the simple cases. */

import { InvalidArgumentError } from 'commander'
import type { ManagementOutput } from '#contract/management-api/index.ts'
import { quoted } from '#foreign-text.ts'
import { Refusal } from '#refusal.ts'
import { readDayOrInstant, wholeNumber } from './argument-values.ts'
import { BadUsage } from './bad-usage.ts'
import { readWhole } from './input-files.ts'
import { optional } from './parameters.ts'
import { readNameOf } from './value-forms.ts'

type Property = Pick<
  ManagementOutput<'property.list'>['properties'][number],
  'event_name' | 'property_key' | 'scalar_kind' | 'enum_values' | 'ended_at'
>

export const effective_from = optional(
  '--from <day>',
  'count from this UTC day or instant on (default: the first day with evidence)',
  readDayOrInstant,
)
export const revision = optional(
  '--revision <n>',
  'refuse unless it is at this revision',
  wholeNumber(/^[1-9]\d{0,9}$/, 'Give the number of a revision, from 1 up.'),
)
export const definitionName = optional(
  '--name <name>',
  'what it is called, 1 to 64 characters',
  readNameOf('a definition'),
)

/**
 * The definition of a JSON file, or of standard input for `-`; the server checks it. `--name` overrides its name.
 * @throws Refusal not_readable, invalid_input (no JSON object, flags beside it).
 */
export async function readDefinition(file: string, flags: readonly string[], name?: string): Promise<object> {
  if (flags.length > 0) {
    throw new BadUsage(`the definition comes from --json-file or from ${flags.join(', ')}, not from both`)
  }
  const read = parse(await readWhole(file))
  if (typeof read !== 'object' || read === null || Array.isArray(read)) {
    throw new Refusal('invalid_input', `${file} holds no definition: it must be one JSON object`)
  }
  return name === undefined ? read : { ...read, name }
}

/** A byte order mark, as editors and shells of Windows write it, is none of the document. */
function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    const reason = error instanceof SyntaxError ? `JSON: ${error.message}` : 'UTF-8: store it in that encoding'
    throw new Refusal('invalid_input', `the definition is not ${reason}`)
  }
}

/** `/path`, `HOST/path` or a whole URL. */
export function readPage(text: string): { hostname?: string; path: string } {
  const bare = text.replace(/^https?:\/\//i, '')
  const slash = bare.indexOf('/')
  if (slash === -1) return bare === text ? { path: text } : { hostname: bare, path: '/' }
  return slash === 0 ? { path: bare } : { hostname: bare.slice(0, slash), path: bare.slice(slash) }
}

/** `page:/path`, `page:HOST/path`, `conversion:NAME` or `conversion:ID`. */
export function readStep(text: string): object {
  const [, kind, rest = ''] = /^(page|conversion):(.+)$/s.exec(text) ?? []
  if (kind === 'page') return { kind, ...readPage(rest) }
  if (kind === 'conversion') return { kind, conversion: rest }
  throw new InvalidArgumentError('Give page:/path, page:HOST/path or conversion:NAME.')
}

/**
 * `KEY=VALUE` for equality, `KEY=A,B` for one of several values of an enum, `KEY=1..20` for integers: the property's
 * declared kind decides.
 */
export function readRule(event_name: string, text: string, declared: readonly Property[]): object {
  const equals = text.indexOf('=')
  const property_key = equals === -1 ? text : text.slice(0, equals)
  const value = equals === -1 ? '' : text.slice(equals + 1)
  if (equals < 1) throw new BadUsage(`--rule ${quoted(text)} is not a rule: give KEY=VALUE, KEY=A,B or KEY=1..20`)
  const property = declared.find(
    (row) => row.event_name === event_name && row.property_key === property_key && row.ended_at === null,
  )
  return { property_key, ...comparisonOf(value, property) }
}

function comparisonOf(value: string, property: Property | undefined): object {
  const range = /^(-?\d+)\.\.(-?\d+)$/.exec(value)
  if (property?.scalar_kind === 'integer') {
    if (range !== null) return { operator: 'between', comparison: { lower: Number(range[1]), upper: Number(range[2]) } }
    if (/^-?\d+$/.test(value)) return { operator: 'equals', comparison: { value: Number(value) } }
  }
  if (property?.scalar_kind === 'boolean' && (value === 'true' || value === 'false')) {
    return { operator: 'equals', comparison: { value: value === 'true' } }
  }
  const isList = value.includes(',') && property?.enum_values?.includes(value) === false
  return isList
    ? { operator: 'one_of', comparison: { values: value.split(',') } }
    : { operator: 'equals', comparison: { value } }
}
