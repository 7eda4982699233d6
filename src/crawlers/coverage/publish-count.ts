/** The one place that decides between a number and null (spec 2.2, rules 2). */
import { RANK } from './host-day-completeness.ts'

export interface CoverageVerdict {
  state: 'complete' | 'partial' | 'unknown'
  /**
   * Whether a sum of zero proves that there were no requests: a counting source covered part of the window or, under
   * crawler authority, every assigned host was covered completely on every day (spec 2.2, rules 5).
   */
  proves_zero: boolean
}

/**
 * A count as it may be published: null while no counting source has ever reported, and null for a sum of zero that is
 * not proven. A sum above zero was observed and is always a number.
 */
export function publish(coverage: CoverageVerdict, sum: number): number | null {
  if (coverage.state === 'unknown') return null
  if (sum === 0 && !coverage.proves_zero) return null
  return sum
}

/** The verdict on a window, and how completely each host was covered on its days. */
interface CoveredHosts {
  verdict: CoverageVerdict
  /** A RANK for each day. */
  ranks(host: string): Uint8Array
  /** False: a counting source does not say to which pages of the host its requests were. */
  names_pages(host: string): boolean
}

interface PageVerdict extends CoverageVerdict {
  /** False: no counting source covered its host on any day, or one does not name pages, so that a zero is unknown. */
  is_covered: boolean
}

/** The verdict on a page of one of these hosts: sources that cannot have seen it prove no zero (rules 2). */
export function verdictOfPage({ verdict, ranks, names_pages }: CoveredHosts, hosts: readonly string[]): PageVerdict {
  if (verdict.state === 'unknown') return { ...verdict, is_covered: false }
  const days = hosts.flatMap((host) => [...ranks(host)])
  const is_named = hosts.every(names_pages)
  const is_covered = is_named && days.some((rank) => rank !== RANK.gap)
  const is_complete = is_named && days.every((rank) => rank === RANK.complete)
  return { state: is_complete ? 'complete' : 'partial', proves_zero: is_covered && verdict.proves_zero, is_covered }
}
