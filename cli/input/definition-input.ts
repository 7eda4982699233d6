/** Definitions as the command line takes them: a JSON document, or flags for the simple cases. */

import { InvalidArgumentError } from 'commander'
import type { ManagementOutput } from '#contract/management-api/index.ts'
import { quoted } from '#foreign-text.ts'
import { Refusal } from '#refusal.ts'
import { exactPath } from '#tracker/definitions/exact-page.ts'
import { BadUsage, judgedBy } from '../bad-usage.ts'
import { readDayOrInstant, wholeNumber } from './argument-values.ts'
import { readWhole } from './input-files.ts'
import { optional } from './parameters.ts'
import { readHostName, readNameOf } from './value-forms.ts'

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

/** @param flags the options that contradict a file, because they give a part of its content. */
export function refuseFlagsWithFile(flags: readonly string[]): void {
  if (flags.length === 0) return
  throw new BadUsage(`the definition comes from --json-file or from ${flags.join(', ')}, not from both`)
}

/**
 * The definition of a JSON file, or of standard input for `-`; the server checks it. `--name` overrides its name.
 * @throws Refusal not_readable, invalid_input (no JSON object).
 */
export async function readDefinition(file: string, name?: string): Promise<object> {
  const read = parse(await readWhole(file))
  if (typeof read !== 'object' || read === null || Array.isArray(read)) {
    throw new Refusal('invalid_input', `${file} holds no definition: it must be one JSON object`)
  }
  return name === undefined ? read : { ...read, name }
}

/** A new definition needs all fields; an edit may leave some out. @throws Refusal invalid_input. */
export function refuseIncomplete(definition: object, fields: readonly [string, string], file: string): void {
  const missing = fields.find((field) => !(field in definition))
  if (missing === undefined) return
  const place = file === '-' ? 'on standard input' : `in ${file}`
  throw new Refusal('invalid_input', `the definition ${place} has no ${missing}: it must have ${fields.join(' and ')}`)
}

/** A byte order mark, as editors and shells on Windows write it, is not part of the document. */
function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    const reason = error instanceof SyntaxError ? `JSON: ${error.message}` : 'UTF-8: store it in that encoding'
    throw new Refusal('invalid_input', `the definition is not ${reason}`)
  }
}

/** `/path`, `HOST/path` or a whole URL, in a form that a site may have. */
export function readPage(text: string): { hostname?: string; path: string } {
  const page = pageIn(text)
  readPath(page.path)
  if (page.hostname !== undefined) readHostName(page.hostname)
  return page
}

const readPath = judgedBy(exactPath)

function pageIn(text: string): { hostname?: string; path: string } {
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

/** Checks the form of a rule, such as `plan=pro`. */
export function readRuleForm(text: string): string {
  if (text.indexOf('=') >= 1) return text
  throw new BadUsage(`--rule ${quoted(text)} is not a rule: give KEY=VALUE, KEY=A,B or KEY=1..20`)
}

/**
 * `KEY=VALUE` for equality, `KEY=A,B` for one of several values of an enum, `KEY=1..20` for integers: the property's
 * declared kind decides.
 */
export function readRule(event_name: string, text: string, declared: readonly Property[]): object {
  const equals = readRuleForm(text).indexOf('=')
  const property_key = text.slice(0, equals)
  const value = text.slice(equals + 1)
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
