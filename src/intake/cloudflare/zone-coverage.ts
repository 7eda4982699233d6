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

/**
 * Replaces the coverage of a UTC day by that of the readings of its hours. All hours of a day have the same quality,
 * because a day is judged as a whole, and hours with qualities of their own would fill the store.
 */
export async function coverDay(
  tx: ControlTransaction,
  source: Pick<SourceRow, 'id' | 'site_id' | 'connected_at'>,
  hosts: readonly string[],
  day: string,
): Promise<void> {
  const readings = await tx
    .selectFrom('hour_readings')
    .selectAll()
    .where('source_id', '=', source.id)
    .where('hour', '>=', dayStart(day))
    .where('hour', '<', dayStart(day) + DAY_MS)
    .orderBy('hour')
    .execute()
  await removeCoveredDays(tx, source.id, new Set([day]))
  const kind = kindOf(readings, source.connected_at !== null && day < utcDay(source.connected_at))
  const ranges = readings.map(({ hour }) => ({ from: hour, to: hour + HOUR_MS, silence_limit_ms: 0 }))
  for (const host of hosts) {
    const of = { site_id: source.site_id, source_id: source.id, host, is_declared: 0 as const }
    await recordCoverage(tx, { ...of, ...kind, ranges })
  }
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
