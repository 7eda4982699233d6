/** A source as the wire shows it (spec 2.3, rules 3). */
import { instantText, utcDay } from '#clock.ts'
import type { Source } from '#contract/meta.ts'
import type { CoverageIntervalRow, SourceRow } from '#control/tables.ts'
import { countDays, reportedThrough } from '../coverage/counting.ts'

/** `intervals` may hold other sources' rows; nothing after `asOf` is told. */
export function describeSource(source: SourceRow, intervals: readonly CoverageIntervalRow[], asOf: number): Source {
  const own = intervals.filter((row) => row.source_id === source.id && row.from_at < asOf)
  const first = own.length === 0 ? null : utcDay(Math.min(...own.map((row) => row.from_at)))
  const through = reportedThrough(source, own, asOf)
  return {
    id: source.id,
    source_type: source.source_type,
    connection_status: source.connection_status,
    is_primary: source.is_primary === 1,
    connected_at: source.connected_at === null ? null : instantText(source.connected_at),
    data_through: through === null ? null : instantText(through),
    evidence_from: first,
    backfill: null,
    hostname_coverage: {},
    completeness: first === null ? null : worstSince(source, own, first, asOf),
    sampling: null,
    http_status_fidelity: first === null ? null : source.has_statuses === 1 ? 'exact' : 'unavailable',
  }
}

function worstSince(source: SourceRow, own: readonly CoverageIntervalRow[], first: string, asOf: number) {
  const { states } = countDays([source], own, { from: first, to: utcDay(asOf) }, asOf)
  return [...states.values()].every((state) => state === 'complete') ? 'complete' : 'partial'
}
