/** Describes sources for answers (spec 2.3, rules 3). */
import { DAY_MS, instantText } from '#clock.ts'
import type { Source } from '#contract/meta.ts'
import type { CoverageIntervalRow, SourceRow } from '#control/tables.ts'
import { countDays, isCoveredThroughout } from '#crawlers/coverage/choose-counting-source.ts'
import { reportedThrough } from '#crawlers/coverage/data-through.ts'
import { endedUploads } from '#crawlers/coverage/ended-uploads.ts'
import { remainingLimitations } from '#crawlers/coverage/remaining-limitations.ts'
import { senderSilences, silenceLimitations } from '#crawlers/coverage/silent-senders.ts'
import type { CoverageEvidence } from '#crawlers/coverage/site-coverage.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import type { DayRange } from '#days/windows.ts'
import { lowestSampling, statusFidelity } from './fidelity.ts'

/** Describes every source of `known`, as of `asOf`. */
export function describeSources(known: CoverageEvidence, asOf: number): Source[] {
  const ended = endedUploads({ ...known, sources: known.sources.filter((source) => source.is_primary === 1) }, asOf)
  return known.sources.map((source) => describeSource(source, known, ended, asOf))
}

function describeSource(source: SourceRow, known: CoverageEvidence, ended: ReadonlySet<string>, asOf: number): Source {
  const own = known.intervals.filter((row) => row.source_id === source.id && row.from_at < asOf)
  const first = own.length === 0 ? null : utcDay(own.reduce((least, row) => Math.min(least, row.from_at), asOf))
  const through = reportedThrough(source, own, asOf, known.senders)
  const covered = { ...known, intervals: own }
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
    completeness: first === null ? null : worstSince(source, covered, first, asOf),
    sampling: lowestSampling(own),
    http_status_fidelity: first === null ? null : statusFidelity(source),
    coverage_limitations: first === null ? [] : coverageLimitations(source, covered, first, asOf),
  }
}

/** The worst state since the first day: complete or, also after a gap, partial. */
function worstSince(source: SourceRow, own: CoverageEvidence, first: string, asOf: number) {
  const range = { from: first, to: utcDay(asOf) }
  return isCoveredThroughout({ ...own, source }, range, asOf) ? 'complete' : 'partial'
}

/** Limitations are reported for this time before today. */
const LIMITATIONS_MS = 29 * DAY_MS

/** Why recent days are not complete: the reasons of their intervals, and silent senders. */
function coverageLimitations(source: SourceRow, own: CoverageEvidence, first: string, asOf: number): string[] {
  const since = Math.max(dayStart(utcDay(asOf - LIMITATIONS_MS)), dayStart(first))
  const range = { from: utcDay(since), to: utcDay(asOf) }
  const { states } = countDays({ ...own, sources: [source] }, range, asOf)
  const incomplete = [...states].flatMap(([day, state]) => (state === 'complete' ? [] : [day]))
  if (incomplete.length === 0) return []
  const days = new Set(incomplete)
  const spans = incomplete.map(dayStart).map((from) => ({ from, to: from + DAY_MS }))
  const found = remainingLimitations(own.intervals, spans)
  const silences = source.source_type === 'https_intake' ? senderSilences(source, own, since, asOf) : []
  const hasFailingHours = own.failed_hours.some((row) => row.source_id === source.id && days.has(utcDay(row.hour)))
  if (own.unreadable.some((row) => row.source_id === source.id && days.has(row.day))) found.add('unreadable_lines')
  return [...found, ...(hasFailingHours ? ['hours_failing'] : []), ...silenceLimitations(silences, days)].sort()
}

/** The days of the provider's history before the day of the connection; only Cloudflare has them (rules 3). */
function backfillDays(source: SourceRow, own: readonly CoverageIntervalRow[]): DayRange | null {
  if (source.source_type !== 'cloudflare_zone' || source.connected_at === null) return null
  const connected = Math.floor(source.connected_at / DAY_MS) * DAY_MS
  const before = own.filter((row) => row.is_backfill === 1 && row.from_at < connected)
  if (before.length === 0) return null
  const last = before.reduce((latest, row) => Math.max(latest, Math.min(row.to_at, connected)), 0)
  const first = before.reduce((least, row) => Math.min(least, row.from_at), last)
  return { from: utcDay(first), to: utcDay(last - 1) }
}

function hostnameCoverage(source: SourceRow, { zones }: CoverageEvidence): Source['hostname_coverage'] {
  const zone = zones.find((row) => row.source_id === source.id)
  if (zone === undefined || zone.proxied === null) return {}
  const { proxied, unproxied, checked_at } = zone
  return { proxied, unproxied, ...(checked_at === null ? {} : { checked_at: instantText(checked_at) }) }
}
