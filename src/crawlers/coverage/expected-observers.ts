/** Which uploads count together, and when a server or a sender is expected (rules 3, Uploads and Intake). */
import { DAY_MS } from '#clock.ts'
import type { SenderRow } from '#control/tables.ts'
import type { TimeRange } from '#days/intervals.ts'
import { dayStart } from '#days/utc-day.ts'
import type { DayIndexes } from './host-day-completeness.ts'
import type { UnreadableDay } from './site-coverage.ts'
import type { CoverageRecord, CoverageSource, Interval } from './source-groups.ts'

/** How long after its last delivery a sender is still expected (rules 3). */
export const EXPECTED_MS = 7 * DAY_MS

/**
 * Named servers count together, and with them uploads that were moved to one of them, and the unnamed server until it
 * is disconnected (rules 3, Uploads). Every other source counts alone.
 */
export function groupKey(sources: readonly CoverageSource[]): (source: CoverageSource) => string {
  const named = new Set(sources.filter((source) => isUpload(source) && source.name !== '').map(({ id }) => id))
  return (source) => {
    if (!isUpload(source) || named.size === 0) return source.id
    const isServer = named.has(source.id) || source.connection_status !== 'disconnected'
    return isServer || (source.moved_to !== null && named.has(source.moved_to)) ? 'servers' : source.id
  }
}

function isUpload({ source_type }: CoverageSource): boolean {
  return source_type === 'log_upload'
}

/** Whether an interval covers a part of today. */
export function isOfToday(intervals: readonly Interval[] | undefined, { first, today }: DayIndexes): boolean {
  return intervals?.some((interval) => interval.to_at > (first + today) * DAY_MS) ?? false
}

/**
 * When this observer is expected: a sender from its first coverage until a week after its last delivery, a
 * retired one until its last coverage; the unnamed server from its first to its last covered day; a named one always
 * (rules 3).
 */
export function expectationOf(
  source: CoverageSource,
  own: readonly Pick<Interval, 'from_at' | 'to_at'>[],
  sender: SenderRow | undefined,
): TimeRange {
  const last = own.reduce((latest, interval) => Math.max(latest, interval.to_at), Number.NEGATIVE_INFINITY)
  const first = own.reduce((earliest, interval) => Math.min(earliest, interval.from_at), Number.POSITIVE_INFINITY)
  if (isUpload(source) && source.name === '') {
    return { from: Math.floor(first / DAY_MS) * DAY_MS, to: Math.ceil(last / DAY_MS) * DAY_MS }
  }
  if (source.source_type !== 'https_intake') {
    const to = source.connection_status === 'disconnected' ? last : Number.POSITIVE_INFINITY
    return { from: Number.NEGATIVE_INFINITY, to }
  }
  if (sender !== undefined && sender.retired_at !== null) return { from: first, to: last }
  return { from: first, to: Math.max(last, sender?.last_received_at ?? last) + EXPECTED_MS }
}

interface KnownSender {
  row: SenderRow | undefined
  /** Days on which too many of its records were refused for it to have covered them in full (rules 3). */
  unreadable: TimeRange[]
}

/** What is known of the senders of a source, by name: of any number at the cost of one look-up each. */
export function knownSenders(
  { senders, unreadable = [] }: Pick<CoverageRecord, 'senders' | 'unreadable'>,
  { id }: Pick<CoverageSource, 'id'>,
): (name: string) => KnownSender {
  const rows = new Map(senders.filter(({ source_id }) => source_id === id).map((row) => [row.name, row]))
  const days = Map.groupBy(
    unreadable.filter(({ source_id }) => source_id === id),
    ({ sender }) => sender,
  )
  const dayRange = ({ day }: UnreadableDay): TimeRange => ({ from: dayStart(day), to: dayStart(day) + DAY_MS })
  return (name) => ({ row: rows.get(name), unreadable: (days.get(name) ?? []).map(dayRange) })
}
