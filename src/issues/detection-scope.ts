/**
 * What detection reads of a site: builds of its days, sources that count on them, and what each source sees (rules
 * 8.1).
 */
import { DAY_MS } from '#clock.ts'
import { PURPOSES } from '#contract/vocabulary.ts'
import { assignedHosts, countAssigned } from '#crawlers/authority/count-assigned.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import type { CountedDays } from '#crawlers/coverage/choose-counting-source.ts'
import { judgePrimaries } from '#crawlers/coverage/judge-primaries.ts'
import { readSiteCoverage, type SiteCoverage } from '#crawlers/coverage/site-coverage.ts'
import { type SourceGroup, sourceGroups } from '#crawlers/coverage/source-groups.ts'
import { listCode } from '#crawlers/identity/proof-facts.ts'
import type { Registry } from '#crawlers/registry/classify.ts'
import type { CrawlerScope } from '#crawlers/scope.sql.ts'
import { utcDay } from '#days/utc-day.ts'
import type { DayRange } from '#days/windows.ts'
import type { Fragment } from '#evidence/sql.ts'
import { findBelieved } from './believed-agents.ts'
import { DetectionDays } from './detection-days.ts'
import { PRIOR_DAYS, RULE_DAYS } from './harms.ts'
import { hasAssumedVantage, seesEdge } from './source-vantage.ts'

/** What its statements are made of. */
export interface OutcomeScope {
  /** Every purpose, and the open day from its newest build like every other. */
  scope: CrawlerScope & { registry_version: string }
  /** Sources that see what the edge answered. */
  edge_source_ids: string[]
  /** Crawlers whose vendor publishes networks, with the code of the list. */
  published: { crawler_id: string; list: string }[]
  /** The part `believed`: agents that may make or move an issue. */
  believed: Fragment
  as_of: number
}

export interface DetectionScope extends OutcomeScope {
  registry: Registry
  /** Sources whose vantage the owner has not set. */
  silent_source_ids: string[]
  /** What counts together; coverage is asked of it. */
  groups: SourceGroup[]
  /** The first day of what is read, `YYYY-MM-DD`: arrays by day begin with it. */
  first_day: string
  /** Days of the range with a build that retention has not reached: what they hold is known. */
  known_days: ReadonlySet<string>
  /** The same days as detection reads them. */
  days: DetectionDays
  is_gate_open: boolean
  /** Then nothing is alerted of. */
  is_clock_simulated: boolean
}

/**
 * Days before today that a detection looks back on when no issue rests on older ones: the rule's, and those before that
 * show use.
 */
const LOOK_BACK_DAYS = RULE_DAYS - 1 + PRIOR_DAYS

/**
 * Reads what detection needs in one snapshot of the control store; null while no registry is in force, and for a site
 * that was removed.
 * @param since the earliest day that an issue rests on, `YYYY-MM-DD`; null without one.
 */
export async function openDetection(
  ctx: CrawlerContext,
  site_id: string,
  since: string | null,
): Promise<DetectionScope | null> {
  const as_of = ctx.clock.now()
  const first = utcDay(as_of - LOOK_BACK_DAYS * DAY_MS)
  const range = { from: since !== null && since < first ? since : first, to: utcDay(as_of) }
  const site = await ctx.control.db
    .selectFrom('sites')
    .select('retention_days')
    .where('id', '=', site_id)
    .executeTakeFirst()
  const known = await readSiteCoverage(ctx.control, site_id, range)
  if (site === undefined || known.registry_version === null) return null
  // Evidence of this day, and of older ones, may be gone from a day that another source still covers.
  const ended = utcDay(as_of - site.retention_days * DAY_MS)
  const registry = await ctx.registries.open(known.registry_version)
  const { slices } = countedDays(known, range, as_of)
  const of = {
    scope: {
      site_id,
      registry_version: known.registry_version,
      purposes: [...PURPOSES],
      slices,
      as_of,
      builds: known.builds,
      months: [],
      fact_days: [],
      outdated_days: [],
      readings: [],
      facts_version: null,
    },
    published: registry.entries.flatMap(({ crawler_id, verification: { ip_ranges_url } }) =>
      ip_ranges_url === null ? [] : [{ crawler_id, list: listCode(ip_ranges_url) }],
    ),
  }
  const outcomes: OutcomeScope = {
    ...of,
    edge_source_ids: known.sources.filter(seesEdge).map(({ id }) => id),
    believed: await findBelieved(ctx, of),
    as_of,
  }
  return {
    ...outcomes,
    registry,
    silent_source_ids: known.sources.filter(hasAssumedVantage).map(({ id }) => id),
    groups: sourceGroups(known, range, as_of),
    first_day: range.from,
    known_days: new Set(known.builds.flatMap(({ day }) => (day > ended ? [day] : []))),
    days: new DetectionDays(ctx, outcomes),
    is_gate_open: known.authority !== null,
    is_clock_simulated: ctx.is_clock_simulated,
  }
}

function countedDays(known: SiteCoverage, range: DayRange, asOf: number): CountedDays {
  if (known.authority === null) return judgePrimaries(known, range, asOf).days
  const intervals = known.intervals.filter((row) => row.from_at < asOf)
  const groups = sourceGroups({ ...known, intervals }, range, asOf)
  return countAssigned(assignedHosts(known.authority, groups, range), range)
}
