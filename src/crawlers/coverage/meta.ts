/** Meta of every crawler answer, and the scope from which that answer may take its counts (spec 2.2, rules 3). */
import { instantText } from '#clock.ts'
import type { Meta } from '#contract/meta.ts'
import type { Purpose } from '#contract/vocabulary.ts'
import { type DayRange, dayRanges, eachDay, windowDays } from '#days/windows.ts'
import { describeSources } from '#sources/describe-source.ts'
import { judgeAssigned } from '../authority/judge-assigned.ts'
import type { SiteContext } from '../context.ts'
import type { CrawlerScope } from '../scope.sql.ts'
import type { CountedDays } from './choose-counting-source.ts'
import { countingScope } from './counting-scope.ts'
import { daysCountedBy } from './counting-slices.ts'
import { judgePrimaries } from './judge-primaries.ts'
import type { CoverageVerdict } from './publish-count.ts'
import { readSiteCoverage, type SiteCoverage } from './site-coverage.ts'

/** What to read: a window that ends today, or days up to today. */
export type ReadDays = ({ window: string } | { days: DayRange }) & { purpose: readonly Purpose[] }

export interface CrawlerReading {
  meta: Meta
  verdict: CoverageVerdict
  scope: CrawlerScope
  /** How completely each day of the window was covered. */
  states: CountedDays['states']
  /** How completely each host was covered on these days. */
  ranks: CountedDays['ranks']
  /** False: a source that counts the host does not say to which of its pages requests were. */
  names_pages(host: string): boolean
  known: SiteCoverage
  range: DayRange
  as_of: number
}

/**
 * Opens one reading: coverage, gate, registry version and roll-up pointers first, counts after.
 * Counts may then exceed what coverage claims, never the reverse.
 */
export async function openReading(ctx: SiteContext, input: ReadDays): Promise<CrawlerReading> {
  const asOf = ctx.clock.now()
  const range = 'days' in input ? input.days : windowDays(input.window, asOf)
  const known = await readSiteCoverage(ctx.control, ctx.site.id, range)
  const { days, verdict, data_through, authority } =
    known.authority === null
      ? { ...judgePrimaries(known, range, asOf), authority: null }
      : await judgeAssigned(ctx, { ...known, authority: known.authority }, range, asOf)
  const without_pages = known.zones.filter((zone) => !zone.names_pages).map(({ source_id }) => source_id)
  return {
    verdict,
    known,
    range,
    states: days.states,
    ranks: days.ranks,
    names_pages: (host) => daysCountedBy(days.slices, { source_ids: without_pages }, host).length === 0,
    as_of: asOf,
    scope: countingScope(ctx.site.id, known, days.slices, input.purpose, asOf),
    meta: {
      as_of: instantText(asOf),
      window: { ...range, timezone: 'UTC' },
      coverage_state: verdict.state,
      purpose_filter: [...input.purpose],
      registry_version: known.registry_version,
      sources: describeSources(known, asOf),
      data_through: data_through === null ? null : instantText(data_through),
      gaps: known.sources.length === 0 ? [] : gaps(days, range),
      ...(authority === null ? {} : { authority }),
    },
  }
}

function gaps(days: CountedDays, range: DayRange): DayRange[] {
  return dayRanges(eachDay(range).filter((day) => days.states.get(day) === 'gap'))
}
