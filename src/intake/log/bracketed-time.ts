/** Finds the time of a combined line, in brackets. */
import { type LocalZone, readTime } from './time.ts'

/** More brackets before a time are of another layout. */
const MAX_BRACKETS = 4
/** Longer than any time; the rest of a longer text is not read. */
const MAX_TIME_LENGTH = 64

export interface FoundTime {
  /** Epoch milliseconds. */
  at: number
  /** Offset of the opening bracket. */
  start: number
  /** Offset after the closing bracket. */
  end: number
}

/**
 * The time right before the first quote, else the first bracketed text that is a time. Fields before it may hold
 * brackets, and clients choose some of them: their user, the addresses that they forward.
 */
export function findTime(line: string, zone: LocalZone): FoundTime | null {
  const beside = timeAt(line, bracketBefore(line, firstQuote(line)), zone)
  if (beside !== null) return beside
  let start = line.indexOf('[')
  for (let tries = 0; start >= 0 && tries < MAX_BRACKETS; tries += 1) {
    const found = timeAt(line, start, zone)
    if (found !== null) return found
    start = line.indexOf('[', start + 1)
  }
  return null
}

function timeAt(line: string, start: number, zone: LocalZone): FoundTime | null {
  const close = start < 0 ? -1 : line.indexOf(']', start)
  if (close < 0) return null
  const at = readTime(line.slice(start + 1, Math.min(close, start + MAX_TIME_LENGTH)), zone)
  return Number.isNaN(at) ? null : { at, start, end: close + 1 }
}

/** Offset of the bracket that opens `[…] ` right before the quote; -1 without one. */
function bracketBefore(line: string, quote: number): number {
  return line.slice(quote - 2, quote) === '] ' ? line.lastIndexOf('[', quote - 2) : -1
}

/** Offset of the first quote that is not escaped; -1 without one. */
function firstQuote(line: string): number {
  let quote = line.indexOf('"')
  while (quote > 0 && line[quote - 1] === '\\') quote = line.indexOf('"', quote + 1)
  return quote
}
