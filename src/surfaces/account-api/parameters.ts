/**
 * Reads the parameters of every route of surface B, and of the tools that take the same: nothing is coerced or
 * corrected, and every fault is reported (account API 1).
 */
import Type from 'typebox'
import { readCursor } from '#brands/cursor.ts'
import { defaultInterval, lastDayFaults, rangeFaults, readDay, resolveDays } from '#brands/day-range.ts'
import type { FieldFault } from '#brands/invalid-request.ts'
import { windowBefore } from '#brands/reports/periods.ts'
import { DAY_MS } from '#clock.ts'
import { MAX_RANGE_DAYS, PARAMETER_CODES } from '#contract/account-api/parameters.ts'
import { COUNTRIES } from '#contract/countries.ts'
import { CITATION_SOURCES, SEARCH_SOURCES } from '#contract/vocabulary.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { quoted } from '#foreign-text.ts'
import { hasControlCharacters } from '#names.ts'
import { belongsTo } from '#sites/root-domain.ts'

/** What a route takes. */
export interface TakenParameters {
  query: Type.TObject
  max_days?: number
}

export interface ParameterContext {
  /** The UTC day that `to` may not lie after. */
  today: string
  /** Domains of the brand that the route is about; `page` lies on one of them. */
  own_domains: readonly string[]
  /** What the path says: a cursor belongs to it. */
  path: Readonly<Record<string, string>>
}

export interface ReadParameters {
  /** Decoded values, defaults filled in; what has none and was left out is missing. Meaningful without faults only. */
  values: Record<string, unknown>
  /** Names that no route knows, safe to print. */
  ignored_parameters: string[]
  faults: FieldFault[]
}

type Name = keyof typeof PARAMETER_CODES

const MAX_IGNORED = 50
/** Days of earlier years are written with a sign, which stands before the digits. */
const FIRST_YEAR = '0000'

/** @param given values as sent, by name; several for a name that was repeated. */
export function readParameters(
  taken: TakenParameters,
  given: ReadonlyMap<string, readonly string[]>,
  context: ParameterContext,
): ReadParameters {
  const reading = new Reading(taken, context)
  for (const [name, texts] of given) reading.take(name, texts)
  reading.fillDefaults()
  reading.checkDays()
  reading.checkUrlReport()
  reading.checkCursor()
  return reading.result()
}

class Reading {
  readonly #taken: TakenParameters
  readonly #context: ParameterContext
  readonly #values: Record<string, unknown> = {}
  readonly #faults: FieldFault[] = []
  readonly #ignored = new Set<string>()

  constructor(taken: TakenParameters, context: ParameterContext) {
    this.#taken = taken
    this.#context = context
  }

