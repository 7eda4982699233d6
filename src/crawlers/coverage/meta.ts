/** Meta of every crawler answer, and with it the scope that the counts of that answer may be taken from (spec 2.2, rules 3). */
import { instantText, utcDay } from '#clock.ts'
import type { Meta } from '#contract/meta.ts'
import type { Purpose } from '#contract/vocabulary.ts'
import type { CoverageIntervalRow, SourceRow } from '#control/tables.ts'
import type { SiteContext } from '../context.ts'
import type { CrawlerScope } from '../scope.sql.ts'
import { describeSource } from '../sources/describe-source.ts'
import { type CountedDays, countDays, reportedThrough } from './counting.ts'
import type { CoverageVerdict } from './observed.ts'
import { readSiteCoverage, type SiteCoverage } from './site-coverage.ts'
import { type DayRange, dayRanges, eachDay, windowDays } from './window.ts'

export interface Reading {
  meta: Meta
  verdict: CoverageVerdict
  scope: CrawlerScope
}

/**
 * Opens one reading: coverage, registry version and roll-up pointers first, counts after.
 * Counts may then exceed what coverage claims, never the reverse.
 */
export async function openReading(
  ctx: SiteContext,
  input: { window: string; purpose: readonly Purpose[] },
): Promise<Reading> {
  const asOf = ctx.clock.now()
  const range = windowDays(input.window, asOf)
  const known = await readSiteCoverage(ctx.control, ctx.site.id, range)
  const primaries = known.sources.filter((source) => source.is_primary === 1)
  const primaryIds = new Set(primaries.map((source) => source.id))
  const intervals = known.intervals.filter((row) => primaryIds.has(row.source_id) && row.from_at < asOf)
  const days = countDays(primaries, intervals, range, asOf)
  // A source whose evidence has all outlived its retention has reported all the same: its days are gaps, not unknown.
  const has_reported = primaries.some((source) => source.data_through !== null && source.data_through < asOf)
  const verdict = judge(days, has_reported || intervals.length > 0)
  return {
    verdict,
    scope: countingScope(ctx, input.purpose, known, days, asOf),
    meta: {
      as_of: instantText(asOf),
      window: { ...range, timezone: 'UTC' },
      coverage_state: verdict.state,
      purpose_filter: [...input.purpose],
      registry_version: known.registry_version,
      sources: known.sources.map((source) => describeSource(source, known.intervals, asOf)),
      data_through: dataThrough(primaries, intervals, asOf),
      gaps: known.sources.length === 0 ? [] : gaps(days, range),
    },
  }
}

function judge(days: CountedDays, everReported: boolean): CoverageVerdict {
  const touched = days.slices.length > 0
  if (!everReported) return { state: 'unknown', touched: false }
  const complete = [...days.states.values()].every((state) => state === 'complete')
  return { state: complete ? 'complete' : 'partial', touched }
}

function gaps(days: CountedDays, range: DayRange): DayRange[] {
  return dayRanges(eachDay(range).filter((day) => days.states.get(day) === 'gap'))
}

/** The freshest instant every connected primary has reported through; null when one of them is unknown (spec 2.2). */
function dataThrough(
  primaries: readonly SourceRow[],
  intervals: readonly CoverageIntervalRow[],
  asOf: number,
): string | null {
  const through = primaries
    .filter((source) => source.connection_status !== 'disconnected')
    .map((source) => reportedThrough(source, intervals, asOf))
  const known = through.filter((instant) => instant !== null)
  if (known.length === 0 || known.length < through.length) return null
  return instantText(Math.min(...known))
}

function countingScope(
  ctx: SiteContext,
  purposes: readonly Purpose[],
  known: SiteCoverage,
  days: CountedDays,
  asOf: number,
): CrawlerScope {
  const counts = (day: string) => days.slices.some((slice) => slice.from <= day && day <= slice.to)
  // Today is open: a roll-up of it may hold requests that lie after the service's now (clocks that differ, archived logs).
  const fromFacts = new Set([...known.dirty_days, utcDay(asOf)])
  return {
    site_id: ctx.site.id,
    registry_version: known.registry_version,
    purposes: [...purposes],
    slices: days.slices,
    as_of: asOf,
    builds: known.builds.filter((row) => !fromFacts.has(row.day) && counts(row.day)),
    fact_days: [...fromFacts].filter(counts).sort(),
    readings: known.readings,
  }
}
