/** What the control store knows about a site's evidence at one instant: the first read of every answer (rules 3, order is the safety). */
import type { ControlStore } from '#control/store.ts'
import type { CoverageIntervalRow, DayBuildRow, SourceRow } from '#control/tables.ts'
import { findCountingReadings } from '../roll-ups/counting-readings.ts'
import type { DayRange } from './window.ts'

export interface SiteCoverage {
  /** By id. */
  sources: SourceRow[]
  intervals: CoverageIntervalRow[]
  /** Days of the range with a roll-up that counts. */
  builds: DayBuildRow[]
  /** Days of the range whose roll-up may be stale: read from facts. */
  dirty_days: string[]
  /** Readings of providers' hours that count on the days that are read from facts: dirty ones and the last of the range. */
  readings: number[]
  registry_version: string | null
}

/** Reads everything in one snapshot, so that coverage, roll-up pointers and registry version belong together. */
export async function readSiteCoverage(control: ControlStore, siteId: string, range: DayRange): Promise<SiteCoverage> {
  return control.snapshot(async (tx) => {
    const known = await tx.selectFrom('sources').selectAll().where('site_id', '=', siteId).orderBy('id').execute()
    // An upload source is there from its first stored evidence on; before, its row only keeps its id for a repeat.
    const sources = known.filter((source) => source.source_type !== 'log_upload' || source.connected_at !== null)
    const intervals = await tx
      .selectFrom('coverage_intervals')
      .selectAll()
      .where('site_id', '=', siteId)
      .orderBy('from_at')
      .orderBy('id')
      .execute()
    const builds = await tx
      .selectFrom('day_builds')
      .selectAll()
      .where('site_id', '=', siteId)
      .where('day', '>=', range.from)
      .where('day', '<=', range.to)
      .orderBy('day')
      .execute()
    const dirty = await tx
      .selectFrom('dirty_days')
      .select('day')
      .distinct()
      .where('site_id', '=', siteId)
      .where('day', '>=', range.from)
      .where('day', '<=', range.to)
      .orderBy('day')
      .execute()
    const setting = await tx
      .selectFrom('settings')
      .select('value')
      .where('name', '=', 'registry_version')
      .executeTakeFirst()
    const dirty_days = dirty.map((row) => row.day)
    const fact_days = [...new Set([...dirty_days, range.to])].sort()
    return {
      sources,
      intervals,
      builds,
      dirty_days,
      readings: await findCountingReadings(tx, siteId, fact_days),
      registry_version: setting?.value ?? null,
    }
  })
}
