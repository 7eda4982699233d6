/** Reads times of access logs. A zone in the line decides; times without one are in the zone of the import. */
import { HOUR_MS, MINUTE_MS } from '#clock.ts'
import { Refusal } from '#refusal.ts'

/** Converts a wall-clock time, given as if it were UTC, to epoch milliseconds. */
export type LocalZone = (local: number) => number

/**
 * Epoch milliseconds of `dd/Mon/yyyy:HH:MM:SS +zzzz` at an offset of a line, always 26 characters; NaN for other text.
 * Day and zone of the line before are cached, because they rarely change in a log.
 */
export function readClfTime(text: string, at: number): number {
  const month = (text.charCodeAt(at + 3) << 16) | (text.charCodeAt(at + 4) << 8) | text.charCodeAt(at + 5)
  const day = (text.charCodeAt(at) << 8) | text.charCodeAt(at + 1)
  const century = (text.charCodeAt(at + 7) << 8) | text.charCodeAt(at + 8)
  const year = (text.charCodeAt(at + 9) << 8) | text.charCodeAt(at + 10)
  if (day !== known.day || month !== known.month || year !== known.year || century !== known.century) {
    known.starts_at = dayOf(text.slice(at, at + 11))
    known.day = day
    known.month = month
    known.year = year
    known.century = century
  }
  if (text.charCodeAt(at + 2) !== SLASH || text.charCodeAt(at + 6) !== SLASH) return Number.NaN
  if (text.charCodeAt(at + 11) !== COLON || text.charCodeAt(at + 14) !== COLON) return Number.NaN
  if (text.charCodeAt(at + 17) !== COLON || text.charCodeAt(at + 20) !== BLANK) return Number.NaN
  const hours = twoDigits(text, at + 12)
  const minutes = twoDigits(text, at + 15)
  const seconds = twoDigits(text, at + 18)
  const zone_hours = twoDigits(text, at + 22)
  const zone_minutes = twoDigits(text, at + 24)
  const sign = text.charCodeAt(at + 21)
  if (hours > 23 || minutes > 59 || seconds > 60 || zone_hours > 15 || zone_minutes > 59) return Number.NaN
  if (sign !== PLUS && sign !== MINUS) return Number.NaN
  const local = known.starts_at + (hours * 3600 + minutes * 60 + seconds) * 1000
  const offset = (zone_hours * 60 + zone_minutes) * 60_000
  return sign === PLUS ? local - offset : local + offset
}

/**
 * Epoch milliseconds of the content of a log's time brackets: CLF with or without fraction and zone, ISO 8601,
 * `yyyy/mm/dd hh:mm:ss`, or seconds since the epoch with a fraction (nginx's `$msec`).
 */
export function readTime(text: string, zone: LocalZone): number {
  const clf = CLF.exec(text)
  if (clf !== null) {
    const [, day = '', clock = '', fraction, zone_text] = clf
    return instantOf(dayOf(day), { clock, fraction, zone_text }, zone)
  }
  const iso = ISO.exec(text)
  if (iso === null) return EPOCH.test(text) ? Math.floor(Number(text) * 1000) : Number.NaN
  const [, year, , month, day, clock = '', fraction, zone_text] = iso
  return instantOf(calendarDay(Number(year), Number(month), Number(day)), { clock, fraction, zone_text }, zone)
}

/** The zone of times without one: `UTC`, `+02:00` or a name such as `Europe/Berlin`. @throws Refusal invalid_input. */
export function localZone(name: string): LocalZone {
  const fixed = /^(?:UTC|Z|GMT)$/i.test(name) ? 0 : offsetOf(name)
  if (!Number.isNaN(fixed)) return (local) => local - fixed
  const format = zoneFormat(name)
  const cache = new Map<number, number>()
  return (local) => {
    const quarter = Math.floor(local / (15 * MINUTE_MS))
    let offset = cache.get(quarter)
    if (offset === undefined) {
      if (cache.size > 100_000) cache.clear()
      offset = namedOffset(format, local)
      cache.set(quarter, offset)
    }
    return local - offset
  }
}

