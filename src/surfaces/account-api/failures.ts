/** Every failure of surface B: one of nine codes, and the faulty fields where there are some (spec 7.2). */
import { type FieldFault, InvalidRequest } from '#brands/invalid-request.ts'
import type { AccountApiError } from '#contract/account-api/errors.ts'
import { ACCOUNT_ERRORS, type AccountErrorCode } from '#contract/vocabulary.ts'
import { GateClosed } from '#move/write-gate.ts'
import { Refusal, type RefusalKind } from '#refusal.ts'
import { RequestProblem } from '../http/problems.ts'
import type { DescribedFailure } from '../register-operations.ts'
import { wordsOf } from '../step-words.ts'

/** A request that the surface itself refuses. */
export class AccountFailure extends Error {
  readonly code: AccountErrorCode
  readonly faults: readonly FieldFault[]
  readonly headers: Readonly<Record<string, string>>
  constructor(
    code: AccountErrorCode,
    message: string,
    {
      faults = [],
      headers = {},
      ...options
    }: ErrorOptions & { faults?: readonly FieldFault[]; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message, options)
    this.name = 'AccountFailure'
    this.code = code
    this.faults = faults
    this.headers = headers
  }
}

const CODES = {
  invalid_input: 'invalid_request',
  unauthenticated: 'unauthorized',
  forbidden: 'forbidden',
  site_not_found: 'not_found',
  not_found: 'not_found',
  conflict: 'conflict',
  limit_reached: 'limit_reached',
  not_readable: 'server_error',
  empty_log: 'server_error',
  reader_unavailable: 'server_error',
  not_built: 'server_error',
  too_large: 'server_error',
  store_busy: 'server_error',
  unreachable: 'server_error',
} as const satisfies Record<RefusalKind, AccountErrorCode>

/** What the HTTP server itself refuses on every path; any other problem is not of surface B. */
const PROBLEM_CODES: Readonly<Partial<Record<RequestProblem['kind'], AccountErrorCode>>> = {
  malformed_request: 'invalid_request',
  invalid_body: 'invalid_request',
  invalid_parameter: 'invalid_request',
  unauthenticated: 'unauthorized',
  path_not_found: 'not_found',
  method_not_allowed: 'not_found',
}

const SERVER_ERROR =
  'The service failed to answer. Try again later; if it stays, report the time and the X-Request-Id of this answer.'

/** The answer to anything thrown while a request of surface B was served. */
export function answerToAccountApi(error: unknown): DescribedFailure {
  const { code, message, faults = [], headers = {} } = readFailure(error)
  // A move holds it back: nothing is broken, and the gate says when to try again.
  const is_held_back = error instanceof GateClosed
  const status = ACCOUNT_ERRORS[code]
  const body: AccountApiError = {
    message: code === 'server_error' && !is_held_back ? SERVER_ERROR : message,
    code,
    ...(faults.length === 0 ? {} : { errors: faults.map(({ path, ...fault }) => ({ path: [...path], ...fault })) }),
  }
  return {
    answer: {
      status,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
        ...headers,
      },
      body: JSON.stringify(body),
    },
    // A quota that could not be checked is the store's failure, whose cause is worth a line in the log.
    bug: (code === 'server_error' && !is_held_back) || (error instanceof AccountFailure && error.cause !== undefined),
  }
}

interface Failure {
  code: AccountErrorCode
  message: string
  faults?: readonly FieldFault[]
  headers?: Readonly<Record<string, string>>
}

function readFailure(error: unknown): Failure {
  if (error instanceof AccountFailure) return error
  if (error instanceof InvalidRequest) return invalidRequest(error.faults)
  if (error instanceof Refusal) return { code: CODES[error.kind], message: wordsOf(error) }
  if (error instanceof RequestProblem) {
    return { code: PROBLEM_CODES[error.kind] ?? 'server_error', message: wordsOfProblem(error) }
  }
  return { code: 'server_error', message: SERVER_ERROR }
}

/** Names the faults in its sentence too, for people who read nothing else. */
export function invalidRequest(faults: readonly FieldFault[]): AccountFailure {
  const paths = new Set(faults.map(({ path }) => path.join('.')).filter((path) => path !== ''))
  const named = paths.size === 0 ? '' : `: ${[...paths].join(', ')}`
  const message = `The request is invalid${named}. The errors say what is allowed.`
  return new AccountFailure('invalid_request', message, { faults })
}

const wordsOfProblem = ({ kind, message }: RequestProblem): string =>
  kind === 'path_not_found' ? 'No such path; /api/v1/openapi.json lists all of them.' : message
