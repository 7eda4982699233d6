/** Every problem that HTTP answers: status, title, and how a domain refusal becomes one (spec 7.1, rules 1). */

import type { FailureStatus, HttpOperation } from '#contract/operation.ts'
import { PROBLEM_MEDIA_TYPE, type Problem, problemType } from '#contract/problem.ts'
import type { ProblemKind } from '#contract/vocabulary.ts'
import { GateClosed } from '#move/write-gate.ts'
import { Refusal, type RefusalKind } from '#refusal.ts'
import type { DescribedFailure, FailureAnswer } from '../register-operations.ts'
import { wordsOf, wordsOfSiteApi } from '../step-words.ts'

/** A request that the surface itself refuses. `detail` says what was given, what is allowed, what to do next. */
export class RequestProblem extends Error {
  readonly kind: ProblemKind
  readonly headers: Readonly<Record<string, string>>
  constructor(kind: ProblemKind, detail: string, headers: Readonly<Record<string, string>> = {}) {
    super(detail)
    this.name = 'RequestProblem'
    this.kind = kind
    this.headers = headers
  }
}

/** Status and title of each kind. */
export const PROBLEMS = {
  malformed_request: { status: 400, title: 'malformed request' },
  path_not_found: { status: 404, title: 'path not found' },
  method_not_allowed: { status: 405, title: 'method not allowed' },
  unauthenticated: { status: 401, title: 'authentication failed' },
  site_not_found: { status: 404, title: 'site not found' },
  invalid_parameter: { status: 400, title: 'invalid parameter' },
  invalid_body: { status: 400, title: 'invalid request body' },
  window_too_long: { status: 422, title: 'window too long' },
  reader_unavailable: { status: 503, title: 'reader unavailable' },
  not_found: { status: 404, title: 'not found' },
  unprocessable: { status: 422, title: 'request cannot be processed' },
  not_built: { status: 500, title: 'operation not built yet' },
  internal_error: { status: 500, title: 'internal error' },
} as const satisfies Record<ProblemKind, { status: FailureStatus; title: string }>

/**
 * What each refusal of the domain is on surface A; `internal_error` where the caller cannot correct it. TRICKY: a
 * kind whose status the operation does not declare is a bug (test: "closed statuses").
 */
const REFUSALS = {
  invalid_input: 'invalid_parameter',
  unauthenticated: 'unauthenticated',
  forbidden: 'internal_error',
  site_not_found: 'site_not_found',
  not_found: 'not_found',
  not_readable: 'unprocessable',
  empty_log: 'internal_error',
  reader_unavailable: 'reader_unavailable',
  store_busy: 'internal_error',
  not_built: 'not_built',
  too_large: 'internal_error',
  conflict: 'internal_error',
  limit_reached: 'internal_error',
  unreachable: 'unprocessable',
} as const satisfies Record<RefusalKind, ProblemKind>

/** What a caller learns of a failure that is not theirs. */
export const INTERNAL_DETAIL =
  'The service failed to answer. Try again; if it stays, report the time and the X-Request-Id of this answer.'

/** The answer to anything thrown while a request of surface A was served, or one of no operation. */
export function answerTo(error: unknown, operation: HttpOperation | null): DescribedFailure {
  const { kind, detail, headers } = read(error)
  const status = kind === 'window_too_long' ? (operation?.window_too_long ?? 422) : PROBLEMS[kind].status
  if (error instanceof GateClosed) return { answer: writeProblem('internal_error', wordsOf(error)), bug: false }
  if (error instanceof Refusal && error.kind === 'too_large') {
    return { answer: writeProblem('internal_error', wordsOf(error)), bug: true }
  }
  if (kind === 'internal_error' || !isDeclared(status, operation)) {
    return { answer: writeProblem('internal_error', INTERNAL_DETAIL), bug: true }
  }
  const title = kind === 'reader_unavailable' ? operation?.unavailable_title : undefined
  return {
    answer: writeProblem(kind, detail, { headers, status, ...(title === undefined ? {} : { title }) }),
    bug: false,
  }
}

/** A problem as bytes and headers. */
export function writeProblem(
  kind: ProblemKind,
  detail: string,
  over: { status?: number; title?: string; headers?: Readonly<Record<string, string>> } = {},
): FailureAnswer {
  const status = over.status ?? PROBLEMS[kind].status
  const problem: Problem = { type: problemType(kind), title: over.title ?? PROBLEMS[kind].title, status, detail }
  return {
    status,
    headers: {
      'content-type': PROBLEM_MEDIA_TYPE,
      ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
      ...over.headers,
    },
    body: JSON.stringify(problem),
  }
}

function read(error: unknown): { kind: ProblemKind; detail: string; headers: Readonly<Record<string, string>> } {
  if (error instanceof RequestProblem) return { kind: error.kind, detail: error.message, headers: error.headers }
  if (error instanceof Refusal) return { kind: REFUSALS[error.kind], detail: wordsOfSiteApi(error), headers: {} }
  return { kind: bodyFault(error) ? 'invalid_body' : 'internal_error', detail: BODY_DETAIL, headers: {} }
}

const BODY_DETAIL = 'The request body cannot be read. Send JSON with Content-Type: application/json.'

/** Fastify's own refusals of a body (415 for a content type it cannot parse, and the like) are 400 here (rules 1). */
const bodyFault = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('FST_ERR_CTP_')

/** 400 of a malformed request, 404 of an unknown path and 405 belong to every path (spec 4). */
const isDeclared = (status: number, operation: HttpOperation | null): boolean =>
  operation === null || status === 400 || operation.refusals.some((declared) => declared === status)
