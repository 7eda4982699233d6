/** The sources as answers describe them (spec 2.3, rules 3, Source fields). */
import { DAY, dayName, dayOf, instant } from '../time.ts'
import { judgeDay } from './days.ts'
import type { Ledger, Source } from './ledger.ts'
import { dataThrough, hostsOf, isPrimary } from './reported.ts'
import { groupOf } from './source-groups.ts'

/** By name: of their order the specification says nothing. `sampling` and `backfill` are other kinds' than these. */
export function describeSources(ledger: Ledger): Record<string, unknown> {
  return Object.fromEntries([...ledger.sources.values()].map((source) => [source.name, describe(ledger, source)]))
}

function describe(ledger: Ledger, source: Source) {
  const through = dataThrough(ledger, source)
  const firsts = [...source.observers.values()].flatMap(({ hosts }) =>
    [...hosts.values()].flatMap(({ touched }) => [...touched]),
  )
  const first = firsts.length === 0 ? null : Math.min(...firsts)
  return {
    source_type: source.type,
    connection_status: connectionStatus(ledger, source),
    is_primary: isPrimary(ledger, source),
    connected_at: source.connected_at === null ? null : instant(source.connected_at),
    data_through: through === null ? null : instant(through),
    evidence_from: first === null ? null : dayName(first),
    backfill: null,
    completeness: first === null ? null : completeness(ledger, source, first),
    sampling: null,
    // Whether a human's status makes statuses observed, the specification does not say.
    ...(source.facts.length > 0 ? { http_status_fidelity: source.has_statuses ? 'exact' : 'unavailable' } : {}),
    ...(hostsOf(source).every((host) => host === '*') ? { hostname_coverage: {} } : {}),
  }
}

/** A live source is in error once it is silent for 24 hours, and back by itself. */
export function connectionStatus(ledger: Ledger, source: Source) {
  if (source.type === 'log_upload' || source.status !== 'live') return source.status
  const delivered = Math.max(...[...source.observers.values()].map(({ delivered_at }) => delivered_at))
  return ledger.now - delivered > DAY ? 'error' : 'live'
}

function completeness(ledger: Ledger, source: Source, first: number) {
  const group = groupOf(ledger, [source])
  for (let day = first; day <= dayOf(ledger.now); day++) {
    if (hostsOf(source).some((host) => judgeDay(ledger, group, host, day).state !== 'complete')) return 'partial'
  }
  return 'complete'
}