  take(name: string, texts: readonly string[]): void {
    if (!isKnown(name)) {
      if (this.#ignored.size < MAX_IGNORED) this.#ignored.add(printable(name))
      return
    }
    const schema = this.#taken.query.properties[name]
    const [text = '', ...more] = texts
    if (schema === undefined) this.#refuse(name, 'invalid', `This route does not take ${name}: leave it out.`)
    else if (more.length > 0) {
      this.#refuse(name, PARAMETER_CODES[name], `${name} is given ${texts.length} times: give it once or leave it out.`)
    } else if (text === '')
      this.#refuse(name, PARAMETER_CODES[name], `${name} is empty: give it a value or leave it out.`)
    else this.#read(name, text, schema)
  }

  fillDefaults(): void {
    for (const [name, schema] of Object.entries(this.#taken.query.properties)) {
      if (!this.#isKnownOf(name) && 'default' in schema) this.#values[name] = structuredClone(schema.default)
    }
  }

  /** Both days, and the interval that suits them. */
  checkDays(): void {
    const { query, max_days = MAX_RANGE_DAYS } = this.#taken
    if (!('from' in query.properties)) return
    const { from, to } = this.#values as { from?: string; to?: string }
    if (this.#isFaulty('from') || this.#isFaulty('to')) {
      if (to !== undefined) this.#faults.push(...lastDayFaults(to, this.#context.today))
      return
    }
    const range = resolveDays(from, to, this.#today())
    Object.assign(this.#values, range)
    this.#faults.push(...rangeFaults(range, this.#context.today, max_days))
    if (this.#values.compare === 'previous' && !this.#isFaulty('from') && windowBefore(range).from < FIRST_YEAR) {
      this.#refuse('from', 'invalid_range', `from is ${range.from}, before which there is no period to compare with.`)
    }
    if ('interval' in query.properties && !this.#isKnownOf('interval')) {
      this.#values.interval = defaultInterval(range)
    }
  }

  /** The day that days which are left out end with: a list that was begun yesterday goes on with its days. */
  #today(): string {
    const { today, path } = this.#context
    const { from, to, cursor } = this.#values as { from?: string; to?: string; cursor?: string }
    if (cursor === undefined) return today
    const yesterday = utcDay(dayStart(today) - DAY_MS)
    const range = resolveDays(from, to, yesterday)
    return readCursor(cursor, { ...path, ...this.#values, ...range }) === null ? today : yesterday
  }

  /** `source` and `page` depend on `dimension`. */
  checkUrlReport(): void {
    const { properties } = this.#taken.query
    if (!('dimension' in properties) || this.#isFaulty('dimension')) return
    const { dimension, source } = this.#values as { dimension: string; source?: string }
    const is_of_search = dimension === 'page' || dimension === 'query'
    const sources: readonly string[] = is_of_search ? SEARCH_SOURCES : CITATION_SOURCES
    if (source !== undefined && !sources.includes(source)) {
      const message = `source is ${quoted(source)}; with dimension=${dimension} it is one of ${sources.join(', ')}.`
      this.#refuse('source', 'invalid_source', message)
    } else if (source === undefined && is_of_search && !this.#isFaulty('source')) this.#values.source = 'google'
    if (dimension === 'query' && !this.#isKnownOf('page')) {
      this.#refuse('page', 'query_needs_page', 'dimension=query needs page: the URL of a page on an own domain.')
    }
  }

  /** Last, because a cursor belongs to all filters. */
  checkCursor(): void {
    const { cursor } = this.#values
    if (typeof cursor !== 'string' || this.#faults.length > 0) return
    if (readCursor(cursor, { ...this.#context.path, ...this.#values }) !== null) return
    this.#refuse('cursor', 'invalid_cursor', 'This is not a cursor of these filters: start again without it.')
  }

  result(): ReadParameters {
    return { values: this.#values, ignored_parameters: [...this.#ignored], faults: this.#faults }
  }

  #read(name: Name, text: string, schema: Type.TSchema): void {
    const read = readValue(name, text, schema, this.#context)
    if ('value' in read) this.#values[name] = read.value
    else this.#refuse(name, PARAMETER_CODES[name], `${name} is ${quoted(text)}; allowed is ${read.allowed}.`)
  }

  #refuse(name: string, code: FieldFault['code'], message: string): void {
    this.#faults.push({ path: [name], code, message })
  }

  #isFaulty(name: string): boolean {
    return this.#faults.some(({ path }) => path[0] === name)
  }

  /** Given, rightly or wrongly. */
  #isKnownOf(name: string): boolean {
    return name in this.#values || this.#isFaulty(name)
  }
}

type ReadValue = { value: unknown } | { allowed: string }

function readValue(name: Name, text: string, schema: Type.TSchema, { own_domains }: ParameterContext): ReadValue {
  switch (name) {
    case 'from':
    case 'to':
      return orAllowed(readDay(text), 'a day that exists, as YYYY-MM-DD')
    case 'country':
      return orAllowed(
        text === 'none' || COUNTRIES.has(text) ? text : null,
        'a code of ISO 3166-1 alpha-2 in capitals, or none',
      )
    case 'question_id':
      return orAllowed(isUuid(text) ? text.toLowerCase() : null, 'a UUID')
    case 'page':
      return orAllowed(
        readPage(text, own_domains),
        `an absolute http or https URL on ${own_domains.join(', ') || 'a domain of the brand, which has none yet'}`,
      )
    case 'limit':
      return readNumber(text, schema, /^[1-9][0-9]*$/)
    case 'offset':
      return readNumber(text, schema, /^(?:0|[1-9][0-9]*)$/)
    case 'cursor':
      return { value: text }
    default:
      return readOfSet(text, schema)
  }
}

function readOfSet(text: string, schema: Type.TSchema): ReadValue {
  if (Type.IsBoolean(schema))
    return text === 'true' || text === 'false' ? { value: text === 'true' } : { allowed: 'true or false' }
  if (Type.IsArray(schema) && Type.IsEnum(schema.items)) return readList(text, schema.items.enum)
  if (Type.IsEnum(schema)) {
    return schema.enum.includes(text) ? { value: text } : { allowed: `one of ${schema.enum.join(', ')}` }
  }
  throw new Error('a parameter has a schema that nobody reads')
}

/** A comma list counts each member once and comes out in the order of its vocabulary. */
function readList(text: string, members: readonly unknown[]): ReadValue {
  const asked = new Set<unknown>(text.split(','))
  if ([...asked].every((member) => members.includes(member)))
    return { value: members.filter((each) => asked.has(each)) }
  return { allowed: `a comma-separated list of ${members.join(', ')}` }
}

function readNumber(text: string, schema: Type.TSchema, form: RegExp): ReadValue {
  const { minimum, maximum } = schema as Type.TNumberOptions
  const value = form.test(text) ? Number(text) : Number.NaN
  if (value >= Number(minimum) && value <= Number(maximum)) return { value }
  return { allowed: `a whole number from ${minimum} to ${maximum}, in digits without leading zeros` }
}

function readPage(text: string, own_domains: readonly string[]): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, hostname } = new URL(text)
  const is_own = own_domains.some((domain) => belongsTo(hostname.replace(/\.$/, ''), domain))
  return /^https?:$/.test(protocol) && is_own ? text : null
}

const orAllowed = (value: string | null, allowed: string): ReadValue => (value === null ? { allowed } : { value })

const isKnown = (name: string): name is Name => Object.hasOwn(PARAMETER_CODES, name)

/** Unknown parameter names are repeated in the answer, without control characters. */
const printable = (name: string): string =>
  [...name.toWellFormed()]
    .filter((character) => !hasControlCharacters(character))
    .slice(0, 100)
    .join('')

/** Whether a text is a UUID, in any case. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
