/** The coverage of days by the hours of a zone that were read (rules 3). */
import { DAY_MS, HOUR_MS } from '#clock.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { HourReadingRow, SourceRow, ZoneRow } from '#control/tables.ts'
import { recordCoverage, removeCoveredDays } from '#crawlers/coverage/record-coverage.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { belongsTo } from '#sites/root-domain.ts'

/** The most names that are expected by name, because each needs a row for every change; others are covered, too. */
const MAX_HOSTS = 200

/**
 * The hosts that a zone covers: its proxied names of the site, including wildcards; `*` if its DNS records may not be
 * read or name no host. If it has hosts and none is proxied, it covers none, so that a day without requests does not
 * count as zero.
 */
export function coveredHosts(
  { proxied, unproxied, zone_name }: Pick<ZoneRow, 'proxied' | 'unproxied' | 'zone_name'>,
  root_domain: string,
): string[] {
  const through = namesIn(proxied)
  if (through.length === 0 && namesIn(unproxied).length === 0) return ['*']
  const names = through.filter((name) => belongsTo(name.replace(/^\*\./, ''), root_domain))
  const first = names.filter((name) => name === zone_name || name === root_domain || name === `www.${root_domain}`)
  return [...new Set([...first, ...names])].slice(0, MAX_HOSTS)
}

function namesIn(json: string | null): string[] {
  return json === null ? [] : (JSON.parse(json) as string[])
}

export interface DayRead {
  day: string
  /** Hours of the day that were read now, and never before. */
  first_hours: ReadonlySet<number>
  /** No hour of the zone was read before. */
  is_first: boolean
}

/**
 * Replaces the coverage of a UTC day by that of the readings of its hours. All hours of a day have the same quality,
 * because a day is judged as a whole, and hours with qualities of their own would fill the store. A name whose way has
 * changed keeps the hours that the zone covered for it, and gets no hours that were read before (rules 3, Hosts).
 */
export async function coverDay(
  tx: ControlTransaction,
  source: Pick<SourceRow, 'id' | 'site_id' | 'connected_at'>,
  { zone, root_domain }: { zone: ZoneRow; root_domain: string },
  read: DayRead,
): Promise<void> {
  const { day } = read
  const readings = await tx
    .selectFrom('hour_readings')
    .selectAll()
    .where('source_id', '=', source.id)
    .where('hour', '>=', dayStart(day))
    .where('hour', '<', dayStart(day) + DAY_MS)
    .orderBy('hour')
    .execute()
  const coversHour = await hoursOfHosts(tx, zone, root_domain, read)
  await removeCoveredDays(tx, source.id, new Set([day]))
  const kind = kindOf(readings, source.connected_at !== null && day < utcDay(source.connected_at))
  for (const [host, covers] of coversHour) {
    const hours = readings.filter(({ hour }) => covers(hour))
    const ranges = hours.map(({ hour }) => ({ from: hour, to: hour + HOUR_MS, silence_limit_ms: 0 }))
    const of = { site_id: source.site_id, source_id: source.id, host, is_declared: 0 as const }
    await recordCoverage(tx, { ...of, ...kind, ranges })
  }
}

