/**
 * The scope of a detection: builds of days, the sources that count, and the vantage of each source (rules 8.1).
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
import { PRIOR_DAYS, RULE_DAYS } from '../harms.ts'
import { DetectionDays } from './detection-days.ts'
import { findEligible } from './eligible-agents.ts'
import { hasAssumedVantage, seesEdge } from './source-vantage.ts'

/** The part of the scope that statements need. */
export interface OutcomeScope {
  /** Crawlers of every purpose. The open day is read from its newest build, like any other day. */
  scope: CrawlerScope & { registry_version: string }
  /** Sources that observe at the edge. */
  edge_source_ids: string[]
  /** Crawlers whose vendor publishes networks, with the code of the list. */
  published: { crawler_id: string; list: string }[]
  /** The part `eligible`: agents that may open or advance an issue. */
  eligible: Fragment
  as_of: number
}

export interface DetectionScope extends OutcomeScope {
  registry: Registry
  /** Sources whose vantage the owner has not set. */
  assumed_vantage_source_ids: string[]
  /** Sources that count together, with their coverage. */
  groups: SourceGroup[]
  /** The first day that is read, `YYYY-MM-DD`. Arrays by day begin with it. */
  first_day: string
  /** Days of the range that have a build and are within the site's retention. Nothing is known about other days. */
  known_days: ReadonlySet<string>
  /** Reads these days, and caches what it reads. */
  days: DetectionDays
  is_gate_open: boolean
  /** Under a simulated clock no alert is sent. */
  is_clock_simulated: boolean
}

/**
 * The days before today that a detection reads, unless an issue has older evidence: those of the rule and of prior use.
 */
const LOOK_BACK_DAYS = RULE_DAYS - 1 + PRIOR_DAYS

/**
 * Reads what a detection needs in one snapshot of the control store; null if no registry is in force yet, or the site
 * was removed.
 * @param since the first day of the evidence of issues, `YYYY-MM-DD`, or null without issues.
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
  // From this day on backwards, evidence of one source may be deleted while another one still covers the day.
  const ended = utcDay(as_of - site.retention_days * DAY_MS)
  const registry = await ctx.registries.open(known.registry_version)
  const { slices } = countedDays(known, range, as_of)
  const eligibility = {
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
    ...eligibility,
    edge_source_ids: known.sources.filter(seesEdge).map(({ id }) => id),
    eligible: await findEligible(ctx, eligibility),
    as_of,
  }
  return {
    ...outcomes,
    registry,
    assumed_vantage_source_ids: known.sources.filter(hasAssumedVantage).map(({ id }) => id),
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
