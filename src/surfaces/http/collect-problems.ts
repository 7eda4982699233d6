/** Problems of collection. Its statuses are not those of surface A, which are closed (RFC 9457). */
import { PROBLEM_MEDIA_TYPE } from '#contract/problem.ts'
import { CollectRefusal, type CollectRefusalKind } from '#tracker/collection/collect-refusal.ts'
import { wordsOfCollection } from '../step-words.ts'

const PROBLEMS = {
  malformed: { status: 400, title: 'request cannot be read' },
  unauthenticated: { status: 401, title: 'authentication failed' },
  foreign_origin: { status: 403, title: 'page of another site' },
  development_origin: { status: 403, title: 'not a development origin' },
  disabled: { status: 403, title: 'tracker is switched off' },
  too_slow: { status: 408, title: 'body too slow' },
  too_large: { status: 413, title: 'request too large' },
  rate_limited: { status: 429, title: 'too many events' },
  unavailable: { status: 503, title: 'temporarily unavailable' },
} as const satisfies Record<CollectRefusalKind, { status: number; title: string }>

export interface CollectProblem {
  status: number
  headers: Record<string, string>
  body: string
  /** The script may read it, to learn that sending again is of no use; another site's page may not. */
  is_readable: boolean
  /** The sender cannot correct it. */
  is_bug: boolean
}

/** The answer to anything thrown while events were taken. */
export function answerToCollect(error: unknown): CollectProblem {
  if (!(error instanceof CollectRefusal)) {
    const detail =
      'The service failed to accept the events. Send them again; if it stays, report the time and the X-Request-Id.'
    return problemOf({ code: 'internal_error', status: 500, title: 'internal error', detail }, { is_bug: true })
  }
  const { status, title } = PROBLEMS[error.kind]
  const headers = {
    // The rest of the body is not waited for, so the connection ends with the answer.
    ...(error.kind === 'too_slow' ? { connection: 'close' } : {}),
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    ...(error.retry_after === null ? {} : { 'retry-after': String(error.retry_after) }),
  }
  const problem = { code: error.code, status, title, detail: wordsOfCollection(error) }
  return problemOf(problem, { headers, is_foreign: error.kind === 'foreign_origin' })
}

function problemOf(
  { code, status, title, detail }: { code: string; status: number; title: string; detail: string },
  more: { headers?: Record<string, string>; is_foreign?: boolean; is_bug?: boolean },
): CollectProblem {
  return {
    status,
    headers: { 'content-type': PROBLEM_MEDIA_TYPE, ...more.headers },
    body: JSON.stringify({ type: `urn:spoor:problem:${code}`, title, status, detail, code }),
    is_readable: more.is_foreign !== true,
    is_bug: more.is_bug === true,
  }
}
