/** What a crawler answer counts: a site, its counting sources, the days, the labels of one registry version. */
import type { Purpose } from '#contract/vocabulary.ts'
import type { DayRange } from '#days/windows.ts'
import { and, day, type Fragment, instant, list, or, sql, text, tuples, unionAll, uuid } from '#evidence/sql.ts'
import type { CountingSlice } from './coverage/counting-slices.ts'
import { isWildcard } from './coverage/wildcard-hosts.ts'
import { inCountingReadings } from './roll-ups/counting-readings.ts'

/** A month, named by its first day, with the build of its sum and the range of days that it sums. */
export interface MonthBuild extends DayRange {
  month: string
  build: number
}

export interface CrawlerScope {
  site_id: string
  registry_version: string | null
  /** In the canonical order of the vocabulary. */
  purposes: Purpose[]
  slices: CountingSlice[]
  /** Roll-up builds that count, for days that are not read from facts. */
  builds: { day: string; build: number }[]
  /** Sums of months that count instead of the builds of their days, from the first to the last day with a build. */
  months: MonthBuild[]
  /** Days read from facts: today, and those whose roll-up may be stale. */
  fact_days: string[]
  /** Days with a build that an older version made: it has no rows in page_outcomes_daily. */
  outdated_days: string[]
  /** Readings of providers' hours that count on those days (rules 4). */
  readings: number[]
  /** Identifies the facts of the days that are read from facts; null while any are being written. */
  facts_version: string | null
  /** Only facts that arrived from `from` to before `to`, epoch milliseconds, of those days; absent for all. */
  arrived?: { from: number; to: number | null }
  /** Epoch milliseconds; no later request counts. */
  as_of: number
}

/** True when no evidence can be in scope, so that no statement needs to run. */
export function isEmpty(scope: CrawlerScope): boolean {
  return scope.registry_version === null || (scope.builds.length === 0 && scope.fact_days.length === 0)
}

/** Rows of a roll-up that belong to builds that count. */
export const inCountedBuilds = (scope: CrawlerScope): Fragment =>
  and([
    sql`site_id = ${uuid(scope.site_id)}`,
    sql`(day, build) IN ${tuples(
      'Tuple(Date, UInt64)',
      scope.builds.map((row) => [row.day, String(row.build)]),
    )}`,
    inSlices(scope, inDays),
  ])

/** Rows of sums of months that count. */
const inCountedMonths = (scope: CrawlerScope): Fragment =>
  and([
    sql`site_id = ${uuid(scope.site_id)}`,
    sql`(month, build) IN ${tuples(
      'Tuple(Date, UInt64)',
      scope.months.map((row) => [row.month, String(row.build)]),
    )}`,
    inSlices(scope, (ranges) => {
      const within = scope.months.filter((month) => ranges.some(({ from, to }) => from <= month.from && month.to <= to))
      return sql`month IN ${list(
        'Date',
        within.map(({ month }) => month),
      )}`
    }),
  ])

/** Facts of the days that are read from facts. */
export const inFactDays = (scope: CrawlerScope): Fragment =>
  and([
    sql`site_id = ${uuid(scope.site_id)}`,
    sql`day IN ${list('Date', scope.fact_days)}`,
    sql`at <= ${instant(scope.as_of)}`,
    inCountingReadings(scope.readings),
    inSlices(scope, inDays),
    ...(scope.arrived === undefined ? [] : [arrivedWithin(scope.arrived)]),
  ])

/**
 * A fact arrives when it has been received and its instant is over, so that each fact is in one of consecutive
 * intervals. The expression is that of the table's index `came`, by which the engine finds parts that may hold such
 * facts.
 */
const arrivedWithin = ({ from, to }: NonNullable<CrawlerScope['arrived']>): Fragment =>
  and([
    ...(from === 0 ? [] : [sql`greatest(at, received_at) >= ${instant(from)}`]),
    ...(to === null ? [] : [sql`greatest(at, received_at) < ${instant(to)}`]),
  ])

/**
 * Events of a batch without ids differ in their last 32 bits only (ADR 11), so all of them have this number. The engine
 * knows that a quotient grows with its dividend, and finds the batch by the key of the table.
 */
const BATCH_OF_EVENT = sql`intDiv(event, toUInt64(4294967296))`

/**
 * Facts at their first receipt. FINAL compares all rows that it is given. For an interval of arrival it is given the
 * whole batches that have a row in it, so that an earlier receipt of the same event, which wins, is read too.
 */
const factsOf = (scope: CrawlerScope): Fragment =>
  scope.arrived === undefined || scope.arrived.from === 0
    ? sql`spoor.requests FINAL
    WHERE ${inFactDays(scope)}`
    : sql`spoor.requests FINAL
    PREWHERE ${BATCH_OF_EVENT} IN (
      SELECT ${BATCH_OF_EVENT} FROM spoor.requests
      WHERE site_id = ${uuid(scope.site_id)} AND day IN ${list('Date', scope.fact_days)} AND ${arrivedWithin(scope.arrived)}
    )
    WHERE ${inFactDays(scope)}`

/** The sources that count, per day and host (rules 3: exactly one per host and day). */
const inSlices = (scope: CrawlerScope, within: (ranges: readonly DayRange[]) => Fragment): Fragment =>
  or(
    scope.slices.map((slice) =>
      and([within(slice.days), sql`source_id IN ${list('UUID', slice.source_ids)}`, ...inHosts(slice.hosts)]),
    ),
  )

const inDays = (ranges: readonly DayRange[]): Fragment =>
  or(ranges.map(({ from, to }) => sql`day BETWEEN ${day(from)} AND ${day(to)}`))

