/** While the last piece of an installation moves, requests that may store something are refused (decisions 8.2). */
import type { FastifyInstance } from 'fastify'
import type { AccountApiError } from '#contract/account-api/errors.ts'
import { PROBLEM_MEDIA_TYPE } from '#contract/problem.ts'
import type { FailureAnswer } from '../register-operations.ts'
import { writeProblem } from './problems.ts'

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
/** Reads come by POST too: a tool that writes is refused by the stores. */
const MCP = '/mcp'

const DETAIL =
  'The service moves to other stores and stores nothing now. Send it again in a minute; if it stays, the operator has not started the service with those stores yet.'

/** Refuses requests that may write while the installation moves. */
export function refuseWhileMoving(app: FastifyInstance, isMoving: () => boolean, retry_seconds: number): void {
  app.addHook('onRequest', async ({ method, url }, reply) => {
    const [path = ''] = url.split('?', 1)
    if (READS.has(method) || path === MCP || !isMoving()) return undefined
    const { status, headers, body } = answerBelow(path)
    return reply
      .code(status)
      .headers({ ...headers, 'retry-after': String(retry_seconds) })
      .send(Buffer.from(body))
  })
}

/** Both APIs have closed lists of statuses without a 503 for what writes (spec 4.2, 7.2). */
function answerBelow(path: string): FailureAnswer {
  if (path.startsWith('/v1/')) return writeProblem('internal_error', DETAIL)
  if (path.startsWith('/api/v1/')) {
    const body: AccountApiError = { message: DETAIL, code: 'server_error' }
    return { status: 500, headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify(body) }
  }
  const problem = { type: 'urn:spoor:problem:moving', title: 'temporarily unavailable', status: 503, code: 'moving' }
  return {
    status: 503,
    headers: { 'content-type': PROBLEM_MEDIA_TYPE },
    body: JSON.stringify({ ...problem, detail: DETAIL }),
  }
}
