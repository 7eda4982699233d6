/** The person behind a request of the dashboard's API, looked up anew for each (decisions 2). */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuseClosedAccount } from '#accounts/account-access.ts'
import { findSession, type SignedIn } from '#accounts/sessions.ts'
import type { ManagementServices } from '#management-services.ts'
import type { Network } from '#networks.ts'
import { clientAddress, clientNetwork } from '../client-address.ts'
import { DashboardFailure } from './failures.ts'
import { checkHost, checkOrigin, type OwnOrigins, ownOrigins } from './own-origin.ts'
import { readSessionCookie } from './session-cookie.ts'

export interface SessionContext extends Pick<ManagementServices, 'control' | 'clock' | 'is_clock_simulated'> {
  /** Our origin where it is configured. */
  public_url: string | null
  /** The configured port, for as long as nothing listens. */
  port: number
  trusted_proxies: readonly Network[]
}

export interface SignedInRequests {
  /** Throws unless the request is of our own pages. */
  checkOwn(request: FastifyRequest): void
  /** Throws unless the request is of our own pages, and of a person who signed in. */
  admit(request: FastifyRequest): Promise<SignedIn>
  /** Whom `admit` found. */
  of(request: FastifyRequest): SignedIn
  own(): OwnOrigins
  /** The network that the request came from. */
  clientOf(request: FastifyRequest): string
}

/** Checks requests of the dashboard: host, origin and session. */
export function signedInRequests(app: FastifyInstance, ctx: SessionContext): SignedInRequests {
  const found = new WeakMap<FastifyRequest, SignedIn>()
  const own = () => {
    const address = app.server.address()
    return ownOrigins(ctx.public_url, typeof address === 'object' && address !== null ? address.port : ctx.port)
  }
  const checkOwn = ({ headers, method }: FastifyRequest) => {
    const origins = own()
    checkHost(headers, origins)
    checkOrigin(headers, origins, method !== 'GET' && method !== 'HEAD')
  }
  return {
    own,
    checkOwn,
    async admit(request) {
      checkOwn(request)
      const secret = readSessionCookie(request.headers, ctx.public_url)
      const signed_in = secret === null ? null : await findSession(ctx, secret)
      if (signed_in === null) throw new DashboardFailure('signed_out', 'You are not signed in: sign in first.')
      const { caller, account } = signed_in
      // An operator can end the suspension.
      if (account.status === 'suspended' && !caller.is_operator) refuseClosedAccount(account, ctx.clock)
      found.set(request, signed_in)
      return signed_in
    },
    of(request) {
      const signed_in = found.get(request)
      if (signed_in === undefined) throw new Error('a request was answered before its session was known')
      return signed_in
    },
    clientOf({ raw, headers }) {
      const forwarded = headers['x-forwarded-for']
      const given = Array.isArray(forwarded) ? forwarded.join(',') : forwarded
      return clientNetwork(clientAddress(raw.socket.remoteAddress ?? '', given, ctx.trusted_proxies))
    },
  }
}
