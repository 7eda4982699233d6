/** Failures of tools in the form of surface B: its codes, also for operations of other surfaces (account API 6). */
import type { AccountApiError } from '#contract/account-api/errors.ts'
import type { Problem } from '#contract/problem.ts'
import type { AccountErrorCode } from '#contract/vocabulary.ts'
import { AccountFailure, answerToAccountApi } from '../account-api/failures.ts'
import { answerTo } from '../http/problems.ts'
import type { Tool } from './tools.ts'

export interface ToolFailure {
  body: AccountApiError & { retry_after?: number }
  /** Of the quota. */
  headers: Readonly<Record<string, string>>
  bug: boolean
}

/** A failure of a tool as its result. */
export function describeToolFailure(error: unknown, { surface, operation }: Tool): ToolFailure {
  if (surface === 'site' && !(error instanceof AccountFailure)) {
    const { answer, bug } = answerTo(error, operation)
    return { body: ofProblem(JSON.parse(answer.body) as Problem), headers: {}, bug }
  }
  const { answer, bug } = answerToAccountApi(error)
  const { 'content-type': _type, 'www-authenticate': _bearer, ...headers } = answer.headers
  const seconds = headers['retry-after']
  const body = namedAsArguments(JSON.parse(answer.body) as AccountApiError)
  return { body: seconds === undefined ? body : { ...body, retry_after: Number(seconds) }, headers, bug }
}

/** What surface A says, as one of surface B’s codes. */
function ofProblem({ status, title, detail }: Problem): AccountApiError {
  return { code: codeOf(status), message: `${title}: ${detail}` }
}

function codeOf(status: number): AccountErrorCode {
  if (status === 400 || status === 422) return 'invalid_request'
  return status === 404 ? 'not_found' : 'server_error'
}

const KEY_HEADER = 'Idempotency-Key'
const KEY_ARGUMENT = 'idempotency_key'

/** What is a header of REST is an argument of a tool. */
function namedAsArguments(body: AccountApiError): AccountApiError {
  if (body.errors === undefined) return body
  const errors = body.errors.map(({ path: [first, ...rest], ...error }) => ({
    path: [first === KEY_HEADER ? KEY_ARGUMENT : first, ...rest].filter((key) => key !== undefined),
    ...error,
  }))
  return { ...body, message: body.message.replace(KEY_HEADER, KEY_ARGUMENT), errors }
}
