/** What counts together: all named servers of a site, or one source; and who in it is expected to watch when (rules 3; docs/decisions/0016). */
import type { Minute } from '../events.ts'
import { DAY, dayOf, startOf } from '../time.ts'
import type { Ledger, Source, Watcher } from './ledger.ts'
import { dataThrough, hostsOf, mayCount } from './reported.ts'

export interface Unit {
  sources: Source[]
  watchers: { watcher: Watcher; source: Source; expected: Expected }[]
  hosts: string[]
  connected_at: Minute
  /** Null when nobody in it is expected to report any more. */
  through: Minute | null
}

/** The time in which a watcher is expected, and the hosts for which it is. */
interface Expected {
  from: Minute
  /** Not included. */
  to: Minute
  hosts: string[]
}

export function unitsOf(ledger: Ledger): Unit[] {
  const counting = [...ledger.sources.values()].filter((source) => mayCount(ledger, source))
  const named = counting.filter(({ type, server }) => type === 'log_upload' && server !== '')
  const joins = ({ type, status }: Source) =>
    type === 'log_upload' && status !== 'disconnected' && ledger.broken !== 'unnamed_uploads_stand_alone'
  const servers = named.length === 0 ? [] : [...named, ...counting.filter((one) => !named.includes(one) && joins(one))]
  const alone = counting.filter((source) => !servers.includes(source)).map((source) => [source])
  return [...alone, ...(servers.length === 0 ? [] : [servers])].map((sources) => unitOf(ledger, sources))
}

/** A source by itself, as `completeness` judges it. */
export function unitOf(ledger: Ledger, sources: Source[]): Unit {
  const watchers = sources.flatMap((source) =>
    [...source.watchers.values()].map((watcher) => ({
      ...{ watcher, source },
      expected: source.type === 'log_upload' ? ofServer(ledger, source, watcher, sources) : ofSender(ledger, watcher),
    })),
  )
  const today = startOf(dayOf(ledger.now))
  const reporting = sources.filter((source) =>
    watchers.some((one) => one.source === source && (sources.length === 1 || one.expected.to > today)),
  )
  const through = reporting.map((source) => dataThrough(ledger, source) ?? 0)
  return {
    ...{ sources, watchers, hosts: [...new Set(sources.flatMap(hostsOf))] },
    connected_at: Math.min(...sources.map(({ connected_at }) => connected_at ?? 0)),
    through: through.length === 0 ? null : Math.min(...through),
  }
}

/** From its first coverage until seven days after its last delivery; a retired one until its last coverage. */
function ofSender({ broken }: Ledger, watcher: Watcher): Expected {
  const hosts = [...watcher.watches.keys()]
  const gone = broken === 'senders_are_expected_for_ever' ? Number.POSITIVE_INFINITY : watcher.delivered_at + 7 * DAY
  const retired = watcher.is_retired && broken !== 'retired_senders_are_expected'
  return { from: watcher.first, to: retired ? watcher.last : gone, hosts: hosts.includes('*') ? ['*'] : hosts }
}

/** A named server always, the unnamed uploads beside it from their first to their last covered day. */
function ofServer({ broken }: Ledger, source: Source, watcher: Watcher, all: readonly Source[]): Expected {
  const span = { from: startOf(dayOf(watcher.first)), to: startOf(dayOf(watcher.last - 1) + 1), hosts: ['*'] }
  if (broken === 'one_server_is_enough') return { ...span, to: span.from }
  if (all.length === 1) return { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY, hosts: ['*'] }
  if (source.server === '') return span
  return {
    from: Number.NEGATIVE_INFINITY,
    to: source.status === 'disconnected' ? watcher.last : Number.POSITIVE_INFINITY,
    hosts: ['*'],
  }
}
