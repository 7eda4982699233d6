/** Timestamps of records: RFC 3339 with a zone, or Unix time whose size gives its unit (decisions 3.5). */
import { instantOf, utc } from '../log/json/values.ts'

/** Epoch milliseconds; NaN: neither. */
export function readTimestamp(value: unknown): number {
  if (typeof value === 'number') return readNumber(value)
  if (typeof value !== 'string' || value.length > 40) return Number.NaN
  if (value.charCodeAt(value.length - 1) === CAPITAL_Z && value.charCodeAt(10) === CAPITAL_T) {
    const at = readPlain(value)
    if (!Number.isNaN(at)) return at
  }
  // Nanoseconds have more digits than a number can hold, and are cut to milliseconds as text.
  if (NANOSECONDS.test(value)) return Number(value.slice(0, 13))
  if (NUMBER.test(value)) return readNumber(Number(value))
  return readRfc3339(value)
}

const CAPITAL_T = 84
const CAPITAL_Z = 90
const NANOSECONDS = /^[1-9]\d{18}$/
const NUMBER = /^\d{1,25}(?:\.\d{1,12})?$/
const FIRST_READ_SECONDS = Date.UTC(1990, 0, 1) / 1000

/** Numbers are Unix times; an early one is readable, and too old. */
function readNumber(value: number): number {
  return value >= 0 && value < FIRST_READ_SECONDS ? value * 1000 : instantOf(value, utc)
}

/** Reads `2026-03-09T10:00:00Z`, with or without milliseconds, without a regular expression: most senders write it. */
function readPlain(text: string): number {
  const has_milliseconds = text.length === 24
  if (!has_milliseconds && text.length !== 20) return Number.NaN
  const date = text.slice(0, 10)
  if (date !== known.date) {
    known.starts_at = /^\d{4}-\d\d-\d\d$/.test(date) ? calendarDay(date) : Number.NaN
    known.date = date
  }
  if (text.charCodeAt(13) !== COLON || text.charCodeAt(16) !== COLON) return Number.NaN
  if (has_milliseconds && text.charCodeAt(19) !== DOT) return Number.NaN
  const hours = digits(text, 11, 2)
  const minutes = digits(text, 14, 2)
  const seconds = digits(text, 17, 2)
  const milliseconds = has_milliseconds ? digits(text, 20, 3) : 0
  if (!(hours < 24 && minutes < 60 && seconds < 60)) return Number.NaN
  return known.starts_at + hours * 3_600_000 + minutes * 60_000 + seconds * 1000 + milliseconds
}

const known = { date: '', starts_at: Number.NaN }
const COLON = 58
const DOT = 46

/** The number of these digits; NaN: one of them is none. */
function digits(text: string, at: number, length: number): number {
  let value = 0
  for (let index = at; index < at + length; index++) {
    const digit = text.charCodeAt(index) - 48
    if (!(digit >= 0 && digit <= 9)) return Number.NaN
    value = value * 10 + digit
  }
  return value
}

const RFC_3339 = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):?(\d\d))$/

function readRfc3339(text: string): number {
  const parts = RFC_3339.exec(text)
  if (parts === null) return Number.NaN
  const [hours, minutes, seconds] = [Number(parts[2]), Number(parts[3]), Number(parts[4])]
  const fraction = parts[5] === undefined ? 0 : Number(parts[5].slice(0, 3).padEnd(3, '0'))
  const offset = parts[6] === undefined ? 0 : (Number(parts[7]) * 60 + Number(parts[8])) * 60_000
  // A leap second is read as the last moment of its minute.
  if (hours > 23 || minutes > 59 || seconds > 60 || offset >= 86_400_000) return Number.NaN
  const second = seconds === 60 ? 59_999 : seconds * 1000 + fraction
  const local = calendarDay(parts[1] as string) + hours * 3_600_000 + minutes * 60_000 + second
  return parts[6] === '-' ? local + offset : local - offset
}

/** The first millisecond of a day, or NaN if the day does not exist. */
function calendarDay(date: string): number {
  const at = Date.parse(`${date}T00:00:00Z`)
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== date ? Number.NaN : at
}
