/** The confidence of an issue (rules 8.1). */
import type { CONFIDENCES, Harm } from '#contract/vocabulary.ts'

export type Confidence = (typeof CONFIDENCES)[number]

export interface EvidenceQuality {
  harm: Harm
  /** Harmful requests, and how many of them were verified to be the crawler's. */
  harmful: number
  verified: number
  /** Some source of these requests is sampled. */
  is_sampled: boolean
}

/** Harm that is inferred from inspections instead of counted. */
const INFERRED: readonly Harm[] = ['robots', 'unreachable', 'challenged']

/** How certain it is that the crawler itself met the harm. */
export function confidenceOf({ harm, harmful, verified, is_sampled }: EvidenceQuality): Confidence {
  if (INFERRED.includes(harm) || is_sampled || verified === 0) return 'low'
  return verified === harmful ? 'high' : 'medium'
}
