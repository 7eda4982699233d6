/**
 * `meta.authority` and the authority of the sources (spec 2.4, rules 5). Left open, because the specification does not
 * decide it: ids and names of providers and adapters, the words of limitations, and which of several servers that count
 * together a period names.
 */
import { dayOf, instant, startOf } from '../time.ts'
import { unassignedHosts } from './assigned.ts'
import { isInterrupted } from './assignments.ts'
import type { Judgements } from './counting.ts'
import type { Assignment, Ledger } from './ledger.ts'
import { type CountOf, shadowDiagnostics } from './shadows.ts'
import type { SourceGroup } from './source-groups.ts'
import { connectionStatus } from './sources.ts'

interface Window {
  from: number
  to: number
}

/** From best to worst. */
const STATES = ['complete', 'partial', 'gap', 'stale', 'unavailable'] as const
type State = (typeof STATES)[number]

export function describeAuthority(ledger: Ledger, judged: Judgements, window: Window, countOf: CountOf) {
  const { assignments, earliest } = ledger.authority
  const unassigned = unassignedHosts(ledger, window.from)
  const items = new Map(
    [...assignments]
      .map(([host, all]) => [host, periods(all, window).map((one) => item(ledger, judged, host, one))] as const)
      .filter(([, all]) => all.length > 0),
  )
  const boundaries = [...assignments.values()].flatMap((all) => all.map(({ day }) => day))
  const first = boundaries.length === 0 ? null : Math.min(...boundaries)
  const states = [...items.values()].flat().map(({ evidence_state }) => evidence_state)
  const state = siteState(states, unassigned)
  const hosts = [...assignments.keys(), ...unassigned.certain]
  const shadows = shadowDiagnostics(ledger, judged, { ...window, hosts }, countOf)
  return {
    metric: 'observed_request_count',
    // Whether an assignment that was superseded as a whole was the first one, the specification does not say.
    ...(first === earliest ? { available_from: first === null ? null : instant(startOf(first)) } : {}),
    ...(state === undefined ? {} : { evidence_state: state }),
    ...(shadows === undefined || unassigned.unclear.length > 0 ? {} : { shadow_diagnostics: shadows }),
    hosts: {
      ...Object.fromEntries(items),
      ...Object.fromEntries(unassigned.certain.map((host) => [host, [unknownItem(host, window)]])),
      // Whether the unclear ones are listed, the specification does not say.
      ...(unassigned.unclear.length > 0 ? {} : { listed: [...items.keys(), ...unassigned.certain].sort() }),
    },
  }
}

interface Period extends Assignment {
  from: number
  /** Not included. */
  to: number
  is_last: boolean
  is_only: boolean
}

/** Clipped to the window. */
function periods(all: readonly Assignment[], window: Window): Period[] {
  return all
    .map((one, index) => ({
      ...one,
      from: Math.max(one.day, window.from),
      to: Math.min(all[index + 1]?.day ?? window.to + 1, window.to + 1),
      // Of tomorrow's assignment nothing is known today.
      is_last: (all[index + 1]?.day ?? window.to + 1) > window.to,
      is_only: all.length === 1,
    }))
    .filter(({ from, to }) => from < to)
}

function item(ledger: Ledger, judged: Judgements, host: string, period: Period) {
  const group = judged.groups.find(({ sources }) => sources.some(({ name }) => name === period.source))
  const is_group = (group?.sources.length ?? 0) > 1
  const state = evidenceState(ledger, judged, host, period, group)
  return {
    hostname: host,
    metric: 'observed_request_count',
    authority_state: 'assigned',
    ...(is_group ? {} : { source_connection_id: period.source }),
    interval_start: instant(startOf(period.from)),
    interval_end: instant(startOf(period.to)),
    effective_boundary: instant(startOf(period.day)),
    // Of a host with several assignments the specification does not say which of them it is.
    ...(period.is_only ? { available_from: instant(startOf(period.day)) } : {}),
    ...(state === undefined ? {} : { evidence_state: state }),
    ...(state === 'complete' ? { coverage_limitations: [] } : {}),
    sampling: null,
    ...disconnect(ledger, period),
  }
}

function evidenceState(
  ledger: Ledger,
  judged: Judgements,
  host: string,
  period: Period,
  group: SourceGroup | undefined,
): State | undefined {
  const { broken } = ledger
  // Of a source that has never reported, and of several servers of which some are late, the specification does not say
  // it.
  if (group === undefined || group.sources.length > 1) return undefined
  const [source] = group.sources
  if (period.is_last || broken === 'past_periods_know_sources_now') {
    const status = source === undefined ? 'pending' : connectionStatus(ledger, source)
    if (['error', 'revoked', 'disconnected'].includes(status)) return 'unavailable'
    if (group.through === null) return undefined
    if (ledger.now - group.through > 120 && broken !== 'late_sources_are_not_stale') return 'stale'
  }
  let worst: State = 'complete'
  for (let day = period.from; day < period.to; day++) {
    const is_off = isInterrupted(ledger, period.source, day)
    const { state } = is_off ? { state: 'gap' as const } : judged.day(group, host, day)
    if (STATES.indexOf(state) > STATES.indexOf(worst)) worst = state
  }
  return worst
}

/**
 * An interruption that lasts, or that never was. Whether one that has ended is reported, and which of several, the
 * specification does not say.
 */
function disconnect({ authority, now }: Ledger, { source, from, to }: Period) {
  const own = authority.interruptions.filter((one) => one.source === source)
  if (own.length === 0) return { disconnect: null }
  const lasting = own.find(({ reconnected_at }) => reconnected_at === null)
  const begins = lasting === undefined ? 0 : dayOf(lasting.disconnected_at) + 1
  if (own.length > 1 || lasting === undefined || begins >= to || begins > dayOf(now) || begins < from) return {}
  return {
    disconnect: { disconnected_at: instant(lasting.disconnected_at), effective_at: instant(startOf(begins)) },
  }
}

const unknownItem = (host: string, window: Window) => ({
  hostname: host,
  metric: 'observed_request_count',
  authority_state: 'unknown',
  evidence_state: 'unknown',
  contract_revision_id: null,
  source_connection_id: null,
  provider: null,
  adapter: null,
  interval_start: instant(startOf(window.from)),
  interval_end: instant(startOf(window.to + 1)),
  effective_boundary: null,
  available_from: null,
  sampling: null,
  path_fidelity: null,
  status_fidelity: null,
  limitation: null,
  coverage_limitations: [],
  disconnect: null,
})

/** The worst of all periods; unassigned hosts make it at best partial. */
function siteState(states: readonly (State | undefined)[], unassigned: { certain: string[]; unclear: string[] }) {
  if (states.includes(undefined)) return undefined
  if (states.length === 0) return unassigned.unclear.length > 0 ? undefined : 'unknown'
  const worst = STATES.findLast((state) => states.includes(state)) ?? 'complete'
  if (worst !== 'complete') return worst
  if (unassigned.certain.length > 0) return 'partial'
  return unassigned.unclear.length > 0 ? undefined : 'complete'
}
