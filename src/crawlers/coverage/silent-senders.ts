/** Finds the silent senders of a live source: expected ones that make days incomplete (rules 3, Intake). */
import { DAY_MS } from '#clock.ts'
import { overlap, type TimeRange, union } from '#days/intervals.ts'
import { utcDay } from '#days/utc-day.ts'
import { expectationOf } from './expected-observers.ts'
import { FRESH_MS } from './host-day-completeness.ts'
import { wholeCoverage } from './observers.ts'
import type { CoverageRecord, CoverageSource } from './source-groups.ts'

export interface SenderSilence {
  sender: string
  /** UTC days on which it was expected and did not cover all of the time, ascending. */
  days: string[]
  /** Until when it is expected, epoch milliseconds. */
  expected_until: number
}

/** All senders by name, also those without silent days. Days before `since` (epoch milliseconds) are left out. */
export function senderSilences(
  source: CoverageSource,
  { intervals, expired, senders }: Pick<CoverageRecord, 'intervals' | 'expired' | 'senders'>,
  since: number,
  asOf: number,
): SenderSilence[] {
  const own = intervals.filter((row) => row.source_id === source.id && row.from_at < asOf)
  const bySender = Map.groupBy(own, (row) => row.sender ?? '')
  const before = Map.groupBy(
    expired.filter((row) => row.source_id === source.id),
    (row) => row.sender,
  )
  const rows = new Map(senders.filter((row) => row.source_id === source.id).map((row) => [row.name, row]))
  const names = new Set([...bySender.keys(), ...rows.keys()])
  return [...names].sort().map((name) => {
    const seen = bySender.get(name) ?? []
    const sender = rows.get(name)
    const expected = expectationOf(source, [...seen, ...(before.get(name) ?? [])], sender)
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

/** The limitations of these days by silent senders, as answers name them. */
export function silenceLimitations(silences: readonly SenderSilence[], days: ReadonlySet<string>): string[] {
  if (silences.length < 2) return []
  return silences
    .filter((silence) => silence.days.some((day) => days.has(day)))
    .map(({ sender }) => `sender_silent:${sender}`)
}
