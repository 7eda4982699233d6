/** Methods of a path: what it does not support is 405 with `Allow`, not 404 (spec 7.1). */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { RequestProblem } from './problems.ts'

/** Those that some path supports. */
const SUPPORTED = ['GET', 'HEAD', 'POST', 'PATCH', 'OPTIONS']
/** The router sees every other method that Node can parse by this one's name. No path supports it either. */
const ANY_OTHER = 'TRACE'

/** The key under which a request keeps what its client wrote, where the router sees `ANY_OTHER`. */
const WRITTEN = Symbol('written method')

type Routed = IncomingMessage & { [WRITTEN]?: string }

/**
 * To be called before a request is routed. Some thirty methods share one name, because a route for each of them on each
 * path takes longer than all else that the server does before it listens, and 10 MB.
 */
export function joinOtherMethods(request: Routed): void {
  const { method } = request
  // CONNECT never reaches a router.
  if (method === undefined || method === 'CONNECT' || SUPPORTED.includes(method)) return
  request[WRITTEN] = method
  request.method = ANY_OTHER
}

/** The method as the client wrote it. */
export function writtenMethod({ raw }: { raw: Routed }): string {
  return raw[WRITTEN] ?? raw.method ?? ''
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
  const unreachable = methods.filter((method) => !SUPPORTED.includes(method))
  if (unreachable.length > 0) throw new Error(`${unreachable.join(', ')} of ${url} is not among the supported methods.`)
  app.route({
    method: [...SUPPORTED, ANY_OTHER].filter((method) => !allowed.includes(method)),
    url,
    // Refused before a body is read, so that a strange content type cannot answer first.
    onRequest: async (request) => {
      throw new RequestProblem(
        'method_not_allowed',
        `${writtenMethod(request)} is not supported here; supported: ${allow}.`,
        {
          allow,
        },
      )
    },
    handler: () => {},
  })
}

function withHead(methods: readonly string[]): string[] {
  return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
}