const BLANK = 32
const PLUS = 43
const MINUS = 45
const SLASH = 47
const COLON = 58
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const CLF = /^(\d{2}\/[A-Za-z]{3}\/\d{4}):(\d{2}:\d{2}:\d{2})(?:[.,](\d+))?(?: ?([+-]\d{2}:?\d{2}|Z))?$/
const ISO =
  /^(\d{4})([-/])(\d{2})\2(\d{2})[T ](\d{2}:\d{2}:\d{2})(?:[.,](\d{1,9}))?(?: ?([+-]\d{2}:?\d{2}|[+-]\d{2}|Z|UTC))?$/i

/** A time from 2001 to 2286, so that no other number of a line counts as a time. */
const EPOCH = /^\d{10}\.\d{1,6}$/

const known = { day: -1, month: -1, century: -1, year: -1, starts_at: Number.NaN }

/** 0 to 99; 100 if one of the two is not a digit, which the limits of all callers exclude. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48
  const ones = text.charCodeAt(at + 1) - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : 100
}

function dayOf(text: string): number {
  const month = MONTHS.indexOf(text.slice(3, 6).toLowerCase())
  const digits = text.slice(0, 2) + text.slice(7, 11)
  if (month < 0 || !/^\d{6}$/.test(digits)) return Number.NaN
  return calendarDay(Number(text.slice(7, 11)), month + 1, Number(text.slice(0, 2)))
}

/** First millisecond of a UTC day; NaN for invalid days and years before 1990, when there was no web. */
function calendarDay(year: number, month: number, day: number): number {
  const at = Date.UTC(year, month - 1, day)
  const date = new Date(at)
  return year >= 1990 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? at : Number.NaN
}

/** The text of a time within its day. */
interface TimeOfDay {
  /** HH:MM:SS */
  clock: string
  /** The digits of a fraction of a second. */
  fraction: string | undefined
  zone_text: string | undefined
}

function instantOf(day: number, { clock, fraction, zone_text }: TimeOfDay, zone: LocalZone): number {
  const hours = Number(clock.slice(0, 2))
  const minutes = Number(clock.slice(3, 5))
  const seconds = Number(clock.slice(6, 8))
  if (Number.isNaN(day) || hours > 23 || minutes > 59 || seconds > 60) return Number.NaN
  const milliseconds = fraction === undefined ? 0 : Number(fraction.slice(0, 3).padEnd(3, '0'))
  const local = day + hours * HOUR_MS + minutes * MINUTE_MS + seconds * 1000 + milliseconds
  if (zone_text === undefined) return zone(local)
  return /^(?:Z|UTC)$/i.test(zone_text) ? local : local - offsetOf(zone_text)
}

/** Milliseconds east of UTC of `+hh:mm`, `+hhmm` or `+hh`; NaN for other text. */
function offsetOf(text: string): number {
  const parts = /^([+-])(\d{2}):?(\d{2})?$/.exec(text)
  if (parts === null) return Number.NaN
  const hours = Number(parts[2])
  const minutes = parts[3] === undefined ? 0 : Number(parts[3])
  if (hours > 15 || minutes > 59) return Number.NaN
  return (parts[1] === '-' ? -1 : 1) * (hours * HOUR_MS + minutes * MINUTE_MS)
}

function zoneFormat(name: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: name, timeZoneName: 'longOffset' })
  } catch {
    throw new Refusal(
      'invalid_input',
      `the time zone "${name}" is not known; give UTC, an offset such as +02:00, or a name such as Europe/Berlin`,
    )
  }
}

/** The offset at a wall-clock time, found in two steps: as if the time were UTC, and at the resulting instant. */
function namedOffset(format: Intl.DateTimeFormat, local: number): number {
  return offsetAt(format, local - offsetAt(format, local))
}

function offsetAt(format: Intl.DateTimeFormat, at: number): number {
  const name = format.formatToParts(at).find((part) => part.type === 'timeZoneName')?.value
  const text = name === undefined || name === 'GMT' ? '+00:00' : name.slice(3)
  return offsetOf(text)
}
