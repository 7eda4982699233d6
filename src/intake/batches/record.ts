/** The record of a batch that all dialects fill. Readers reuse one object. */
import type { EdgeAction } from '../log/edge-action.ts'
import type { RejectionCode } from './batch-answer.ts'

export interface IntakeRecord {
  /** Epoch milliseconds. */
  at: number
  /** The normalised host; null: none, an address or localhost. */
  host: string | null
  /** The target with its query, which begins with `/`, or `*`. */
  target: string
  /** Upper case; UNKNOWN: the record has none. */
  method: string
  /** 0: no response was observed. */
  status: number
  /** The reported number; 0: none. */
  status_raw: number
  user_agent: string
  /** The action of the edge; null: the record does not say. */
  edge_action: EdgeAction | null
  /** The client's address as the sender saw it, until its proof is made; never stored. */
  address: string | null
  /** The sender's id of the request; equal ids are the same request. */
  id: string | null
  verified_bot: { provider: string } | null
  /** The sender has verified the request's HTTP message signature. */
  signature_verified: boolean
}

/** A record for readers to fill. */
export function emptyIntakeRecord(): IntakeRecord {
  return {
    at: 0,
    host: null,
    target: '/',
    method: 'GET',
    status: 0,
    status_raw: 0,
    user_agent: '',
    edge_action: null,
    address: null,
    id: null,
    verified_bot: null,
    signature_verified: false,
  }
}

/** Null: the record is filled. Else why it is refused, or that it is not a visit. */
export type RecordOutcome = RejectionCode | 'not_a_visit' | null

export type JsonRecord = Record<string, unknown>

export const FIRST_INSTANT = Date.UTC(2015, 0, 1)
export const MAX_RECORD_AHEAD_MS = 5 * 60_000
