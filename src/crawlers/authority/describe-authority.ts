/** `meta.authority` without shadows: which source counts which host, and how completely (spec 2.4, rules 5). */
import { DAY_MS, instantText } from '#clock.ts'
import { compareText } from '#compare-text.ts'
import type { AuthorityHost, CrawlerAuthority } from '#contract/meta.ts'
import type { AuthorityInterruptionRow, SourceRow } from '#control/tables.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import type { DayRange } from '#days/windows.ts'
import { RANK } from '../coverage/host-day-completeness.ts'
import { remainingLimitations } from '../coverage/remaining-limitations.ts'
import { type SenderSilence, senderSilences, silenceLimitations } from '../coverage/silent-senders.ts'
import type { CoverageRecord, SourceGroup } from '../coverage/source-groups.ts'
import type { AssignedHost, AssignmentPeriod } from './count-assigned.ts'
import { evidenceState, worstEvidenceState } from './evidence-states.ts'
import type { HostCount } from './judge-assigned.ts'

export const METRIC = 'observed_request_count'

/** The assigned and unassigned hosts of a window, and their counts. */
export interface AuthorityFindings {
  hosts: readonly AssignedHost[]
  /** Hosts with evidence that have no assignment in the window, sorted. */
  unassigned: readonly string[]
  groups: readonly SourceGroup[]
  counts: readonly HostCount[]
  range: DayRange
  as_of: number
}

export function describeAuthority(
  known: { sources: readonly SourceRow[] } & Pick<CoverageRecord, 'intervals' | 'senders' | 'expired' | 'unreadable'>,
  { hosts, unassigned, range, as_of }: AuthorityFindings,
): Omit<CrawlerAuthority, 'shadow_diagnostics'> {
  const { sources } = known
  const window: Span = { from: dayStart(range.from), to: dayStart(range.to) + DAY_MS }
  const silences = new Map(
    sources
      .filter((source) => source.source_type === 'https_intake')
      .map((source) => [source.id, senderSilences(source, known, window.from, as_of)]),
  )
  const assigned = hosts.flatMap((host) =>
    host.periods
      .filter((period) => period.from < period.to)
      .map((period) => assignedHost(host, period, { ...known, silences }, window, as_of)),
  )
  const unknown = unassigned.map((hostname) => unknownHost(hostname, window))
  const boundaries = hosts.map((host) => host.first_day).sort()
  return {
    metric: METRIC,
    evidence_state: worstEvidenceState(
      assigned.map((host) => host.evidence_state),
      unassigned.length > 0,
    ),
    available_from: boundaries[0] === undefined ? null : instantText(dayStart(boundaries[0])),
    hosts: [...assigned, ...unknown].sort(
      (a, b) => compareText(a.hostname, b.hostname) || compareText(a.interval_start, b.interval_start),
    ),
  }
}

interface Span {
  from: number
  to: number
}

function assignedHost(
  { hostname, first_day, ranks }: AssignedHost,
  period: AssignmentPeriod,
  {
    sources,
    silences,
    unreadable = [],
  }: { sources: readonly SourceRow[]; silences: Silences } & Pick<CoverageRecord, 'unreadable'>,
  window: Span,
  asOf: number,
): AuthorityHost {
  const { revision, effective_day } = period.assignment
  const span = { from: window.from + period.from * DAY_MS, to: window.from + period.to * DAY_MS }
  const own = ranks.subarray(period.from, period.to)
  const source = sources.find((row) => row.id === revision.source_id)
  const incomplete = incompleteDays(own, span)
  const isCurrent = period.to === ranks.length
  const interruption = period.interruptions.findLast((row) => overlaps(row, span))
  // The gaps of an interruption that was opened today begin tomorrow, but the source is disconnected now.
  const disconnection = isCurrent
    ? (period.interruptions.find((row) => row.ends_at === null) ?? interruption)
    : interruption
  return {
    hostname,
    metric: METRIC,
    authority_state: 'assigned',
    contract_revision_id: revision.id,
    source_connection_id: revision.source_id,
    provider: revision.provider,
    adapter: revision.adapter,
    interval_start: instantText(span.from),
    interval_end: instantText(span.to),
    effective_boundary: instantText(dayStart(effective_day)),
    available_from: instantText(dayStart(first_day)),
    evidence_state: evidenceState(own, period, source, isCurrent, asOf),
    sampling: revision.sampling,
    path_fidelity: revision.path_fidelity,
    status_fidelity: revision.status_fidelity,
    limitation: revision.limitation,
    coverage_limitations: [
      ...new Set([
        ...limitations(hostname, period, span, own, interruption),
        ...silenceLimitations(silences.get(revision.source_id) ?? [], incomplete),
        ...unreadable
          .filter((row) => row.source_id === revision.source_id && incomplete.has(row.day))
          .map(() => 'unreadable_lines'),
      ]),
    ].sort(),
    disconnect:
      disconnection === undefined
        ? null
        : {
            interruption_id: disconnection.id,
            disconnected_at: instantText(disconnection.disconnected_at),
            effective_at: instantText(disconnection.effective_at),
          },
  }
}

type Silences = ReadonlyMap<string, readonly SenderSilence[]>

function incompleteDays(ranks: Uint8Array, { from }: Span): ReadonlySet<string> {
  const days = new Set<string>()
  for (const [at, rank] of ranks.entries()) if (rank !== RANK.complete) days.add(utcDay(from + at * DAY_MS))
  return days
}

function unknownHost(hostname: string, window: Span): AuthorityHost {
  return {
    hostname,
    metric: METRIC,
    authority_state: 'unknown',
    contract_revision_id: null,
    source_connection_id: null,
    provider: null,
    adapter: null,
    interval_start: instantText(window.from),
    interval_end: instantText(window.to),
    effective_boundary: null,
    available_from: null,
    evidence_state: 'unknown',
    sampling: null,
    path_fidelity: null,
    status_fidelity: null,
    limitation: null,
    coverage_limitations: [],
    disconnect: null,
  }
}

function limitations(
  hostname: string,
  { group }: AssignmentPeriod,
  { from }: Span,
  ranks: Uint8Array,
  interruption: AuthorityInterruptionRow | undefined,
): string[] {
  const lesser = [...ranks].flatMap((rank, at) =>
    rank === RANK.complete ? [] : [{ from: from + at * DAY_MS, to: from + (at + 1) * DAY_MS }],
  )
  const found = remainingLimitations(group?.intervals(hostname) ?? [], lesser)
  if (ranks.includes(RANK.gap)) found.add('gap')
  if (interruption !== undefined) found.add('disconnected')
  return [...found].sort()
}

/** An interruption that ended before a day was lost, because the source was reconnected in time, overlaps nothing. */
function overlaps({ effective_at, ends_at }: AuthorityInterruptionRow, { from, to }: Span): boolean {
  const end = ends_at ?? Number.POSITIVE_INFINITY
  return effective_at < end && effective_at < to && end > from
}
