/** Methods of a path: what it does not support is 405 with `Allow`, not 404 (spec 7.1). */
import { METHODS } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { RequestProblem } from './problems.ts'

/** Lets the router see every method that Node can parse. CONNECT never reaches a router. */
export function knowAllMethods(app: FastifyInstance): void {
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
}

/**
 * Registers the complement of a path's methods. `methods` are those with a route of their own; GET brings HEAD. `allow`
 * names the supported ones, where a route only answers some requests.
 */
export function refuseOtherMethods(
  app: FastifyInstance,
  url: string,
  methods: readonly string[],
  allow: string = withHead(methods).join(', '),
): void {
  const allowed = withHead(methods)
  app.route({
    method: app.supportedMethods.filter((method) => !allowed.includes(method)),
    url,
    // Refused before a body is read, so that a strange content type cannot answer first.
    onRequest: async (request) => {
      throw new RequestProblem('method_not_allowed', `${request.method} is not supported here; supported: ${allow}.`, {
        allow,
      })
    },
    handler: () => {},
  })
}

function withHead(methods: readonly string[]): string[] {
  return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
}
