/**
 * How other sources compare with the one that counts (spec 2.4, rules 5). Left open, because the specification does not
 * decide it: sites whose servers count together, days of an interruption of the shadow itself, the end of today's
 * comparison, and states and counts of nothing on it.
 */
import { byShadow } from '../compare.ts'
import { dayName, dayOf, instant, startOf } from '../time.ts'
import { assignedOn, isInterrupted } from './assignments.ts'
import type { Judgements } from './counting.ts'
import type { Day } from './days.ts'
import type { Ledger } from './ledger.ts'
import type { SourceGroup } from './source-groups.ts'

/** Requests that a source counted on a host and day. */
export type CountOf = (source: string, host: string, day: number) => number

type Row = Record<string, unknown>

/** By host and day; undefined where servers count together. */
export function shadowDiagnostics(
  ledger: Ledger,
  judged: Judgements,
  { hosts, from, to }: { hosts: readonly string[]; from: number; to: number },
  countOf: CountOf,
): Record<string, unknown> | undefined {
  if (judged.groups.some(({ sources }) => sources.length > 1)) return undefined
  const found: Record<string, unknown> = {}
  const first = Math.max(from, to - 30)
  for (const host of hosts) {
    for (let day = first; day <= to; day++) {
      const groups = shadowsOf(ledger, judged, host, day)
      const rows = inOrder(groups.map((group) => compared(ledger, judged, group, host, day, countOf)))
      if (rows.length > 0) found[`${host} ${dayName(day)}`] = rows
    }
  }
  return { ...found, listed: Object.keys(found).sort() }
}

/** Of several rows of a day the specification names no order: as compare.ts sorts them, or alike where it cannot. */
function inOrder(rows: Row[]): Row[] {
  if (rows.length < 2) return rows
  if (rows.every((row) => 'shadow_coverage_state' in row)) return rows.sort(byShadow)
  return rows.map(({ shadow_coverage_state, shadow_count, ...row }) => row)
}

/** All others that covered some of the host and day. */
function shadowsOf(ledger: Ledger, judged: Judgements, host: string, day: number): SourceGroup[] {
  const authority = assignedOn(ledger, host, day)?.source
  return judged.groups.filter(
    (group) => group.sources[0]?.name !== authority && judged.day(group, host, day).state !== 'gap',
  )
}

function compared(
  ledger: Ledger,
  judged: Judgements,
  group: SourceGroup,
  host: string,
  day: number,
  countOf: CountOf,
): Row {
  const { broken } = ledger
  const authority = assignedOn(ledger, host, day)?.source ?? null
  const [shadow] = group.sources
  const is_over = day < dayOf(ledger.now)
  const shadow_day = judged.day(group, host, day)
  const [counting] = judged.groups.filter(({ sources }) => sources[0]?.name === authority)
  const is_off = authority !== null && isInterrupted(ledger, authority, day)
  const counted: Day['state'] = counting === undefined || is_off ? 'gap' : judged.day(counting, host, day).state
  const eligible = counted !== 'gap'
  const is_closed = is_over || broken === 'shadows_of_open_days_compare'
  const comparable = eligible && is_closed && counted === 'complete' && shadow_day.state === 'complete'
  const number = (source: string, state: Day['state']) => {
    const count = countOf(source, host, day)
    return count > 0 ? count : is_closed && state === 'complete' ? 0 : null
  }
  const shadow_count = number(shadow?.name ?? '', shadow_day.state)
  const authority_count = authority === null || !eligible ? null : number(authority, counted)
  const difference = comparable ? (shadow_count ?? 0) - (authority_count ?? 0) : null
  const backwards = broken === 'deltas_are_backwards' && difference !== null ? -difference : difference
  const reason =
    authority === null && broken !== 'unassigned_days_are_incomplete' ? 'no_authority' : 'coverage_incomplete'
  const is_decided = is_over && !isInterrupted(ledger, shadow?.name ?? '', day)
  return {
    hostname: host,
    metric: 'observed_request_count',
    day: dayName(day),
    interval_start: instant(startOf(day)),
    eligible,
    comparable,
    reason: comparable ? null : reason,
    exact_equal: difference === null ? null : difference === 0,
    delta: backwards,
    ...(is_over ? { interval_end: instant(startOf(day + 1)) } : {}),
    ...(authority === null ? { authority_contract_revision_id: null, authority_provider: null } : {}),
    ...(is_over && authority !== null ? { authority_coverage_state: counted } : {}),
    ...(is_over || authority_count !== null ? { authority_count } : {}),
    ...(is_decided ? { shadow_coverage_state: shadow_day.state } : {}),
    ...(is_decided || (is_over && shadow_count !== null) ? { shadow_count } : {}),
  }
}
