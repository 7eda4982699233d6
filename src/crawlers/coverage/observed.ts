/** The one place that decides between a number and null (spec 2.2, rules 2). */

export interface CoverageVerdict {
  state: 'complete' | 'partial' | 'unknown'
  /** True when a counting source watched any part of the window. */
  touched: boolean
}

/**
 * A count as it may be published: null while no primary source has ever reported, and null for a sum of zero that nobody watched.
 * A sum above zero was observed and is always a number.
 */
export function publish(coverage: CoverageVerdict, sum: number): number | null {
  if (coverage.state === 'unknown') return null
  if (sum === 0 && !coverage.touched) return null
  return sum
}