function inHosts(hosts: CountingSlice['hosts']): Fragment[] {
  if (hosts === null) return []
  if ('only' in hosts) return [isAmong(hosts.only, hosts.named)]
  return [sql`NOT ${isAmong(hosts.except, hosts.named)}`]
}

/** A condition on `host`. A wildcard includes the hosts below it that are not judged by their own names. */
function isAmong(names: readonly string[], named: readonly string[] = []): Fragment {
  const below = names
    .filter(isWildcard)
    .map((wildcard) => sql`endsWith(host, ${text(wildcard.slice(1))}) AND host NOT IN ${list('String', named)}`)
  return or([sql`host IN ${list('String', names)}`, ...below])
}

/**
 * The part `labels`: labels of one registry version, without agents that are not counted (scope ads, decisions 3.3).
 */
export const labels = (scope: CrawlerScope): Fragment => sql`
  -- What the registry says about each agent.
  labels AS (${labelsOfVersion(scope)}
  )`

/** The SELECT of `labels`. */
export const labelsOfVersion = (scope: CrawlerScope): Fragment => sql`
    SELECT agent_key, crawler_id, purpose, identity, scope
    FROM spoor.agent_labels FINAL
    WHERE registry_version = ${text(scope.registry_version as string)} AND scope != 'ads'`

/** True for a label that passes the purpose filter. */
export const passesFilter = (scope: CrawlerScope): Fragment => sql`purpose IN ${list('String', scope.purposes)}`

/**
 * The part `counted`: these columns from the builds of days, from sums of months if `ofMonths` is given, and from facts
 * for days without a build that counts.
 */
const counted = (
  { months, ...scope }: CrawlerScope,
  rolledUp: Fragment,
  facts: Fragment,
  { name = sql`counted`, ofMonths }: { name?: Fragment; ofMonths?: Fragment } = {},
): Fragment => {
  const isSummed = ({ day }: { day: string }) => months.some(({ from, to }) => from <= day && day <= to)
  const builds = ofMonths === undefined ? scope.builds : scope.builds.filter((build) => !isSummed(build))
  return sql`
  -- Requests that count; of some there may be several rows.
  ${name} AS (${unionAll([
    builds.length > 0 &&
      sql`
    ${rolledUp}
    WHERE ${inCountedBuilds({ ...scope, months, builds })}`,
    ofMonths !== undefined &&
      months.length > 0 &&
      sql`
    ${ofMonths}
    WHERE ${inCountedMonths({ ...scope, months })}`,
    scope.fact_days.length > 0 &&
      sql`
    ${facts}
    FROM ${factsOf({ ...scope, months })}`,
  ])}
  )`
}

/** Counted requests by day, agent, status and class of path, from which most answers are folded. */
export function countedRequests(scope: CrawlerScope): Fragment {
  const columns = sql`SELECT day, agent_key, status, path_class, requests`
  return counted(scope, sql`${columns} FROM spoor.crawler_daily`, columns)
}

/** Counted requests by day, host and source, to compare sources. */
export function countedHosts(scope: CrawlerScope): Fragment {
  const columns = sql`SELECT day, host, source_id, agent_key, requests`
  return counted(scope, sql`${columns} FROM spoor.crawler_daily`, columns)
}

/** Counted requests by page and status, with their first and last instant: every column that answers read. */
export function countedOutcomes(scope: CrawlerScope, name: Fragment = sql`counted`): Fragment {
  const columns = sql`SELECT page_id, agent_key, status, requests, first_at, last_at`
  return counted(
    withoutOutdated(scope),
    sql`${columns} FROM spoor.page_outcomes_daily`,
    sql`SELECT page_id, agent_key, status, requests, at AS first_at, at AS last_at`,
    { name, ofMonths: sql`${columns} FROM spoor.page_monthly` },
  )
}

/** Reads days whose builds have no rows in page_outcomes_daily from facts. */
function withoutOutdated(scope: CrawlerScope): CrawlerScope {
  const outdated = new Set(scope.outdated_days)
  return {
    ...scope,
    builds: scope.builds.filter(({ day }) => !outdated.has(day)),
    fact_days: [...scope.fact_days, ...scope.builds.flatMap(({ day }) => (outdated.has(day) ? [day] : []))].sort(),
  }
}

/** Counted requests by page. */
export function countedPages(scope: CrawlerScope): Fragment {
  const columns = sql`SELECT page_id, agent_key, requests, if(status = 0, 0, requests) AS observed`
  return counted(
    withoutOutdated(scope),
    sql`${columns}, last_at FROM spoor.page_outcomes_daily`,
    sql`${columns}, at AS last_at`,
    { ofMonths: sql`${columns}, last_at FROM spoor.page_monthly` },
  )
}

/** Counted requests by host and status. */
export const countedHostOutcomes = (scope: CrawlerScope): Fragment =>
  counted(
    scope,
    sql`SELECT host, agent_key, status, requests FROM spoor.crawler_daily`,
    sql`SELECT host, agent_key, status, requests`,
  )

/** Counted requests by day, source and status. */
export const countedDays = (scope: CrawlerScope): Fragment => {
  const columns = sql`SELECT day, source_id, agent_key, status, requests`
  return counted(scope, sql`${columns} FROM spoor.crawler_daily`, columns)
}

/** Counted requests by page, day and status. */
export function countedPageDays(scope: CrawlerScope): Fragment {
  const columns = sql`SELECT day, page_id, agent_key, status, requests`
  return counted(withoutOutdated(scope), sql`${columns} FROM spoor.page_outcomes_daily`, columns)
}
