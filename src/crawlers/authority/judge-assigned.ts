/** The coverage of a window by assigned sources, which count while the authority gate is open (spec 2.4, rules 5). */
import { DAY_MS } from '#clock.ts'
import type { CrawlerAuthority } from '#contract/meta.ts'
import { PURPOSES } from '#contract/vocabulary.ts'
import { intersection, union } from '#days/intervals.ts'
import { splitByDay } from '#days/split-by-day.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { type DayRange, dayRanges } from '#days/windows.ts'
import type { Row } from '#evidence/sql.ts'
import type { SiteContext } from '../context.ts'
import { countingScope } from '../coverage/counting-scope.ts'
import { earliest } from '../coverage/data-through.ts'
import type { Judgement } from '../coverage/judge-primaries.ts'
import type { CoverageVerdict } from '../coverage/publish-count.ts'
import type { SiteCoverage } from '../coverage/site-coverage.ts'
import { sourceGroups } from '../coverage/source-groups.ts'
import { EVERY_HOST, isWildcard } from '../coverage/wildcard-hosts.ts'
import { isEmpty } from '../scope.sql.ts'
import { hostCounts } from './authority.sql.ts'
import { type AssignedHost, assignedHosts, countAssigned } from './count-assigned.ts'
import { describeAuthority } from './describe-authority.ts'
import type { Authority } from './read-authority.ts'
import { shadowDiagnostics } from './shadow-diagnostics.ts'

/** Shadows are compared on at most this many last days of a window (rules 5). */
const SHADOW_DAYS = 31

export type HostCount = Row<ReturnType<typeof hostCounts>>
export type AuthorityCoverage = SiteCoverage & { authority: Authority }

export interface AuthorityJudgement extends Judgement {
  authority: CrawlerAuthority
}

/** Judges a window by coverage that was read before; then one statement finds unassigned hosts and counts shadows. */
export async function judgeAssigned(
  ctx: SiteContext,
  coverage: AuthorityCoverage,
  range: DayRange,
  asOf: number,
): Promise<AuthorityJudgement> {
  const known = { ...coverage, intervals: coverage.intervals.filter((row) => row.from_at < asOf) }
  const groups = sourceGroups(known, range, asOf)
  const hosts = assignedHosts(known.authority, groups, range)
  const days = countAssigned(hosts, range)
  const since = utcDay(Math.max(dayStart(range.from), dayStart(range.to) - (SHADOW_DAYS - 1) * DAY_MS))
  const counts = await countHosts(ctx, known, range, since, asOf)
  const unassigned = unassignedHosts(known, hosts, counts, range)
  const judged = { hosts, unassigned, groups, counts, range, as_of: asOf }
  return {
    days,
    verdict: verdictOf(known, hosts, unassigned, [...days.states.values()], asOf),
    data_through: assignedThrough(known, hosts),
    authority: { ...describeAuthority(known, judged), ...shadowDiagnostics(known, { ...judged, since }) },
  }
}

/** Counts the evidence of every source, assigned or not, on all days that it covered. */
async function countHosts(
  ctx: SiteContext,
  known: AuthorityCoverage,
  range: DayRange,
  since: string,
  asOf: number,
): Promise<HostCount[]> {
  const bySource = Map.groupBy(known.intervals, (row) => row.source_id)
  const window = [{ from: dayStart(range.from), to: dayStart(range.to) + DAY_MS }]
  const slices = known.sources.flatMap((source) => {
    const covered = union(
      (bySource.get(source.id) ?? []).map((row) => ({ from: row.from_at, to: Math.min(row.to_at, asOf) })),
    )
    const touched = [...splitByDay(intersection(covered, window)).keys()]
    return touched.length === 0 ? [] : [{ days: dayRanges(touched), source_ids: [source.id], hosts: null }]
  })
  const scope = countingScope(ctx.site.id, known, slices, PURPOSES, asOf)
  return isEmpty(scope) ? [] : ctx.evidence.all(hostCounts(scope, since))
}

/** Hosts with requests or declared coverage in the window that have no assignment in it. */
function unassignedHosts(
  { intervals }: AuthorityCoverage,
  hosts: readonly AssignedHost[],
  counts: readonly HostCount[],
  range: DayRange,
): string[] {
  const from = dayStart(range.from)
  const declared = intervals
    .filter((row) => row.host !== EVERY_HOST && !isWildcard(row.host) && row.to_at > from)
    .map((row) => row.host)
  const assigned = new Set(
    hosts.filter(({ periods }) => periods.some((t) => t.from < t.to)).map((host) => host.hostname),
  )
  return [...new Set([...declared, ...counts.map((row) => row.host)])].filter((host) => !assigned.has(host)).sort()
}

/** With a host that no source counts, the window is not complete, and no zero is proven. */
function verdictOf(
  { sources, intervals }: AuthorityCoverage,
  hosts: readonly AssignedHost[],
  unassigned: readonly string[],
  states: readonly string[],
  asOf: number,
): CoverageVerdict {
  const ids = new Set(hosts.flatMap(({ periods }) => periods.flatMap(({ group }) => group?.source_ids ?? [])))
  const hasReported =
    sources.some((source) => ids.has(source.id) && source.data_through !== null && source.data_through < asOf) ||
    intervals.some((row) => ids.has(row.source_id))
  if (!hasReported) return { state: 'unknown', proves_zero: false }
  const isComplete = unassigned.length === 0 && states.every((state) => state === 'complete')
  return { state: isComplete ? 'complete' : 'partial', proves_zero: isComplete }
}

/** The latest instant through which every source that is assigned today has reported, except disconnected ones. */
function assignedThrough({ sources }: AuthorityCoverage, hosts: readonly AssignedHost[]): number | null {
  const disconnected = new Set(
    sources.filter((source) => source.connection_status === 'disconnected').map((source) => source.id),
  )
  const current = hosts.flatMap(({ periods, ranks }) => periods.filter((t) => t.from < t.to && t.to === ranks.length))
  const groups = new Set(
    current.flatMap(({ group, assignment }) => (disconnected.has(assignment.revision.source_id) ? [] : [group])),
  )
  return earliest([...groups].map((group) => group?.data_through ?? null))
}
