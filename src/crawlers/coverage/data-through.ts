/** How far sources have reported (spec 2.2 data_through, rules 3). */
import type { CoverageIntervalRow, SenderRow, SourceRow } from '#control/tables.ts'
import { EXPECTED_MS } from './expected-observers.ts'

type Reporting = Pick<SourceRow, 'id' | 'data_through'>
type Reported = Pick<CoverageIntervalRow, 'source_id' | 'from_at' | 'to_at'> &
  Partial<Pick<CoverageIntervalRow, 'sender'>>

/**
 * The newest instant that a source had reported through at `asOf`; null if it had reported nothing by then. Of several
 * senders, the slowest one that is still expected decides.
 */
export function reportedThrough(
  source: Reporting,
  intervals: readonly Reported[],
  asOf: number,
  senders: readonly SenderRow[] = [],
): number | null {
  const own = intervals.filter((interval) => interval.source_id === source.id && interval.from_at < asOf)
  if (source.data_through === null || (source.data_through > asOf && own.length === 0)) return null
  // An interval that ends after `asOf` covers the time up to it. Days past the retention were reported, too.
  const whole = source.data_through <= asOf ? source.data_through : coveredThrough(own, asOf)
  const expected = senders.filter(
    (sender) =>
      sender.source_id === source.id && sender.retired_at === null && asOf - sender.last_received_at < EXPECTED_MS,
  )
  // The others may have reported later: of those that are expected, the slowest decides also when it is the only one.
  if (expected.length === 0) return whole
  return Math.min(whole, ...expected.map((sender) => senderThrough(sender, own, asOf, whole)))
}

function senderThrough(sender: SenderRow, own: readonly Reported[], asOf: number, whole: number): number {
  if (sender.last_record_at <= asOf) return sender.last_record_at
  const covered = own.filter((interval) => interval.sender === sender.name)
  return covered.length === 0 ? whole : coveredThrough(covered, asOf)
}

function coveredThrough(own: readonly Reported[], asOf: number): number {
  return own.reduce((latest, interval) => Math.max(latest, Math.min(interval.to_at, asOf)), Number.NEGATIVE_INFINITY)
}

/** The earliest of these instants; null if one of them is unknown, or there are none. */
export function earliest(instants: readonly (number | null)[]): number | null {
  const known = instants.filter((instant) => instant !== null)
  return known.length < instants.length || known.length === 0 ? null : Math.min(...known)
}
