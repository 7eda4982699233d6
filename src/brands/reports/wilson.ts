/** Wilson's score interval of a proportion (Wilson 1927). */

/** The 97.5 % quantile of the standard normal distribution. */
const Z = 1.959963984540054

export interface ConfidenceInterval {
  low: number
  high: number
}

/**
 * The 95 % interval of a proportion that was observed in `n` independent trials; `n` may be a fraction, as effective
 * sizes are.
 */
export function wilsonInterval(proportion: number, n: number): ConfidenceInterval {
  const zz = Z * Z
  const middle = (proportion + zz / (2 * n)) / (1 + zz / n)
  const half = (Z / (1 + zz / n)) * Math.sqrt((proportion * (1 - proportion)) / n + zz / (4 * n * n))
  // The interval of a proportion of 0 or 1 ends exactly there; rounding would miss it.
  return {
    low: proportion === 0 ? 0 : Math.max(0, middle - half),
    high: proportion === 1 ? 1 : Math.min(1, middle + half),
  }
}
