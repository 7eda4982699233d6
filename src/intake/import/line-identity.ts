/** A line's identity before its ordinal (rules 4). */
import { hash } from 'node:crypto'
import { overlap, type TimeRange } from '#days/intervals.ts'

/** An upload whose days were moved to the server at hand. */
export interface MovedPart {
  source_id: string
  server: string
  /** The time that it covers, disjoint and ascending. */
  ranges: TimeRange[]
}

/** Which source and server a line is of. */
export interface LineOrigin {
  source_id: string
  server: string
  moved: readonly MovedPart[]
}

/** At least 128 bits of source, server and content, a character for each byte; the first 16 of them count. */
export function lineHash(origin: LineOrigin, line: string, at: number): string {
  const part = origin.moved.length === 0 ? undefined : origin.moved.find(({ ranges }) => isWithin(ranges, at))
  const { source_id, server } = part ?? origin
  return hash('sha256', `${source_id}\n${server}\n${line}`, 'latin1')
}

function isWithin(ranges: TimeRange[], at: number): boolean {
  return overlap(ranges, { from: at, to: at + 1 }) === 'inside'
}
