/** Reads the coverage of a site from the control store at one instant: the first read of every answer (rules 3). */
import { readSetting } from '#control/settings.ts'
import type { ControlDb, ControlStore } from '#control/store.ts'
import type {
  BuildRow,
  CoverageIntervalRow,
  DirtyDayRow,
  ExpiredCoverageRow,
  FailedHourRow,
  OpenDayWinnerRow,
  SenderRecordsRow,
  SenderRow,
  SourceRow,
} from '#control/tables.ts'
import type { DayRange } from '#days/windows.ts'
import { findBuilds } from '#derived/builds.ts'
import { findDirtyDays } from '#derived/dirty-days.ts'
import { isGateOpen } from '#sites/gates.ts'
import { namesPages } from '#sources/fidelity.ts'
import { type Authority, readAuthority } from '../authority/read-authority.ts'
import { findCountingReadings } from '../roll-ups/counting-readings.ts'

/** The hostnames of a zone as its provider names them; null: the token may not read them. */
export interface ZoneHostnames {
  source_id: string
  proxied: string[] | null
  unproxied: string[]
  checked_at: number | null
  /** False: the plan of the zone does not give the host or the path of requests. */
  names_pages: boolean
}

/** A day of a sender, `YYYY-MM-DD`. */
export type UnreadableDay = Pick<SenderRecordsRow, 'source_id' | 'sender' | 'day'>

/** Coverage of all time, by source. */
export interface CoverageEvidence {
  /** By id. */
  sources: SourceRow[]
  intervals: CoverageIntervalRow[]
  senders: SenderRow[]
  expired: ExpiredCoverageRow[]
  /** Days of senders of which over 1 % of the records were refused. */
  unreadable: UnreadableDay[]
  zones: ZoneHostnames[]
  /** The source that has counted each host of the open day so far; rows of other days have no meaning. */
  winners: OpenDayWinnerRow[]
  /** Hours of zones that keep failing. */
  failed_hours: FailedHourRow[]
}

export interface SiteCoverage extends CoverageEvidence {
  /** Days of the range with a roll-up that counts. */
  builds: BuildRow[]
  /** Sums of months that begin in the range; those of other builds than these do not count. */
  months: BuildRow[]
  /** Days of the range whose roll-up may be stale: read from facts. */
  dirty_days: string[]
  /** Days of the range whose roll-up counts and was made by an older version: newer tables have no rows of it yet. */
  outdated_days: string[]
  /** The marks of these days. */
  marks: DirtyDayRow[]
  /** Readings of providers' hours that count on days that may be read from facts, such as the last of the range. */
  readings: number[]
  registry_version: string | null
  /** Which source counts which host; null while the gate is closed, and primaries count (rules 5). */
  authority: Authority | null
}

/** Reads everything in one snapshot, so that coverage, roll-up pointers, registry version and gate belong together. */
export async function readSiteCoverage(control: ControlStore, siteId: string, range: DayRange): Promise<SiteCoverage> {
  return control.snapshot(async (tx) => {
    const builds = await findBuilds(tx, 'crawlers', siteId, range)
    const months = await findBuilds(tx, 'crawler_months', siteId, range)
    const { dirty_days, outdated_days, marks } = await findDirtyDays(tx, 'crawlers', siteId, range)
    const fact_days = [...new Set([...dirty_days, ...outdated_days, range.to])].sort()
    return {
      ...(await readCoverageEvidence(tx, siteId)),
      builds,
      months,
      dirty_days,
      outdated_days,
      marks,
      readings: await findCountingReadings(tx, siteId, fact_days),
      registry_version: await readSetting(tx, 'registry_version'),
      authority: (await isGateOpen(tx, siteId, 'crawler_authority_v2')) ? await readAuthority(tx, siteId) : null,
    }
  })
}

/** The sources of a site and what they covered. Call it in a snapshot or a transaction. */
export async function readCoverageEvidence(tx: ControlDb, siteId: string): Promise<CoverageEvidence> {
  const intervals = await tx
    .selectFrom('coverage_intervals')
    .selectAll()
    .where('site_id', '=', siteId)
    .orderBy('from_at')
    .orderBy('id')
    .execute()
  return { ...(await readCoverageSources(tx, siteId)), intervals }
}

/** The sources of a site and all that is known of them, except coverage. Call it in a snapshot or a transaction. */
export async function readCoverageSources(tx: ControlDb, siteId: string): Promise<Omit<CoverageEvidence, 'intervals'>> {
  const known = await tx.selectFrom('sources').selectAll().where('site_id', '=', siteId).orderBy('id').execute()
  const senders = await tx
    .selectFrom('senders')
    .innerJoin('sources', 'sources.id', 'senders.source_id')
    .selectAll('senders')
    .where('sources.site_id', '=', siteId)
    .execute()
  const expired = await tx
    .selectFrom('forgotten_watches')
    .innerJoin('sources', 'sources.id', 'forgotten_watches.source_id')
    .selectAll('forgotten_watches')
    .where('sources.site_id', '=', siteId)
    .execute()
  const unreadable = await tx
    .selectFrom('sender_records')
    .innerJoin('sources', 'sources.id', 'sender_records.source_id')
    .select(['sender_records.source_id', 'sender_records.sender', 'sender_records.day'])
    .where('sources.site_id', '=', siteId)
    .where(({ eb }) => eb(eb('sender_records.unreadable', '*', 100), '>', eb.ref('sender_records.records')))
    .execute()
  const zones = await tx
    .selectFrom('zones')
    .innerJoin('sources', 'sources.id', 'zones.source_id')
    .select([
      'zones.source_id',
      'zones.proxied',
      'zones.unproxied',
      'zones.hostnames_checked_at',
      'zones.refused_fields',
    ])
    .where('sources.site_id', '=', siteId)
    .execute()
  const winners = await tx.selectFrom('open_day_winners').selectAll().where('site_id', '=', siteId).execute()
  const failed_hours = await tx
    .selectFrom('failed_hours')
    .innerJoin('sources', 'sources.id', 'failed_hours.source_id')
    .selectAll('failed_hours')
    .where('sources.site_id', '=', siteId)
    .execute()
  return {
    winners,
    failed_hours,
    // Before its first stored evidence, an upload source is only a row that keeps its id for a repetition.
    sources: known.filter((source) => source.source_type !== 'log_upload' || source.connected_at !== null),
    senders,
    expired,
    unreadable,
    zones: zones.map((zone) => ({
      source_id: zone.source_id,
      proxied: zone.proxied === null ? null : JSON.parse(zone.proxied),
      unproxied: zone.unproxied === null ? [] : JSON.parse(zone.unproxied),
      checked_at: zone.hostnames_checked_at,
      names_pages: namesPages(zone.refused_fields),
    })),
  }
}
