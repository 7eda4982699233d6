/** The cause of an issue by its statuses, until an inspection refines it (rules 8.1). */
import type { ISSUE_CAUSES, Vantage } from '#contract/vocabulary.ts'

export type IssueCause = (typeof ISSUE_CAUSES)[number]

/** Causes of statuses in any log. A status that is not listed has no certain cause. */
const ANY: Readonly<Record<number, IssueCause>> = {
  401: 'http_status',
  403: 'http_status',
  404: 'http_status',
  405: 'http_status',
  406: 'http_status',
  410: 'http_status',
  429: 'http_status',
  451: 'http_status',
  500: 'origin_error',
  502: 'origin_error',
  503: 'origin_error',
  504: 'origin_error',
}

/**
 * Statuses that an edge itself answers with. 530 has no certain cause until an inspection reads the error code in its
 * body.
 */
const EDGE: Readonly<Record<number, IssueCause>> = {
  402: 'waf_or_challenge',
  520: 'origin_error',
  521: 'origin_error',
  522: 'origin_error',
  523: 'origin_error',
  524: 'origin_error',
  525: 'tls',
  526: 'tls',
  527: 'origin_error',
}

export interface ObservedRefusal {
  status: number
  /** The source says that the edge blocked or challenged the request. */
  by_edge: boolean
}

/** The cause that all harmful requests share; `unknown` if they differ or one has none. */
export function causeOfStatuses(observed: readonly ObservedRefusal[], vantage: Vantage): IssueCause {
  const causes = new Set(
    observed.map(({ status, by_edge }): IssueCause => {
      if (by_edge) return 'waf_or_challenge'
      return (vantage === 'edge' ? EDGE[status] : undefined) ?? ANY[status] ?? 'unknown'
    }),
  )
  const [only = 'unknown'] = causes
  return causes.size === 1 ? only : 'unknown'
}
