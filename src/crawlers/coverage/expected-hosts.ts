/** The hosts of a site on which coverage is expected (rules 3, Hosts). */
import { DAY_MS } from '#clock.ts'
import { endedUploads } from './ended-uploads.ts'
import type { CoverageRecord, SourceGroup } from './source-groups.ts'

interface ExpectedHost {
  host: string
  /** End of the last day on which it is expected; null: it is expected on. */
  until: number | null
}

/**
 * Hosts that an interval belongs to; a zone's unproxied ones where anything else has ever covered them. One that only
 * uploads named which are primary no more is expected as long as these covered it.
 */
export function expectedHosts(record: CoverageRecord, groups: readonly SourceGroup[], asOf: number): ExpectedHost[] {
  const ended = endedUploads(record, asOf)
  const until = new Map<string, number>()
  for (const { host, source_id, to_at } of record.intervals) {
    const end = ended.has(source_id) ? Math.ceil(to_at / DAY_MS) * DAY_MS : Number.POSITIVE_INFINITY
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
