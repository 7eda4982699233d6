/** Compares other sources with the assigned one, day by day; never part of a total (spec 2.4, decisions 3.8). */
import { DAY_MS, instantText } from '#clock.ts'
import type { CrawlerAuthority, ShadowDiagnostic } from '#contract/meta.ts'
import type { SourceRow } from '#control/tables.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { lowestSampling } from '#sources/fidelity.ts'
import { RANK } from '../coverage/host-day-completeness.ts'
import type { SiteCoverage } from '../coverage/site-coverage.ts'
import type { Interval, SourceGroup } from '../coverage/source-groups.ts'
import { pathFidelity, revisionFor } from './contract-revision.ts'
import type { AssignedHost, AssignmentPeriod } from './count-assigned.ts'
import { type AuthorityFindings, METRIC } from './describe-authority.ts'
import { rankState } from './evidence-states.ts'

/** Limits the answer for many hosts: the newest days stay, and the answer says that some were left out. */
const MAX_SHADOWS = 5_000

/** Every host, day and source of the last days for which an unassigned source has coverage; by host, day, revision. */
export function shadowDiagnostics(
  known: Pick<SiteCoverage, 'sources' | 'zones'>,
  judged: AuthorityFindings & { since: string },
): Pick<CrawlerAuthority, 'shadow_diagnostics' | 'shadow_diagnostics_truncated'> {
  const compareDay = dayComparison(known, judged)
  const { hosts, unassigned, range, groups } = judged
  const first = dayStart(range.from)
  const all: (AssignedHost | Unassigned)[] = [...hosts, ...unassigned.map((hostname) => ({ hostname }))]
  const found: ShadowDiagnostic[] = []
  for (let at = dayStart(range.to); at >= dayStart(judged.since); at -= DAY_MS) {
    const day_index = (at - first) / DAY_MS
    for (const host of all) {
      const authority = 'ranks' in host ? authorityOf(host, day_index) : null
      for (const group of groups) {
        if (group === authority?.group || group.ranks(host.hostname)[day_index] === RANK.gap) continue
        if (found.length === MAX_SHADOWS) return listed(found, true)
        found.push(compareDay(host.hostname, utcDay(at), day_index, authority, group))
      }
    }
  }
  return listed(found, false)
}

type Unassigned = Pick<AssignedHost, 'hostname'>

function listed(found: ShadowDiagnostic[], truncated: boolean) {
  const key = ({ hostname, day, shadow_contract_revision_id }: ShadowDiagnostic) =>
    `${hostname} ${day} ${shadow_contract_revision_id}`
  return {
    shadow_diagnostics: found.sort((a, b) => (key(a) < key(b) ? -1 : 1)),
    ...(truncated ? { shadow_diagnostics_truncated: true as const } : {}),
  }
}

interface DayAuthority {
  period: AssignmentPeriod
  group: SourceGroup | undefined
  rank: number
}

function authorityOf({ periods, ranks }: AssignedHost, day_index: number): DayAuthority | null {
  const period = periods.find(({ from, to }) => from <= day_index && day_index < to)
  return period === undefined ? null : { period, group: period.group, rank: ranks[day_index] as number }
}

type Reason = 'no_authority' | 'sampled' | 'coverage_incomplete' | 'fidelity_differs'

function dayComparison(known: Pick<SiteCoverage, 'sources' | 'zones'>, { counts, as_of }: AuthorityFindings) {
  const sums = new Map(counts.map((row) => [`${row.host} ${row.source_id} ${row.date}`, row.requests]))
  const revisions = new Map<string, ReturnType<typeof revisionFor>>()
  const samplings: Samplings = new Map()
  const revision = (group: SourceGroup, hostname: string) => {
    const key = `${group.lead_source_id} ${hostname}`
    const made = revisions.get(key) ?? shadowRevision(known, group, hostname, samplings)
    revisions.set(key, made)
    return made
  }
  const count = (group: SourceGroup, hostname: string, day: string, rank: number): number | null => {
    const observed = group.source_ids.flatMap((id) => sums.get(`${hostname} ${id} ${day}`) ?? [])
    // A sum of nothing is zero only if everything was covered (rules 5).
    if (observed.length === 0) return rank === RANK.complete ? 0 : null
    return observed.reduce((total, requests) => total + requests)
  }
  return (
    hostname: string,
    day: string,
    day_index: number,
    authority: DayAuthority | null,
    shadow: SourceGroup,
  ): ShadowDiagnostic => {
    const promised = authority === null ? null : authority.period.assignment.revision
    const other = revision(shadow, hostname)
    const rank = shadow.ranks(hostname)[day_index] as number
    const isOver = dayStart(day) + DAY_MS <= as_of
    const reason = reasonOf({ hostname, day_index, rank, isOver, authority, shadow }, promised?.path_fidelity, other)
    const authority_count =
      authority?.group === undefined || authority.rank === RANK.gap
        ? null
        : count(authority.group, hostname, day, authority.rank)
    const shadow_count = count(shadow, hostname, day, rank)
    const isKnown = reason === null && authority_count !== null && shadow_count !== null
    return {
      hostname,
      metric: METRIC,
      day,
      authority_contract_revision_id: promised === null ? null : promised.id,
      shadow_contract_revision_id: other.id,
      authority_provider: promised === null ? null : promised.provider,
      shadow_provider: other.provider,
      interval_start: instantText(dayStart(day)),
      interval_end: instantText(dayStart(day) + DAY_MS),
      authority_coverage_state: authority === null ? 'unknown' : rankState(authority.rank),
      shadow_coverage_state: rankState(rank),
      eligible: authority !== null && authority.rank !== RANK.gap,
      comparable: reason === null,
      exact_equal: isKnown ? authority_count === shadow_count : null,
      reason,
      authority_count,
      shadow_count,
      delta: isKnown ? shadow_count - authority_count : null,
    }
  }
}

function reasonOf(
  of: {
    hostname: string
    day_index: number
    rank: number
    isOver: boolean
    authority: DayAuthority | null
    shadow: SourceGroup
  },
  authorityPaths: string | undefined,
  other: { path_fidelity: string },
): Reason | null {
  const { hostname, day_index, authority, shadow } = of
  if (authority === null) return 'no_authority'
  if ([shadow, authority.group].some((group) => group?.sampled(hostname)[day_index] === 1)) return 'sampled'
  // On the open day, sources have reported up to different instants, so they do not overlap exactly yet.
  const bothComplete = authority.rank === RANK.complete && of.rank === RANK.complete && of.isOver
  if (!bothComplete) return 'coverage_incomplete'
  return authorityPaths === other.path_fidelity ? null : 'fidelity_differs'
}

/** The lowest sampling by intervals, because many hosts share them. */
type Samplings = Map<readonly Interval[], number | null>

function shadowRevision(
  { sources, zones }: Pick<SiteCoverage, 'sources' | 'zones'>,
  group: SourceGroup,
  hostname: string,
  samplings: Samplings,
) {
  const lead = sources.find((source) => source.id === group.lead_source_id) as SourceRow
  const covered = group.intervals(hostname)
  const found = samplings.get(covered)
  const lowest = found === undefined ? lowestSampling(covered.filter((row) => row.source_id === lead.id)) : found
  samplings.set(covered, lowest)
  return revisionFor(lead, hostname, { sampling: lowest, path_fidelity: pathFidelity(lead, zones) })
}
