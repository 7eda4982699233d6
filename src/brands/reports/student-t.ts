/** Quantiles of Student's t distribution. */

const MAX_STEPS = 200
const PRECISION = 1e-13

/**
 * The value below which t lies with the probability `p` (0.5 to 1, exclusive), with `df` degrees of freedom (1 or
 * more).
 */
export function studentQuantile(p: number, df: number): number {
  let [low, high] = [0, 1]
  while (studentBelow(high, df) < p) high *= 2
  for (let step = 0; step < MAX_STEPS && high - low > PRECISION * high; step++) {
    const middle = (low + high) / 2
    if (studentBelow(middle, df) < p) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** Probability that t lies below a value of 0 or more: 1 - I(df / (df + t²); df/2, 1/2) / 2. */
function studentBelow(t: number, df: number): number {
  return 1 - incompleteBeta(df / (df + t * t), df / 2, 0.5) / 2
}

/** The regularized incomplete beta function, by its continued fraction (DLMF 8.17.22) in Lentz's way. */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a)
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)) / a
  let c = 1
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1))
  let fraction = d
  for (let m = 1; m <= MAX_STEPS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / awayFromZero(1 + even * d)
    c = awayFromZero(1 + even / c)
    fraction *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / awayFromZero(1 + odd * d)
    c = awayFromZero(1 + odd / c)
    fraction *= d * c
    if (Math.abs(d * c - 1) < PRECISION) break
  }
  return front * fraction
}

const TINY = 1e-300
const awayFromZero = (value: number) => (Math.abs(value) < TINY ? TINY : value)

/** Lanczos' approximation with g = 7 and nine terms, for arguments of 0.5 and more. */
function logGamma(x: number): number {
  const sum = LANCZOS.reduce((total, term, index) => total + term / (x + index), LANCZOS_FIRST)
  const shifted = x + 6.5
  return (x - 0.5) * Math.log(shifted) - shifted + Math.log(Math.sqrt(2 * Math.PI) * sum)
}

const LANCZOS_FIRST = 0.99999999999980993
const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
]
