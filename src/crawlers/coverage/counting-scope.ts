import type { Purpose } from '#contract/vocabulary.ts'
import { utcDay } from '#days/utc-day.ts'
import { eachDay } from '#days/windows.ts'
import type { CrawlerScope } from '../scope.sql.ts'
import type { CountingSlice } from './choose-counting-source.ts'
import type { SiteCoverage } from './site-coverage.ts'

/** The slices of a site's evidence that an answer may read: from roll-ups, and from facts where these may be stale. */
export function countingScope(
  site_id: string,
  known: Pick<SiteCoverage, 'builds' | 'dirty_days' | 'outdated_days' | 'readings' | 'registry_version'>,
  slices: CountingSlice[],
  purposes: readonly Purpose[],
  asOf: number,
): CrawlerScope {
  const counted = new Set(slices.flatMap((slice) => slice.days.flatMap(eachDay)))
  // Today is open: a roll-up of it may hold requests that lie after the service's now (clocks that differ, archived
  // logs).
  const fromFacts = new Set([...known.dirty_days, utcDay(asOf)])
  return {
    site_id,
    registry_version: known.registry_version,
    purposes: [...purposes],
    slices,
    as_of: asOf,
    builds: known.builds.filter((row) => !fromFacts.has(row.day) && counted.has(row.day)),
    fact_days: [...fromFacts].filter((day) => counted.has(day)).sort(),
    outdated_days: known.outdated_days,
    readings: known.readings,
  }
}
