/** The meaning of a provider's HTTP status, if the response has no details. */
import type { IncomingHttpHeaders } from 'node:http'
import { DAY_MS } from '#clock.ts'
import { memberAt, objectsAt, textAt } from '#json-members.ts'
import { type FailedAnswerCode, NEVER, type RetryAdvice } from './engine-answer.ts'

/** A response that was read whole. */
export interface EngineResponse {
  status: number
  headers: IncomingHttpHeaders
  /** Undefined where the body is not JSON. */
  json: unknown
}

export function codeOfStatus(status: number): FailedAnswerCode {
  if (status === 401 || status === 403) return 'bad_key'
  if (status === 402) return 'no_credit'
  if (status === 404 || status === 410) return 'model_unknown'
  // After a gateway timeout, the model may have answered, and the answer may have been billed.
  if (status === 408 || status === 504) return 'timeout'
  if (status === 429) return 'rate_limited'
  if (status === 409 || status >= 500) return 'overloaded'
  return status >= 400 ? 'bad_request' : 'unreadable'
}

/** The longest wait that is believed: by then, a scan has ended. */
const MAX_WAIT_MS = DAY_MS

/** A wait that a provider requests, as far as it is believed, in whole milliseconds like every instant. */
export const believedWait = (wait_ms: number): number => Math.min(Math.max(0, Math.ceil(wait_ms)), MAX_WAIT_MS)

/** Retries are only for conflicts, rate limits and server errors (account API 3). */
export function retryOf(code: FailedAnswerCode, { headers }: Pick<EngineResponse, 'headers'>): RetryAdvice {
  if (code === 'timeout') return { max_tries: 2, wait_ms: waitOf(headers) }
  if (code === 'rate_limited' || code === 'overloaded') return { max_tries: 4, wait_ms: waitOf(headers) }
  return NEVER
}

/**
 * `retry-after-ms`, or `retry-after` in seconds or as a date against the response's own; null: not said, or unreadable.
 */
function waitOf(headers: IncomingHttpHeaders): number | null {
  const exact = Number(headers['retry-after-ms'])
  if (headers['retry-after-ms'] !== undefined && exact >= 0) return believedWait(exact)
  const after = headers['retry-after']
  if (after === undefined || after.trim() === '') return null
  const wait = /^\d+(\.\d+)?$/.test(after)
    ? Number(after) * 1_000
    : Date.parse(after) - Date.parse(String(headers.date))
  return Number.isNaN(wait) ? null : believedWait(wait)
}

/** The provider's error message, in any of the forms of providers; null if there is none. */
export function messageIn(json: unknown): string | null {
  const details = objectsAt(json, 'detail').flatMap((each) => textAt(each, 'msg') ?? [])
  const said = [textAt(json, 'error', 'message'), textAt(json, 'error'), textAt(json, 'message'), ...details]
  const found = said.find((text) => text !== null && text !== '')
  return found === undefined || memberAt(json) === undefined ? null : found
}
