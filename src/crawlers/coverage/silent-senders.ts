/** Which senders of a live source kept days from being complete: expected, and not heard of (rules 3, Intake). */
import { DAY_MS, HOUR_MS } from '#clock.ts'
import { overlap, type TimeRange, union } from '#days/intervals.ts'
import { utcDay } from '#days/utc-day.ts'
import { expectationOf } from './expected-observers.ts'
import { type CoverageRecord, type CoverageSource, wholeCoverage } from './source-groups.ts'

/** Today is complete while a source has reported within this time. */
const FRESH_MS = 2 * HOUR_MS

export interface SenderSilence {
  sender: string
  /** UTC days on which it was expected and was not covered all the time, ascending. */
  days: string[]
  /** Until when it is expected, epoch milliseconds. */
  expected_until: number
}

/** Senders by name; those with no such day too. Days before `since` (epoch milliseconds) are not looked at. */
export function senderSilences(
  source: CoverageSource,
  { intervals, expired, senders }: Pick<CoverageRecord, 'intervals' | 'expired' | 'senders'>,
  since: number,
  asOf: number,
): SenderSilence[] {
  const own = intervals.filter((row) => row.source_id === source.id && row.from_at < asOf)
  const before = expired.filter((row) => row.source_id === source.id)
  const rows = senders.filter((row) => row.source_id === source.id)
  const names = new Set([...own.map((row) => row.sender ?? ''), ...rows.map((row) => row.name)])
  return [...names].sort().map((name) => {
    const seen = own.filter((row) => (row.sender ?? '') === name)
    const sender = rows.find((row) => row.name === name)
    const expected = expectationOf(source, [...seen, ...before.filter((row) => row.sender === name)], sender)
    const fresh = sender !== undefined && asOf - sender.last_record_at < FRESH_MS ? sender.last_record_at : asOf
    const span = { from: Math.max(expected.from, since), to: Math.min(expected.to, fresh) }
    return { sender: name, days: missedDays(wholeCoverage(seen), span), expected_until: expected.to }
  })
}

function missedDays(ranges: readonly TimeRange[], { from, to }: TimeRange): string[] {
  const covered = union(ranges)
  const days: string[] = []
  for (let at = from; at < to; ) {
    const end = Math.min(to, Math.floor(at / DAY_MS) * DAY_MS + DAY_MS)
    if (overlap(covered, { from: at, to: end }) !== 'inside') days.push(utcDay(at))
    at = end
  }
  return days
}

/** Of several senders those that keep a day from being complete, as answers name them. */
export function silenceLimitations(silences: readonly SenderSilence[], days: ReadonlySet<string>): string[] {
  if (silences.length < 2) return []
  return silences
    .filter((silence) => silence.days.some((day) => days.has(day)))
    .map(({ sender }) => `sender_silent:${sender}`)
}
