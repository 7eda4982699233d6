/** How sure the evidence of an issue is (rules 8.1). */
import type { CONFIDENCES, Harm } from '#contract/vocabulary.ts'

export type Confidence = (typeof CONFIDENCES)[number]

export interface EvidenceQuality {
  harm: Harm
  /** Harmful requests, and how many of them were verified to be the crawler's. */
  harmful: number
  verified: number
  /** A source of them looked at a sample only. */
  is_sampled: boolean
}

/** Kinds of harm that are inferred, not counted. */
const INFERRED: readonly Harm[] = ['robots', 'unreachable', 'challenged']

/** How sure it is that the harm was met by the crawler itself (rules 8.1). */
export function confidenceOf({ harm, harmful, verified, is_sampled }: EvidenceQuality): Confidence {
  if (INFERRED.includes(harm) || is_sampled || verified === 0) return 'low'
  return verified === harmful ? 'high' : 'medium'
}
