/**
 * What counts together: all named servers of a site, or one source; and who in it is expected to time when (rules 3;
 * docs/decisions/0016).
 */
import type { Minute } from '../events.ts'
import { DAY, dayOf, startOf } from '../time.ts'
import type { Ledger, Observer, Source } from './ledger.ts'
import { dataThrough, hostsOf, mayCount } from './reported.ts'

export interface SourceGroup {
  sources: Source[]
  observers: { observer: Observer; source: Source; expected: Expected }[]
  hosts: string[]
  connected_at: Minute
  /** Null if none of its sources is expected to report any more. */
  through: Minute | null
}

/** The time in which a observer is expected, and the hosts for which it is. */
interface Expected {
  from: Minute
  /** Not included. */
  to: Minute
  hosts: string[]
}

export const groupsOf = (ledger: Ledger): SourceGroup[] =>
  groupsAmong(
    ledger,
    [...ledger.sources.values()].filter((source) => mayCount(ledger, source)),
  )

export function groupsAmong(ledger: Ledger, counting: readonly Source[]): SourceGroup[] {
  const named = counting.filter(({ type, server }) => type === 'log_upload' && server !== '')
  const joins = ({ type, status }: Source) =>
    type === 'log_upload' && status !== 'disconnected' && ledger.broken !== 'unnamed_uploads_stand_alone'
  const servers = named.length === 0 ? [] : [...named, ...counting.filter((one) => !named.includes(one) && joins(one))]
  const alone = counting.filter((source) => !servers.includes(source)).map((source) => [source])
  return [...alone, ...(servers.length === 0 ? [] : [servers])].map((sources) => groupOf(ledger, sources))
}

/** A source by itself, as `completeness` judges it. */
export function groupOf(ledger: Ledger, sources: Source[]): SourceGroup {
  const observers = sources.flatMap((source) =>
    [...source.observers.values()].map((observer) => ({
      observer,
      source,
      expected: source.type === 'log_upload' ? ofServer(ledger, source, observer, sources) : ofSender(ledger, observer),
    })),
  )
  const today = startOf(dayOf(ledger.now))
  const reporting = sources.filter((source) =>
    observers.some((one) => one.source === source && (sources.length === 1 || one.expected.to > today)),
  )
  const through = reporting.map((source) => dataThrough(ledger, source) ?? 0)
  return {
    sources,
    observers,
    hosts: [...new Set(sources.flatMap(hostsOf))],
    connected_at: Math.min(...sources.map(({ connected_at }) => connected_at ?? 0)),
    through: through.length === 0 ? null : Math.min(...through),
  }
}

/** From its first coverage until seven days after its last delivery; a retired one until its last coverage. */
function ofSender({ broken }: Ledger, observer: Observer): Expected {
  const hosts = [...observer.hosts.keys()]
  const gone = broken === 'senders_are_expected_for_ever' ? Number.POSITIVE_INFINITY : observer.delivered_at + 7 * DAY
  const retired = observer.is_retired && broken !== 'retired_senders_are_expected'
  return { from: observer.first, to: retired ? observer.last : gone, hosts: hosts.includes('*') ? ['*'] : hosts }
}

/** A named server always, the unnamed uploads beside it from their first to their last covered day. */
function ofServer({ broken }: Ledger, source: Source, observer: Observer, all: readonly Source[]): Expected {
  const span = { from: startOf(dayOf(observer.first)), to: startOf(dayOf(observer.last - 1) + 1), hosts: ['*'] }
  if (broken === 'one_server_is_enough') return { ...span, to: span.from }
  if (all.length === 1) return { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY, hosts: ['*'] }
  if (source.server === '') return span
  return {
    from: Number.NEGATIVE_INFINITY,
    to: source.status === 'disconnected' ? observer.last : Number.POSITIVE_INFINITY,
    hosts: ['*'],
  }
}
