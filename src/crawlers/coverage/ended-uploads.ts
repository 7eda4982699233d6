/** Uploads that are no longer primary, because other primaries have later evidence of all their hosts (rules 3). */

import { reportedThrough } from './data-through.ts'
import type { CoverageRecord, CoverageSource, Interval, ZoneHosts } from './source-groups.ts'
import { EVERY_HOST, isWildcard, isWithin } from './wildcard-hosts.ts'

type Known = Pick<CoverageRecord, 'sources' | 'intervals' | 'senders' | 'zones'>

/**
 * Ids of such uploads. The days that they covered still count, but they do not delay `data_through`, and their hosts
 * are not expected on later days. The sources of `known` are the primaries. No upload ends a named server, which has
 * requests of its own.
 */
export function endedUploads(known: Known, asOf: number): ReadonlySet<string> {
  const bySource = Map.groupBy(
    known.intervals.filter((row) => row.from_at < asOf),
    (row) => row.source_id,
  )
  const ended = new Set<string>()
  for (const upload of known.sources) {
    if (upload.source_type !== 'log_upload') continue
    const own = bySource.get(upload.id) ?? []
    const through = reportedThrough(upload, own, asOf)
    if (through === null) continue
    const later = known.sources
      .filter((other) => other.id !== upload.id && other.connection_status !== 'disconnected')
      .filter((other) => other.source_type !== 'log_upload' || upload.name === '')
      .flatMap((other) => laterCoverage(other, bySource.get(other.id) ?? [], known, through, asOf))
    // Coverage past its retention has no hosts any more, so it counts as coverage of all hosts.
    const hosts = own.length === 0 ? [EVERY_HOST] : [...new Set(own.map((row) => row.host))]
    if (hosts.every((host) => later.some((coverage) => covers(coverage, host)))) ended.add(upload.id)
  }
  return ended
}

interface LaterCoverage {
  host: string
  zone: ZoneHosts | undefined
}

/** The hosts that a source covered after `through`. */
function laterCoverage(
  source: CoverageSource,
  own: readonly Interval[],
  { senders, zones }: Known,
  through: number,
  asOf: number,
): LaterCoverage[] {
  const reported = reportedThrough(source, own, asOf, senders)
  if (reported === null || reported <= through) return []
  const zone = zones.find((row) => row.source_id === source.id)
  const hosts = new Set(own.filter((row) => Math.min(row.to_at, asOf) > through).map((row) => row.host))
  return [...hosts].map((host) => ({ host, zone }))
}

/** Whether later coverage includes a host. A zone covers all hosts if all names of the site go through the provider. */
function covers({ host: covered, zone }: LaterCoverage, host: string): boolean {
  if (covered === host) return true
  if (zone?.unproxied.includes(host)) return false
  if (covered === EVERY_HOST) return true
  if (host === EVERY_HOST) return zone !== undefined && zone.unproxied.length === 0
  return isWildcard(covered) && isWithin(host, covered)
}
