/** Problems of the dashboard's own API. Its statuses are not those of surface A, which are closed (RFC 9457). */
import { PROBLEM_MEDIA_TYPE } from '#contract/problem.ts'
import { Refusal, type RefusalKind } from '#refusal.ts'
import { answerTo, type ProblemAnswer } from '../problems.ts'

type DashboardProblemKind =
  | 'foreign_origin'
  | 'rate_limited'
  | 'invalid_input'
  | 'not_found'
  | 'conflict'
  | 'unavailable'

/** A request that the dashboard's API itself refuses. */
export class DashboardProblem extends Error {
  readonly kind: DashboardProblemKind
  readonly headers: Readonly<Record<string, string>>
  constructor(kind: DashboardProblemKind, detail: string, headers: Readonly<Record<string, string>> = {}) {
    super(detail)
    this.name = 'DashboardProblem'
    this.kind = kind
    this.headers = headers
  }
}

const PROBLEMS = {
  foreign_origin: { status: 403, title: 'request from another origin' },
  rate_limited: { status: 429, title: 'too many attempts' },
  invalid_input: { status: 400, title: 'invalid input' },
  not_found: { status: 404, title: 'not found' },
  conflict: { status: 409, title: 'conflict' },
  unavailable: { status: 503, title: 'temporarily unavailable' },
} as const satisfies Record<DashboardProblemKind, { status: number; title: string }>

/** Null: not the caller's to mend, so a bug. */
const REFUSALS = {
  invalid_input: 'invalid_input',
  not_found: 'not_found',
  site_not_found: 'not_found',
  conflict: 'conflict',
  store_busy: 'unavailable',
  reader_unavailable: 'unavailable',
  unauthenticated: null,
  not_readable: null,
  not_built: null,
  unreachable: null,
} as const satisfies Record<RefusalKind, DashboardProblemKind | null>

/** The answer to anything thrown here; what every path shares (405, a malformed body) reads as on surface A. */
export function answerToDashboard(error: unknown): { answer: ProblemAnswer; bug: boolean } {
  if (error instanceof DashboardProblem) return { answer: write(error.kind, error.message, error.headers), bug: false }
  const kind = error instanceof Refusal ? REFUSALS[error.kind] : null
  if (error instanceof Refusal && kind !== null) return { answer: write(kind, error.message), bug: false }
  return answerTo(error instanceof Refusal ? new Error(error.message, { cause: error }) : error, null)
}

function write(
  kind: DashboardProblemKind,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
): ProblemAnswer {
  const { status, title } = PROBLEMS[kind]
  return {
    status,
    headers: { 'content-type': PROBLEM_MEDIA_TYPE, ...headers },
    body: JSON.stringify({ type: `urn:spoor:problem:${kind}`, title, status, detail }),
  }
}
