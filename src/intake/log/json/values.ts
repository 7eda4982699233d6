/** Values of JSON logs: numbers that may be strings, times in any of the usual encodings, headers in lists. */
import type { JsonObject } from '../format.ts'
import { type LocalZone, readTime } from '../time.ts'

/** The text of a string or number; null for everything else and for an absent key. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  return typeof value === 'number' ? String(value) : null
}

/** The first of several values that has text, `-` and the empty text left out. */
export function firstText(...values: unknown[]): string | null {
  for (const value of values) {
    const text = textOf(value)
    if (text !== null && text !== '' && text !== '-') return text
  }
  return null
}

/** A status as number or numeric string; null for none. */
export function statusOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isInteger(value) ? value : null
  return typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : null
}

/** The value if it is an object; null if it is not. */
export function objectOf(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null
}

/** Times that carry no zone and are UTC by their vendor's word. */
export const utc: LocalZone = (local) => local

/**
 * Epoch milliseconds of a time given as text (see readTime) or as a number, perhaps in a string, of seconds,
 * milliseconds, microseconds or nanoseconds, which its size gives. NaN for anything else and for times before 1990.
 */
export function instantOf(value: unknown, zone: LocalZone): number {
  if (typeof value === 'string' && !/^\d+(?:\.\d+)?$/.test(value)) return readTime(withoutBrackets(value), zone)
  if (typeof value !== 'string' && typeof value !== 'number') return Number.NaN
  const number = Number(value)
  const factor = UNITS.find(([least]) => number >= least)?.[1]
  const at = factor === undefined ? Number.NaN : Math.floor(number * factor)
  return at >= FIRST_WEB_YEAR && at < BEYOND_DATES ? at : Number.NaN
}

/** Apache writes brackets around its `%t`. */
function withoutBrackets(text: string): string {
  return text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text
}

/** From which size on a number counts in which unit, and that unit in milliseconds. */
const UNITS: readonly (readonly [number, number])[] = [
  [1e17, 1e-6],
  [1e14, 1e-3],
  [1e11, 1],
  [0, 1000],
]
const FIRST_WEB_YEAR = Date.UTC(1990, 0, 1)
const BEYOND_DATES = 8.64e15

/** The time outcome of a value: the instant, or why there is none. */
export function timeOf(value: unknown, zone: LocalZone): number | 'no_timestamp' | 'bad_timestamp' {
  if (value === undefined || value === null || value === '' || value === '-') return 'no_timestamp'
  const at = instantOf(value, zone)
  return Number.isNaN(at) ? 'bad_timestamp' : at
}
