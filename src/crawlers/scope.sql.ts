/** What a crawler answer counts: a site, its counting sources, the days, the labels of one registry version. */
import type { Purpose } from '#contract/vocabulary.ts'
import type { DayRange } from '#days/windows.ts'
import { and, day, type Fragment, instant, list, or, sql, text, tuples, unionAll, uuid } from '#evidence/sql.ts'
import type { CountingSlice } from './coverage/counting-slices.ts'
import { isWildcard } from './coverage/wildcard-hosts.ts'
import { inCountingReadings } from './roll-ups/counting-readings.ts'

/** A month, named by its first day, with the build of its sum and the days that this sums. */
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
  /** Sums of months that count instead of the builds of their days, from the first to the last that has one. */
  months: MonthBuild[]
  /** Days read from facts: today, and those whose roll-up may be stale. */
  fact_days: string[]
  /** Days with a build that an older version made: it has no rows in page_outcomes_daily. */
  outdated_days: string[]
  /** Readings of providers' hours that count on those days (rules 4). */
  readings: number[]
  /** Names the facts of the days that are read from facts; null while any are being written. */
  facts_version: string | null
  /** Only facts that had come by `to` and had not by `from`, epoch milliseconds, of those days; absent for all. */
  come?: { from: number; to: number | null }
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
    ...(scope.come === undefined ? [] : [hadCome(scope.come)]),
  ])

/**
 * A fact has come once it was received and its instant is over: each belongs to one of spans that follow each other.
 * Written like the table's index `came`, which then leads to the parts that can hold such facts.
 */
const hadCome = ({ from, to }: NonNullable<CrawlerScope['come']>): Fragment =>
  and([
    ...(from === 0 ? [] : [sql`greatest(at, received_at) >= ${instant(from)}`]),
    ...(to === null ? [] : [sql`greatest(at, received_at) < ${instant(to)}`]),
  ])

/**
 * Events of a batch without ids differ in their last 32 bits only (ADR 11), so that this is one number for all of them.
 * The engine knows that a quotient grows with its dividend, and finds the batch by the key of the table.
 */
const BATCH_OF_EVENT = sql`intDiv(event, toUInt64(4294967296))`

/**
 * Facts at their first receipt. FINAL compares all rows that it is given. Of a part of the day it is given only batches
 * with a row in that part, so that an earlier receipt of the same event, which wins, is read too.
 */
const factsOf = (scope: CrawlerScope): Fragment =>
  scope.come === undefined || scope.come.from === 0
    ? sql`spoor.requests FINAL
    WHERE ${inFactDays(scope)}`
    : sql`spoor.requests FINAL
    PREWHERE ${BATCH_OF_EVENT} IN (
      SELECT ${BATCH_OF_EVENT} FROM spoor.requests
      WHERE site_id = ${uuid(scope.site_id)} AND day IN ${list('Date', scope.fact_days)} AND ${hadCome(scope.come)}
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
  if ('only' in hosts) return [among(hosts.only, hosts.named)]
  return [sql`NOT ${among(hosts.except, hosts.named)}`]
}

/** A wildcard holds the hosts below it that are not judged by their own names. */
function among(names: readonly string[], named: readonly string[] = []): Fragment {
  const below = names
    .filter(isWildcard)
    .map((wildcard) => sql`endsWith(host, ${text(wildcard.slice(1))}) AND host NOT IN ${list('String', named)}`)
  return or([sql`host IN ${list('String', names)}`, ...below])
}

/** The part `labels`: of one registry version; agents it does not count (scope ads) are left out (decisions 3.3). */
export const labels = (scope: CrawlerScope): Fragment => sql`
  -- What the registry says about each agent.
  labels AS (${labelsOfVersion(scope)}
  )`

/** The rows of that part. */
export const labelsOfVersion = (scope: CrawlerScope): Fragment => sql`
    SELECT agent_key, crawler_id, purpose, identity, scope
    FROM spoor.agent_labels FINAL
    WHERE registry_version = ${text(scope.registry_version as string)} AND scope != 'ads'`

/** True for a label that passes the purpose filter. */
export const passesFilter = (scope: CrawlerScope): Fragment => sql`purpose IN ${list('String', scope.purposes)}`

/**
 * The part `counted`: these columns from roll-ups' builds, from sums of months where they are given, and from facts for
 * days without a build that counts.
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

/** Requests at the finest grain that the crawler answers fold from. */
export function countedRequests(scope: CrawlerScope): Fragment {
  const columns = sql`SELECT day, agent_key, status, path_class, requests`
  return counted(scope, sql`${columns} FROM spoor.crawler_daily`, columns)
}

/** The same by host and source, to lay sources beside each other. */
export function countedHosts(scope: CrawlerScope): Fragment {
  const columns = sql`SELECT day, host, source_id, agent_key, requests`
  return counted(scope, sql`${columns} FROM spoor.crawler_daily`, columns)
}

/** The same with every column of page_outcomes_daily that answers read: pages, statuses, and when requests came. */
export function countedOutcomes(scope: CrawlerScope, name: Fragment = sql`counted`): Fragment {
  const columns = sql`SELECT page_id, agent_key, status, requests, first_at, last_at`
  return counted(
    withoutOutdated(scope),
    sql`${columns} FROM spoor.page_outcomes_daily`,
    sql`SELECT page_id, agent_key, status, requests, at AS first_at, at AS last_at`,
    { name, ofMonths: sql`${columns} FROM spoor.page_monthly` },
  )
}

/** Days whose builds have no rows in page_outcomes_daily are read from facts. */
function withoutOutdated(scope: CrawlerScope): CrawlerScope {
  const outdated = new Set(scope.outdated_days)
  return {
    ...scope,
    builds: scope.builds.filter(({ day }) => !outdated.has(day)),
    fact_days: [...scope.fact_days, ...scope.builds.flatMap(({ day }) => (outdated.has(day) ? [day] : []))].sort(),
  }
}

/** The same by page. */
export function countedPages(scope: CrawlerScope): Fragment {
  const columns = sql`SELECT page_id, agent_key, requests, if(status = 0, 0, requests) AS observed`
  return counted(
    withoutOutdated(scope),
    sql`${columns}, last_at FROM spoor.page_outcomes_daily`,
    sql`${columns}, at AS last_at`,
    { ofMonths: sql`${columns}, last_at FROM spoor.page_monthly` },
  )
}

/** The same by host and status. */
export const countedHostOutcomes = (scope: CrawlerScope): Fragment =>
  counted(
    scope,
    sql`SELECT host, agent_key, status, requests FROM spoor.crawler_daily`,
    sql`SELECT host, agent_key, status, requests`,
  )

/** The same by day, source and status. */
export const countedDays = (scope: CrawlerScope): Fragment => {
  const columns = sql`SELECT day, source_id, agent_key, status, requests`
  return counted(scope, sql`${columns} FROM spoor.crawler_daily`, columns)
}

/** The same of pages, by day and status. */
export function countedPageDays(scope: CrawlerScope): Fragment {
  const columns = sql`SELECT day, page_id, agent_key, status, requests`
  return counted(withoutOutdated(scope), sql`${columns} FROM spoor.page_outcomes_daily`, columns)
}
