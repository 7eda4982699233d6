/** Every failure of the dashboard's API: one JSON body `{code, title, detail, step?, errors?}` (decisions 7.2). */
import { TooManyTries } from '#accounts/sign-in-tries.ts'
import { InvalidRequest } from '#brands/invalid-request.ts'
import { ACCOUNT_ERRORS } from '#contract/vocabulary.ts'
import type { StepName } from '#next-step.ts'
import { Refusal, type RefusalKind } from '#refusal.ts'
import { AccountFailure } from '../../account-api/failures.ts'
import type { DescribedFailure } from '../../register-operations.ts'
import { wordsOfDashboard } from '../../step-words.ts'
import { INTERNAL_DETAIL, PROBLEMS, RequestProblem } from '../problems.ts'

/** A field that was refused, where it is known. */
interface FieldError {
  path: readonly (string | number)[]
  code?: string
  message: string
}

/** What the dashboard's API itself refuses. */
export class DashboardFailure extends Error {
  readonly code: keyof typeof OWN
  readonly errors: readonly FieldError[]
  constructor(code: keyof typeof OWN, detail: string, errors: readonly FieldError[] = []) {
    super(detail)
    this.name = 'DashboardFailure'
    this.code = code
    this.errors = errors
  }
}

const OWN = {
  signed_out: { status: 401, title: 'signed out' },
  sign_in_failed: { status: 401, title: 'not signed in' },
  wrong_password: { status: 403, title: 'wrong password' },
  reauthentication_required: { status: 403, title: 'the password is needed again' },
  foreign_origin: { status: 403, title: 'request from another origin' },
  foreign_host: { status: 400, title: 'another address' },
  insecure_origin: { status: 403, title: 'not over plain http' },
  invalid_input: { status: 400, title: 'invalid input' },
  rate_limited: { status: 429, title: 'too many attempts' },
} as const

const REFUSALS = {
  invalid_input: { status: 400, title: 'invalid input' },
  unauthenticated: { status: 401, title: 'not signed in' },
  forbidden: { status: 403, title: 'not permitted' },
  site_not_found: { status: 404, title: 'site not found' },
  not_found: { status: 404, title: 'not found' },
  conflict: { status: 409, title: 'conflict' },
  limit_reached: { status: 409, title: 'limit reached' },
  not_readable: { status: 422, title: 'cannot be read' },
  empty_log: { status: 422, title: 'nothing to import' },
  too_large: { status: 422, title: 'too large to answer' },
  unreachable: { status: 422, title: 'not reachable' },
  not_built: { status: 500, title: 'not built yet' },
  reader_unavailable: { status: 503, title: 'not available' },
  store_busy: { status: 503, title: 'busy' },
} as const satisfies Record<RefusalKind, { status: number; title: string }>

interface Failure {
  status: number
  code: string
  title: string
  detail: string
  /** What helps, by the name of the step. */
  step?: StepName | undefined
  errors?: readonly FieldError[]
  headers?: Readonly<Record<string, string>>
  bug?: boolean
}

/** The answer to anything thrown while a request of the dashboard's API was served. */
export function answerToDashboard(error: unknown): DescribedFailure {
  const { status, headers, bug = false, errors = [], step, ...said } = describe(error)
  const body = {
    ...said,
    ...(step === undefined ? {} : { step }),
    ...(errors.length === 0
      ? {}
      : { errors: errors.map(({ path, code, message }) => ({ field: path.join('.'), code, detail: message })) }),
  }
  return {
    answer: {
      status,
      headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
      body: JSON.stringify(body),
    },
    bug,
  }
}

function describe(error: unknown): Failure {
  if (error instanceof DashboardFailure) {
    return { ...OWN[error.code], code: error.code, detail: error.message, errors: error.errors }
  }
  if (error instanceof TooManyTries) return describeWait(error.wait_seconds)
  if (error instanceof InvalidRequest) {
    return { ...REFUSALS.invalid_input, code: error.kind, detail: error.message, errors: error.faults }
  }
  if (error instanceof Refusal) {
    return { ...REFUSALS[error.kind], code: error.kind, detail: wordsOfDashboard(error), step: error.next?.step }
  }
  if (error instanceof AccountFailure) return describeAccountFailure(error)
  if (error instanceof RequestProblem && error.kind !== 'internal_error') {
    return { ...PROBLEMS[error.kind], code: error.kind, detail: error.message, headers: error.headers }
  }
  return { status: 500, code: 'internal_error', title: 'internal error', detail: INTERNAL_DETAIL, bug: true }
}

function describeAccountFailure({ code, message, faults }: AccountFailure): Failure {
  if (code === 'invalid_request') {
    return { ...REFUSALS.invalid_input, code: 'invalid_input', detail: message, errors: faults }
  }
  return { status: ACCOUNT_ERRORS[code], code, title: code.replaceAll('_', ' '), detail: message, errors: faults }
}

/** Too many tries: when to try again. */
export function describeWait(seconds: number): Failure {
  return {
    ...OWN.rate_limited,
    code: 'rate_limited',
    detail: `Too many attempts: try again in ${seconds} seconds.`,
    headers: { 'retry-after': String(seconds) },
  }
}
