/** The answer to a batch, with the reasons of refused records (decisions 3.5). */
import type { Advised } from '#next-step.ts'
import { MALFORMED } from '../log/record.ts'

/** Reasons to refuse a record of a batch. Dialects add the codes of the log readers. */
export const REJECTIONS = {
  ...MALFORMED,
  not_json: 'the record is not JSON',
  not_an_object: 'the record is JSON, but not an object',
  timestamp_missing: 'the record has no timestamp',
  timestamp_unreadable:
    'the timestamp is neither RFC 3339 with a zone nor a Unix time in seconds, milliseconds, microseconds or nanoseconds',
  timestamp_ahead: 'the timestamp lies more than 5 minutes ahead of the service clock',
  timestamp_too_old: 'the timestamp lies before 2015',
  user_agent_missing: 'the record has no user_agent; send an empty text or null where the client sent none',
  user_agent_invalid: 'user_agent is not text',
  path_missing: 'the record has neither path nor url',
  path_invalid: 'path or url begins neither with / nor with a scheme and host',
  method_invalid: 'method is not an HTTP method',
  status_invalid: 'status is neither null nor a whole number below 1000',
  id_invalid: 'id is neither a text of 1 to 512 characters nor a whole number below 2^53',
  heartbeat_invalid:
    'a heartbeat needs covered_from before covered_to, neither before 2015 nor ahead of the service clock, at most 7 days apart',
  heartbeat_host: 'the host of the heartbeat does not belong to the site',
} as const

export type RejectionCode = keyof typeof REJECTIONS

export interface Rejection {
  /** Position of the record in the batch, from 0, without blank lines. */
  index: number
  code: RejectionCode
  message: string
}

/** The classes add up to `records`. */
export interface IntakeAnswer {
  records: number
  /** Stored with this batch. */
  accepted: number
  /** Stored before, by their ids, or repeated within the batch. */
  duplicates: number
  ignored_human: number
  ignored_other_site: number
  /** Records on behalf of a request with a record of its own, or of the sender about itself. */
  ignored_not_a_visit: number
  /** Requests of this installation's inspections (rules 8.3). */
  ignored_own_inspection: number
  heartbeats: number
  rejected_count: number
  /** The first refused records. */
  rejected: Rejection[]
  warnings: (Advised & { code: string })[]
}

export const MAX_REPORTED_REJECTIONS = 1_000

/** The answer to a batch without records. */
export function emptyAnswer(): IntakeAnswer {
  return {
    records: 0,
    accepted: 0,
    duplicates: 0,
    ignored_human: 0,
    ignored_other_site: 0,
    ignored_not_a_visit: 0,
    ignored_own_inspection: 0,
    heartbeats: 0,
    rejected_count: 0,
    rejected: [],
    warnings: [],
  }
}
