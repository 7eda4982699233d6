/** A source as the wire shows it (spec 2.3, rules 3). */
import { DAY_MS, instantText, utcDay } from '#clock.ts'
import type { Source } from '#contract/meta.ts'
import type { CoverageIntervalRow, SourceRow } from '#control/tables.ts'
import { countDays } from '../coverage/counting.ts'
import { endedUploads } from '../coverage/ended-uploads.ts'
import { reportedThrough } from '../coverage/reported.ts'
import type { WatchedEvidence } from '../coverage/site-coverage.ts'
import type { DayRange } from '../coverage/window.ts'
import { lowestSampling, statusFidelity } from './fidelity.ts'

/** Every source of `known`; nothing after `asOf` is published. */
export function describeSources(known: WatchedEvidence, asOf: number): Source[] {
  const ended = endedUploads({ ...known, sources: known.sources.filter((source) => source.is_primary === 1) }, asOf)
  return known.sources.map((source) => describeSource(source, known, ended, asOf))
}

function describeSource(
  source: SourceRow,
  known: WatchedEvidence,
  ended: ReadonlySet<string>,
  asOf: number,
): Source {
  const own = known.intervals.filter((row) => row.source_id === source.id && row.from_at < asOf)
  const first = own.length === 0 ? null : utcDay(own.reduce((least, row) => Math.min(least, row.from_at), asOf))
  const through = reportedThrough(source, own, asOf, known.senders)
  return {
    id: source.id,
    source_type: source.source_type,
    connection_status: source.connection_status,
    is_primary: source.is_primary === 1 && source.moved_to === null && !ended.has(source.id),
    connected_at: source.connected_at === null ? null : instantText(source.connected_at),
    data_through: through === null ? null : instantText(through),
    evidence_from: first,
    backfill: backfillDays(source, own),
    hostname_coverage: hostnameCoverage(source, known),
    completeness: first === null ? null : worstSince(source, { ...known, intervals: own }, first, asOf),
    sampling: lowestSampling(own),
    http_status_fidelity: first === null ? null : statusFidelity(source),
  }
}

/** A gap since its first day is no whole watch either: a source with evidence is complete or partial. */
function worstSince(source: SourceRow, own: WatchedEvidence, first: string, asOf: number) {
  const { states } = countDays({ ...own, sources: [source] }, { from: first, to: utcDay(asOf) }, asOf)
  return [...states.values()].every((state) => state === 'complete') ? 'complete' : 'partial'
}

/** Days of provider's history before the connection day; Cloudflare's only (rules 3). */
function backfillDays(source: SourceRow, own: readonly CoverageIntervalRow[]): DayRange | null {
  if (source.source_type !== 'cloudflare_zone' || source.connected_at === null) return null
  const connected = Math.floor(source.connected_at / DAY_MS) * DAY_MS
  const before = own.filter((row) => row.is_backfill === 1 && row.from_at < connected)
  if (before.length === 0) return null
  const last = before.reduce((latest, row) => Math.max(latest, Math.min(row.to_at, connected)), 0)
  const first = before.reduce((least, row) => Math.min(least, row.from_at), last)
  return { from: utcDay(first), to: utcDay(last - 1) }
}

function hostnameCoverage(source: SourceRow, { zones }: WatchedEvidence): Source['hostname_coverage'] {
  const zone = zones.find((row) => row.source_id === source.id)
  if (zone === undefined || zone.proxied === null) return {}
  const { proxied, unproxied, checked_at } = zone
  return { proxied, unproxied, ...(checked_at === null ? {} : { checked_at: instantText(checked_at) }) }
}
