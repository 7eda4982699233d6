/** How arguments and options are read; commander prints what a reader throws as bad usage. */
import { InvalidArgumentError } from 'commander'
import { dayStart, utcDay } from '#days/utc-day.ts'

const INSTANT =
  /^(\d{4}-\d{2}-\d{2})[Tt](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/** An instant from 1970 on, given as RFC 3339 with a zone, in epoch milliseconds. The stores count days from then. */
export function readInstant(text: string): number {
  const day = INSTANT.exec(text)?.[1]
  // Date.parse reads 30 February as 2 March.
  const exists = day !== undefined && !Number.isNaN(dayStart(day)) && utcDay(dayStart(day)) === day
  const at = exists ? Date.parse(text.toUpperCase()) : Number.NaN
  if (at >= 0) return at
  throw new InvalidArgumentError(
    'Give an instant that exists, with its zone, 1970 or later, for example 2026-03-01T12:00:00Z.',
  )
}

/** A UTC day, which means its first instant, or an instant with its zone; epoch milliseconds. */
export function readDayOrInstant(text: string): number {
  // A time of day makes it an instant, valid or not.
  if (/^\d{4}-\d{2}-\d{2}[Tt]/.test(text)) return readInstant(text)
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? dayStart(text) : Number.NaN
  if (!Number.isNaN(at) && utcDay(at) === text) return at
  throw new InvalidArgumentError(
    'Give a UTC day such as 2026-03-01, or an instant with a zone such as 2026-03-01T12:00:00Z.',
  )
}

/** A folder, not blank: an unset shell variable would otherwise mean the working directory. */
export function readFolder(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('Give the path of a folder, or leave the option out.')
  return text
}

/** Reads a port. */
export function readPort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError('Give a port, 0 to 65535.')
  return Number(text)
}

/** Reads `on` or `off`. */
export function readOnOff(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('Give on or off.')
  return text === 'on'
}

/** Reads a number that matches `pattern`; `advice` describes the pattern to a person. */
export function wholeNumber(pattern: RegExp, advice: string): (text: string) => number {
  return (text) => {
    if (!pattern.test(text)) throw new InvalidArgumentError(advice)
    return Number(text)
  }
}

/** Reads a whole number within bounds. */
export function wholeNumberBetween(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^(0|[1-9]\d{0,9})$/.test(text) ? Number(text) : Number.NaN
    if (number >= least && number <= most) return number
    throw new InvalidArgumentError(`Give a whole number, ${least} to ${most}.`)
  }
}

/** The maximum number of rows of a list. */
export const readLimit = wholeNumberBetween(1, 10_000)