/** Which hours of a day the zone covers, by host: those that it has covered for the host, and new ones. */
async function hoursOfHosts(
  tx: ControlTransaction,
  zone: ZoneRow,
  root_domain: string,
  { day, first_hours, is_first }: DayRead,
): Promise<Map<string, (hour: number) => boolean>> {
  const { source_id, hostnames_checked_at } = zone
  const spans = await tx
    .selectFrom('coverage_intervals')
    .select(({ fn }) => ['host', fn.min('from_at').as('begin'), fn.max('to_at').as('end')])
    .where('source_id', '=', source_id)
    .groupBy('host')
    .execute()
  const intervals = await tx
    .selectFrom('coverage_intervals')
    .select(['host', 'from_at', 'to_at'])
    .where('source_id', '=', source_id)
    .where('from_at', '<', dayStart(day) + DAY_MS)
    .where('to_at', '>', dayStart(day))
    .execute()
  const begin = spans.reduce((first, row) => Math.min(first, row.begin), Number.POSITIVE_INFINITY)
  const end = spans.reduce((last, row) => Math.max(last, row.end), Number.NEGATIVE_INFINITY)
  const spanOf = new Map(spans.map((row) => [row.host, row]))
  const unproxied = new Set(namesIn(zone.unproxied))
  const listed = coveredHosts(zone, root_domain)
  const isListed = new Set(listed)
  const firstKnown = (host: string) => {
    if (unproxied.has(host)) return Number.POSITIVE_INFINITY
    // A deleted name has no requests that the zone could miss: the zone covers it until the day ends.
    if (is_first || host === '*' || !isListed.has(host) || hostnames_checked_at === null) {
      return Number.NEGATIVE_INFINITY
    }
    const span = spanOf.get(host)
    // When a name came back since the last look at the DNS records is not known.
    if (span?.end !== end) return hostnames_checked_at
    // A name that the zone covered later than others went past it before.
    return span.begin > begin ? span.begin : Number.NEGATIVE_INFINITY
  }
  const byHost = Map.groupBy(intervals, ({ host }) => host)
  const left = [...byHost.keys()].filter((host) => host !== '*')
  return new Map(
    [...new Set([...listed, ...left])].map((host) => {
      const first_known = firstKnown(host)
      const covered = byHost.get(host) ?? []
      return [
        host,
        (hour) =>
          covered.some((row) => row.from_at <= hour && hour < row.to_at) ||
          (first_hours.has(hour) && hour >= first_known),
      ]
    }),
  )
}

/** The worst quality of the day's hours: capped, sampled, backfilled or complete. */
function kindOf(readings: readonly HourReadingRow[], is_backfill: boolean) {
  const shares = readings.flatMap((reading) => reading.sampling ?? [])
  const sampling = shares.length === 0 ? null : Math.min(...shares)
  const reason = readings.some((reading) => reading.is_capped === 1)
    ? 'capped'
    : sampling !== null
      ? 'sampled'
      : is_backfill
        ? 'backfill'
        : ''
  const quality: 'complete' | 'partial' = reason === '' ? 'complete' : 'partial'
  return { quality, reason, sampling, is_backfill: is_backfill ? (1 as const) : (0 as const) }
}

/**
 * Adds earlier coverage for newly listed names: a zone covers every proxied name, so that a new name was covered
 * before, too, unless it is known as unproxied. Otherwise a new name would make every earlier day partial.
 */
export async function adoptHosts(
  tx: ControlTransaction,
  source_id: string,
  before: Pick<ZoneRow, 'proxied' | 'unproxied' | 'zone_name'>,
  now: Pick<ZoneRow, 'proxied' | 'unproxied' | 'zone_name'>,
  root_domain: string,
): Promise<void> {
  const [before_hosts, hosts] = [coveredHosts(before, root_domain), coveredHosts(now, root_domain)]
  if (hosts.includes('*')) return
  if (before_hosts.length === 0) return
  const past = new Set(namesIn(before.unproxied))
  const joined = hosts.filter((host) => !before_hosts.includes(host) && !past.has(host))
  const intervals = await tx
    .selectFrom('coverage_intervals')
    .selectAll()
    .where('source_id', '=', source_id)
    .where('host', 'in', before_hosts)
    .orderBy('from_at')
    .execute()
  const [longest] = intervals
  for (const row of intervals.filter(({ host }) => host === longest?.host)) {
    const { from_at: from, to_at: to, silence_limit_ms } = row
    for (const host of joined) await recordCoverage(tx, { ...row, host, ranges: [{ from, to, silence_limit_ms }] })
  }
  // Coverage of `*` becomes coverage of the names: otherwise `*` would stay expected and make every day partial.
  if (before_hosts.includes('*') && joined.length > 0) {
    await tx.deleteFrom('coverage_intervals').where('source_id', '=', source_id).where('host', '=', '*').execute()
  }
}
