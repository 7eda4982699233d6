/** Definitions as the command line takes them: a JSON document, or flags for the simple cases. */
import { InvalidArgumentError } from 'commander'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { quoted } from '#names.ts'
import { Refusal } from '#refusal.ts'
import { instantArgument } from './options.ts'
import { readWhole } from './whole-file.ts'

/** A declared property as `property.list` answers it. */
interface Declared {
  event_name: string
  property_key: string
  scalar_kind: string
  enum_values: string[] | null
  ended_at: string | null
}

export interface DefinitionOptions {
  name?: string
  jsonFile?: string
}

/**
 * The definition of a JSON file, or of standard input for `-`; whatever it holds is judged where it is stored. `--name` goes before
 * the name in it.
 * @throws Refusal not_readable, invalid_input (no JSON object, flags beside it).
 */
export async function readDefinition(
  file: string,
  name: string | undefined,
  flags: readonly string[],
): Promise<object> {
  if (flags.length > 0) {
    throw new Refusal(
      'invalid_input',
      `the definition comes from --json-file or from ${flags.join(', ')}, not from both`,
    )
  }
  const read = parse(decode(await readWhole(file)))
  if (typeof read !== 'object' || read === null || Array.isArray(read)) {
    throw new Refusal('invalid_input', `${file} holds no definition: it must be one JSON object`)
  }
  return name === undefined ? read : { ...read, name }
}

/** A byte order mark, as editors and shells of Windows write it, is none of the document. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Refusal('invalid_input', 'the definition is not UTF-8: store it in that encoding')
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Refusal(
      'invalid_input',
      `the definition is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    )
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
 * `KEY=VALUE` for equality, `KEY=A,B` for one of several values of an enum, `KEY=1..20` for a range of integers: which one it is,
 * the declared kind of the property says. A key that is not declared is left to who knows all of them.
 */
export function readRule(event_name: string, text: string, declared: readonly Declared[]): object {
  const equals = text.indexOf('=')
  const property_key = equals === -1 ? text : text.slice(0, equals)
  const value = equals === -1 ? '' : text.slice(equals + 1)
  if (equals < 1)
    throw new Refusal('invalid_input', `--rule ${quoted(text)} is not a rule: give KEY=VALUE, KEY=A,B or KEY=1..20`)
  const property = declared.find(
    (row) => row.event_name === event_name && row.property_key === property_key && row.ended_at === null,
  )
  return { property_key, ...comparisonOf(value, property) }
}

function comparisonOf(value: string, property: Declared | undefined): object {
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

/** What is meant as an instant, right or wrong. */
const INSTANT = /^\d{4}-\d{2}-\d{2}[Tt]/

/** A UTC day, which means its first instant, or an instant with its zone; epoch milliseconds. */
export function fromArgument(text: string): number {
  if (INSTANT.test(text)) return instantArgument(text)
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? dayStart(text) : Number.NaN
  if (!Number.isNaN(at) && utcDay(at) === text) return at
  throw new InvalidArgumentError(
    'Give a UTC day such as 2026-03-01, or an instant with a zone such as 2026-03-01T12:00:00Z.',
  )
}

export function revisionArgument(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new InvalidArgumentError('Give the number of a revision, from 1 up.')
  return Number(text)
}
