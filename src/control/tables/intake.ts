/** Senders and batches of live sources, and the answers to them. */
import type { EpochMs } from './scalars.ts'

/** What a sender delivers with; the secret itself is never stored (decisions 2). */
export interface SourceTokenRow {
  id: string
  source_id: string
  name: string
  prefix: string
  secret_sha256: string
  created_at: EpochMs
  revoked_at: EpochMs | null
  last_used_at: EpochMs | null
}

/** A batch that was answered, kept so that a retry gets the same answer and stores nothing (rules 4). */
export interface IntakeBatchRow {
  source_id: string
  /** SHA-256 of who sent it and its decoded body, hex. */
  batch: string
  /** SHA-256 of who sent it and its Idempotency-Key, hex; null without one. */
  idempotency_key: string | null
  /** The answer: JSON, or deflated JSON in base64 behind a `~`. */
  answer: string
  answered_at: EpochMs
}
