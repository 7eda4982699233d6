/** While the last piece of an installation moves, requests that may store something are refused (decisions 8.2). */
import type { FastifyInstance } from 'fastify'
import { PROBLEM_MEDIA_TYPE } from '#contract/problem.ts'

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

const BODY = JSON.stringify({
  ...{ type: 'urn:spoor:problem:moving', title: 'temporarily unavailable', status: 503, code: 'moving' },
  detail: 'The service moves to other stores and stores nothing now; send it again in a minute.',
})

export function refuseWhileMoving(app: FastifyInstance, isMoving: () => boolean, retry_seconds: number): void {
  app.addHook('onRequest', async ({ method }, reply) => {
    if (READS.has(method) || !isMoving()) return undefined
    return reply.code(503).header('retry-after', String(retry_seconds)).type(PROBLEM_MEDIA_TYPE).send(BODY)
  })
}
