/** Liveness and readiness say ok or not, and nothing else (rules 7). */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { refuseOtherMethods } from './unsupported-methods.ts'

/** `/healthz`: the process answers. `/readyz`: `ready` says that the stores answer, else 503. */
export function registerHealth(app: FastifyInstance, ready: () => Promise<boolean>): void {
  app.get('/healthz', async (_request, reply) => write(reply, true))
  app.get('/readyz', async (_request, reply) => write(reply, await ready().catch(() => false)))
  for (const url of ['/healthz', '/readyz']) refuseOtherMethods(app, url, ['GET'])
}

const write = (reply: FastifyReply, ok: boolean) =>
  reply
    .code(ok ? 200 : 503)
    .type('text/plain; charset=utf-8')
    .send(ok ? 'ok' : 'not ok')
