/** The hosts of a site on which coverage is expected (rules 3, Hosts). */
import { DAY_MS } from '#clock.ts'
import { endedUploads } from './ended-uploads.ts'
import type { CoverageRecord, Interval, SourceGroup } from './source-groups.ts'

interface ExpectedHost {
  host: string
  /** End of the last day on which it is expected; null: it is still expected. */
  until: number | null
}

/**
 * The hosts of intervals; of the unproxied hosts of a zone those that another source has covered. A host that only
 * ended uploads have, or a zone that no longer lists it, is expected on the days that these covered.
 */
export function expectedHosts(record: CoverageRecord, groups: readonly SourceGroup[], asOf: number): ExpectedHost[] {
  const ended = endedUploads(record, asOf)
  const isDropped = droppedNames(record)
  const until = new Map<string, number>()
  for (const interval of record.intervals) {
    const { host, source_id, to_at } = interval
    const isOver = ended.has(source_id) || isDropped(interval)
    const end = isOver ? Math.ceil(to_at / DAY_MS) * DAY_MS : Number.POSITIVE_INFINITY
    until.set(host, Math.max(end, until.get(host) ?? end))
  }
  const elsewhere = record.zones
    .flatMap((zone) => zone.unproxied)
    .filter((host) => !until.has(host) && groups.some((group) => group.intervals(host).length > 0))
  for (const host of elsewhere) until.set(host, Number.POSITIVE_INFINITY)
  return [...until.keys()].sort().map((host) => {
    const end = until.get(host) as number
    return { host, until: Number.isFinite(end) ? end : null }
  })
}

/**
 * Returns whether an interval is of a name that its zone no longer lists: the zone covers all of its names alike, and
 * has covered others later. A name that bypasses the provider since then still exists, and stays expected.
 */
function droppedNames({ zones, intervals }: CoverageRecord): (interval: Interval) => boolean {
  const byZone = new Map(
    zones.map(({ source_id, unproxied }) => {
      const ends = new Map<string, number>()
      for (const { host, to_at } of intervals.filter((row) => row.source_id === source_id))
        ends.set(host, Math.max(to_at, ends.get(host) ?? to_at))
      return [source_id, { ends, last: Math.max(...ends.values()), unproxied: new Set(unproxied) }]
    }),
  )
  return ({ source_id, host }) => {
    const zone = byZone.get(source_id)
    const end = zone?.ends.get(host)
    return zone !== undefined && end !== undefined && end < zone.last && !zone.unproxied.has(host)
  }
}
