/** Reads values of JSON logs: numbers as strings, times in any common encoding, headers in lists. */
import type { JsonObject } from '../format.ts'
import { type LocalZone, readTime } from '../time.ts'

/** The text of a string or number; null for other values and missing keys. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  return typeof value === 'number' ? String(value) : null
}

/** The text of the first value that has one other than `-` and the empty text. */
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

/** The zone of times without one that are UTC according to their vendor. */
export const utc: LocalZone = (local) => local

/**
 * Epoch milliseconds of a time as text (see readTime), or as a number of seconds, milliseconds, microseconds or
 * nanoseconds, of which the size shows the unit; the number may be a string. NaN for other values and times before
 * 1990.
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

/** The smallest number of each unit, and the unit in milliseconds. */
const UNITS: readonly (readonly [number, number])[] = [
  [1e17, 1e-6],
  [1e14, 1e-3],
  [1e11, 1],
  [0, 1000],
]
const FIRST_WEB_YEAR = Date.UTC(1990, 0, 1)
const BEYOND_DATES = 8.64e15

/** The instant of a value, or why it has none. */
export function timeOf(value: unknown, zone: LocalZone): number | 'no_timestamp' | 'bad_timestamp' {
  if (value === undefined || value === null || value === '' || value === '-') return 'no_timestamp'
  const at = instantOf(value, zone)
  return Number.isNaN(at) ? 'bad_timestamp' : at
}
