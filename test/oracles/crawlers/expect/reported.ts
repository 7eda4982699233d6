/** How far sources have reported, and which of them are primary (rules 3, Primary). */
import type { Minute } from '../events.ts'
import { DAY } from '../time.ts'
import type { Ledger, Observer, Source } from './ledger.ts'

/**
 * Null before the first evidence. Of several senders that delivered within seven days the slowest decides
 * (docs/decisions/0016).
 */
export function dataThrough(ledger: Ledger, source: Source): Minute | null {
  const observers = [...source.observers.values()].filter(({ is_retired }) => !is_retired)
  const recent = observers.filter(({ delivered_at }) => delivered_at > ledger.now - 7 * DAY)
  const reported = (list: readonly Observer[]) => list.map(({ through }) => through.all ?? through.named ?? 0)
  if (source.connected_at === null) return null
  const is_fast = source.type === 'log_upload' || recent.length === 0
  const all = reported(recent.length === 0 ? [...source.observers.values()] : recent)
  return Math.min(ledger.now, is_fast ? Math.max(...all) : Math.min(...all))
}

/** Whether a source may count days at all; uploads that ended count the days that they covered. */
export const mayCount = (ledger: Ledger, source: Source): boolean =>
  source.connected_at !== null &&
  (source.may_count || ledger.broken === 'secondary_sources_count') &&
  (ledger.broken !== 'ended_uploads_do_not_count' || !hasEnded(ledger, source)) &&
  (source.status !== 'disconnected' || ledger.broken !== 'disconnected_sources_do_not_count')

/** `is_primary`, as sources show it. */
export const isPrimary = (ledger: Ledger, source: Source): boolean =>
  source.connected_at !== null && source.may_count && !hasEnded(ledger, source)

/**
 * An upload ends when for each of its hosts another primary has later evidence. Disconnected sources end none, and no
 * upload ends a named server (docs/decisions/0016).
 */
export function hasEnded(ledger: Ledger, upload: Source): boolean {
  if (upload.type !== 'log_upload' || upload.connected_at === null) return false
  if (ledger.broken === 'old_uploads_hold_sites_back') return false
  const through = dataThrough(ledger, upload) ?? 0
  const later = [...ledger.sources.values()].filter(
    (other) =>
      other !== upload &&
      other.connected_at !== null &&
      other.may_count &&
      other.status !== 'disconnected' &&
      !(other.type === 'log_upload' && upload.server !== '') &&
      (dataThrough(ledger, other) ?? 0) > through,
  )
  return hostsOf(upload).every((host) =>
    later.some((other) => hostsOf(other).includes('*') || (host !== '*' && hostsOf(other).includes(host))),
  )
}

/** The hosts that a source has declared; `*` is all. */
export const hostsOf = (source: Source): string[] => [
  ...new Set([...source.observers.values()].flatMap(({ hosts }) => [...hosts.keys()])),
]

/** The whole site: the slowest of the primaries that are not disconnected. */
export function siteThrough(ledger: Ledger): Minute | null {
  const instants = [...ledger.sources.values()]
    .filter((source) => isPrimary(ledger, source))
    .filter(({ status }) => status !== 'disconnected' || ledger.broken === 'disconnected_sources_hold_sites_back')
    .map((source) => dataThrough(ledger, source) ?? 0)
  return instants.length === 0 ? null : Math.min(...instants)
}
