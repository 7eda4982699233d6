/** Fixes of brands (account API 2.5). */
import type { EpochMs } from './scalars.ts'

export interface FixRow {
  id: string
  brand_id: string
  kind: 'access' | 'content' | 'citation'
  /** What it is about, as JSON: an issue, a question, an own URL, or a question and the URL of a competitor. */
  subject: string
  /** Kind and subject, while no newer fix replaces this one: unique in a brand. */
  newest_of: string | null
  title: string
  description: string
  /** JSON array, as answers show it. */
  evidence_refs: string
  fix_prompt: string
  status: 'open' | 'accepted' | 'completed' | 'dismissed'
  /** Rises with every change, so that of two writers the second sees that it was late. */
  version: number
  created_at: EpochMs
  updated_at: EpochMs
  accepted_at: EpochMs | null
  completed_at: EpochMs | null
  dismissed_at: EpochMs | null
  dismissed_reason: string | null
  verification: 'not_started' | 'awaiting_evidence' | 'improved' | 'worsened' | 'within_noise' | 'not_comparable'
  /** When it was judged. */
  checked_at: EpochMs | null
  /** JSON of a Ratio. */
  ratio_before: string | null
  ratio_after: string | null
  verification_reason: string | null
  /** The completed fix of the same subject before this one. */
  replaces: string | null
}
