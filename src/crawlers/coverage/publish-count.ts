/** The one place that decides between a number and null (spec 2.2, rules 2). */

export interface CoverageVerdict {
  state: 'complete' | 'partial' | 'unknown'
  /**
   * True when a sum of zero is one: a counting source covered part of the window or, under crawler authority, every
   * assigned host was covered completely on every day (spec 2.2, rules 5).
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
