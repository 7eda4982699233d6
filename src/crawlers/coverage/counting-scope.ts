import { createHash } from 'node:crypto'
import type { Purpose } from '#contract/vocabulary.ts'
import { utcDay } from '#days/utc-day.ts'
import { eachDay } from '#days/windows.ts'
import { digestOf, firstOfMonth } from '../roll-ups/month-roll-ups.ts'
import type { CrawlerScope, MonthBuild } from '../scope.sql.ts'
import type { CountingSlice } from './counting-slices.ts'
import type { SiteCoverage } from './site-coverage.ts'

/** The scope of an answer that reads these slices: from roll-ups, and from facts on days with a stale roll-up. */
export function countingScope(
  site_id: string,
  known: Pick<
    SiteCoverage,
    'builds' | 'months' | 'dirty_days' | 'outdated_days' | 'marks' | 'readings' | 'registry_version'
  >,
  slices: CountingSlice[],
  purposes: readonly Purpose[],
  asOf: number,
): CrawlerScope {
  const counted = new Set(slices.flatMap((slice) => slice.days.flatMap(eachDay)))
  // A roll-up of today may have requests from after the service's now (clocks that differ, archived logs).
  const fromFacts = new Set([...known.dirty_days, utcDay(asOf)])
  const builds = known.builds.filter((row) => !fromFacts.has(row.day) && counted.has(row.day))
  const fact_days = [...fromFacts].filter((day) => counted.has(day)).sort()
  return {
    site_id,
    registry_version: known.registry_version,
    purposes: [...purposes],
    slices,
    as_of: asOf,
    builds,
    months: countingMonths(known, slices, builds),
    fact_days,
    outdated_days: known.outdated_days,
    readings: known.readings,
    facts_version: versionOfFacts(known, new Set([...fact_days, ...known.outdated_days])),
  }
}

/**
 * Identifies the facts of these days in the snapshot; null while facts of them are being written. Every writer of facts
 * marks their day first, and only another build removes a mark: if the text is the same, nothing was written in
 * between.
 */
function versionOfFacts(
  { marks, builds, readings }: Pick<SiteCoverage, 'marks' | 'builds' | 'readings'>,
  days: ReadonlySet<string>,
): string | null {
  const of_days = marks.filter(({ day }) => days.has(day))
  if (of_days.some(({ state }) => state !== 'written')) return null
  const marked = of_days.map(({ day, cause, marked }) => `${day} ${cause} ${marked}`)
  const built = builds.filter(({ day }) => days.has(day)).map(({ day, build }) => `${day} ${build}`)
  return createHash('sha256')
    .update(JSON.stringify([marked.sort(), built, readings]))
    .digest('base64')
}

/**
 * Months whose sum may replace the builds of their days: it sums exactly these builds, all of them count, and every
 * slice has all of their days in one range, or none of them.
 */
function countingMonths(
  known: Pick<SiteCoverage, 'builds' | 'months' | 'outdated_days'>,
  slices: readonly CountingSlice[],
  builds: readonly { day: string }[],
): MonthBuild[] {
  const byMonth = Map.groupBy(known.builds, ({ day }) => firstOfMonth(day))
  const counting = new Set(builds.map(({ day }) => day))
  for (const day of known.outdated_days) counting.delete(day)
  return known.months.flatMap(({ day: month, part, build }) => {
    const summed = byMonth.get(month) ?? []
    const first = summed[0]
    const last = summed.at(-1)
    if (first === undefined || last === undefined || digestOf(summed) !== part) return []
    const isWhole = ({ days }: CountingSlice) =>
      days.some(({ from, to }) => from <= first.day && last.day <= to) ||
      !days.some(({ from, to }) => summed.some(({ day }) => from <= day && day <= to))
    if (!summed.every(({ day }) => counting.has(day)) || !slices.every(isWhole)) return []
    return [{ month, build, from: first.day, to: last.day }]
  })
}
