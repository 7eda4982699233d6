/** Reads the fields of a raw record. An invalid value is a fault that names field and value. */
import { DAY_MS } from '#clock.ts'
import { dayStart } from '#days/utc-day.ts'
import { quoted, quotedValue } from '#foreign-text.ts'
import { memberAt } from '#json-members.ts'
import { formatCount } from '#quantities.ts'
import { FIRST_STORED_DAY } from '../day-range.ts'
import { RecordFault } from './answer-record.ts'

const MAX_LINE_LENGTH = 1_000
const MAX_ITEMS = 1_000

/** A text of one field; null where it is missing, null or empty. */
export function textField(raw: unknown, name: string, max_length = MAX_LINE_LENGTH): string | null {
  const value = memberAt(raw, name)
  if (value === undefined || value === null || value === '') return null
  if (typeof value !== 'string') throw invalid(name, value, 'a text')
  if (!value.isWellFormed()) throw invalid(name, value, 'well-formed Unicode')
  const length = [...value].length
  if (length <= max_length) return value
  throw new RecordFault('too_long', `${name} has ${length} characters; at most ${max_length} are allowed.`)
}

export function requiredText(raw: unknown, name: string, max_length?: number): string {
  const text = textField(raw, name, max_length)
  if (text === null || text.trim() === '')
    throw new RecordFault('missing', `${name} is missing: give it in every record.`)
  return text
}

/** A value of a closed set, or the default for a missing value. */
export function choiceField<C extends string, D extends C | null>(
  raw: unknown,
  name: string,
  choices: readonly C[],
  missing: D,
): C | D {
  const value = textField(raw, name)
  if (value === null) return missing
  const found = choices.find((choice) => choice === value)
  if (found === undefined) throw invalid(name, value, choices.join(', '))
  return found
}

/** A whole number from `least` to `most`. */
export function wholeField(raw: unknown, name: string, least = 0, most = Number.MAX_SAFE_INTEGER): number | null {
  const value = memberAt(raw, name)
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most) return value
  const upper = most === Number.MAX_SAFE_INTEGER ? 'or more' : `to ${formatCount(most)}`
  throw invalid(name, value, `a whole number of ${least} ${upper}`)
}

export function truthField(raw: unknown, name: string): boolean | null {
  const value = memberAt(raw, name)
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'boolean') return value
  throw invalid(name, value, 'true or false')
}

/** A list, or null if the field is missing. An empty list means that there were none. */
export function listField(raw: unknown, name: string): unknown[] | null {
  const value = memberAt(raw, name)
  if (value === undefined || value === null) return null
  if (!Array.isArray(value)) throw invalid(name, value, 'a list')
  if (value.length <= MAX_ITEMS) return value
  throw new RecordFault('too_long', `${name} has ${value.length} items; at most ${MAX_ITEMS} are allowed.`)
}

export function textsField(raw: unknown, name: string): string[] | null {
  const items = listField(raw, name)
  return items === null
    ? null
    : items.map((item, index) => requiredText({ [`${name}[${index}]`]: item }, `${name}[${index}]`))
}

export interface AnswerTime {
  asked_at: number
  asked_at_precision: 'instant' | 'day'
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/
const DAY = /^\d{4}-\d{2}-\d{2}$/
/** Tolerance for instants in the future: clocks of other machines may be ahead, and days begin earlier elsewhere. */
const MAX_AHEAD_MS = DAY_MS

/**
 * An instant with its zone, or a day, which is stored as midnight UTC and never used for hours. A day that comes with a
 * time is the day as it is written: midnight east of Greenwich lies on the day before in UTC.
 */
export function askedAtField(raw: unknown, now: number): AnswerTime {
  const text = requiredText(raw, 'asked_at')
  const is_day = DAY.test(text) || choiceField(raw, 'asked_at_precision', ['instant', 'day'], null) === 'day'
  const at = DAY.test(text) || INSTANT.test(text) ? Date.parse(text) : Number.NaN
  const asked_at = is_day && !Number.isNaN(at) ? Date.parse(text.slice(0, 10)) : at
  // JavaScript moves dates that do not exist, such as 30 February, to the next month.
  if (Number.isNaN(asked_at) || !isSameDay(text)) {
    const allowed = 'give an instant with its zone (2026-11-20T05:12:44Z) or a day (2026-11-20).'
    throw new RecordFault('invalid_date', `asked_at is ${quoted(text)}: ${allowed}`)
  }
  if (asked_at > now + MAX_AHEAD_MS)
    throw new RecordFault(
      'future_date',
      `asked_at is ${quoted(text)}, which is in the future: give an instant that has passed.`,
    )
  if (asked_at < dayStart(FIRST_STORED_DAY)) {
    throw new RecordFault('invalid_date', `asked_at is ${quoted(text)}: give a day of ${FIRST_STORED_DAY} or later.`)
  }
  return { asked_at, asked_at_precision: is_day ? 'day' : 'instant' }
}

function isSameDay(text: string): boolean {
  const day = text.slice(0, 10)
  const at = Date.parse(day)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day)
}

const invalid = (name: string, value: unknown, allowed: string): RecordFault =>
  new RecordFault('invalid', `${name} is ${quotedValue(value)}: give ${allowed}.`)
