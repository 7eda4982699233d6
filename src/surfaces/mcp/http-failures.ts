/** What is refused before a message is read: HTTP statuses, with a JSON-RPC error as body (account API 6). */
import type { AccountApiError } from '#contract/account-api/errors.ts'
import type { Problem } from '#contract/problem.ts'
import { answerToAccountApi } from '../account-api/failures.ts'
import { answerTo, RequestProblem } from '../http/problems.ts'
import type { DescribedFailure } from '../register-operations.ts'

/** JSON-RPC: the body is not JSON that can be read; and the start of the range that servers define themselves. */
const PARSE_ERROR = -32_700
const SERVER_ERROR = -32_000

/** A failure before a message is read, as a JSON-RPC error. */
export function describeHttpFailure(error: unknown): DescribedFailure {
  if (error instanceof RequestProblem) {
    const { answer, bug } = answerTo(error, null)
    const { detail } = JSON.parse(answer.body) as Problem
    const code = error.kind === 'invalid_body' ? PARSE_ERROR : SERVER_ERROR
    return { bug, answer: { ...answer, ...written(answer.headers, { code, message: detail }) } }
  }
  const { answer, bug } = answerToAccountApi(error)
  const { message, code } = JSON.parse(answer.body) as AccountApiError
  const written_error = { code: SERVER_ERROR, message, data: { code } }
  return { bug, answer: { ...answer, ...written(answer.headers, written_error) } }
}

const written = (headers: Readonly<Record<string, string>>, error: object) => ({
  headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify({ jsonrpc: '2.0', error, id: null }),
})
