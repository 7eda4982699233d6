/**
 * A share with its uncertainty: questions are the clusters, as runs of one question are not independent (account API
 * 2.2).
 */
import { wilsonInterval } from './wilson.ts'

/** A share as answers show it (account API 2.1). */
export interface RatioValue {
  /** Null at 0/0, as are `low` and `high`. */
  value: number | null
  numerator: number
  denominator: number
  low: number | null
  high: number | null
  /** Questions with at least one answer in the denominator. */
  clusters: number
  /** The number of independent answers with the same uncertainty. */
  effective_n: number
}

/** What one question adds to a share. */
export interface RatioCluster {
  numerator: number
  denominator: number
}

/**
 * The share over all questions, with its 95 % interval. One question alone is judged by its answers (limitation
 * `one_question`).
 */
export function ratioOf(questions: Iterable<RatioCluster>): RatioValue {
  const clusters = [...questions].filter(({ denominator }) => denominator > 0)
  const numerator = sumOf(clusters, (cluster) => cluster.numerator)
  const denominator = sumOf(clusters, (cluster) => cluster.denominator)
  if (denominator === 0) {
    return { value: null, numerator, denominator, low: null, high: null, clusters: 0, effective_n: 0 }
  }
  const value = numerator / denominator
  const effective_n = effectiveSize(clusters, numerator, denominator)
  return {
    value,
    numerator,
    denominator,
    ...wilsonInterval(value, effective_n),
    clusters: clusters.length,
    effective_n,
  }
}

function effectiveSize(clusters: readonly RatioCluster[], numerator: number, denominator: number): number {
  const count = clusters.length
  if (count === 1) return denominator
  if (numerator === 0 || numerator === denominator) return count
  const p = numerator / denominator
  const squares = sumOf(clusters, (cluster) => (cluster.numerator - p * cluster.denominator) ** 2)
  const variance = ((count / (count - 1)) * squares) / denominator ** 2
  // If all questions agree, there is no variance between them: their answers count as independent.
  return Math.min(denominator, Math.max(1, (p * (1 - p)) / variance))
}

export const sumOf = <T>(values: readonly T[], of: (value: T) => number): number =>
  values.reduce((sum, value) => sum + of(value), 0)
