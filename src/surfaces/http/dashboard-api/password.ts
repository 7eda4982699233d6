/** Where the welcome page sends a one-time link: whom it is for, and the new password (decisions 2, rules 7). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { type Clock, instantText } from '#clock.ts'
import type { Network } from '#networks.ts'
import { sendFailure } from '../../register-operations.ts'
import { clientAddress, clientNetwork } from '../client-address.ts'
import { answerToDashboard, RequestProblem } from '../problems.ts'
import { readBody } from '../read-body.ts'
import { refuseOtherMethods } from '../unsupported-methods.ts'
import { type Attempts, countAttempts } from './attempts.ts'
import { checkSameOrigin } from './same-origin.ts'

/** The domain as the page needs it; both throw Refusal(not_found) for a link that is not in force. */
export interface PasswordApi {
  findLink(token: string): Promise<{ email: string | null; expires_at: number }>
  choosePassword(chosen: { token: string; password: string; email: string | null }): Promise<{ email: string }>
  clock: Clock
  trusted_proxies: readonly Network[]
  /** Our origin where it is configured. */
  public_url: string | null
}

const Token = Type.String({ maxLength: 200, description: 'the part of the link after #' })
const LinkBody = Compile(Type.Object({ token: Token }))
const PasswordBody = Compile(
  Type.Object({
    token: Token,
    password: Type.String({ description: '12 to 200 characters' }),
    email: Type.Optional(Type.String({ description: 'for a person who has no e-mail address yet' })),
  }),
)

/** `POST /dashboard-api/link` and `POST /dashboard-api/password`; registered apart, with answers of their own. */
export function registerPassword(app: FastifyInstance, api: PasswordApi): void {
  const attempts = countAttempts(api.clock)
  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => sendFailure(request, reply, error, answerToDashboard(error)))
    const onRequest = async (request: FastifyRequest) => admit(api, attempts, request)
    scope.post('/dashboard-api/link', { onRequest }, async ({ raw }, reply) => {
      const { token } = await readBody(raw, LinkBody)
      const { email, expires_at } = await api.findLink(String(token))
      return sendJson(reply, { email, expires_at: instantText(expires_at) })
    })
    scope.post('/dashboard-api/password', { onRequest }, async ({ raw }, reply) => {
      const { token, password, email } = await readBody(raw, PasswordBody)
      const chosen = {
        token: String(token),
        password: String(password),
        email: email === undefined ? null : String(email),
      }
      return sendJson(reply, await api.choosePassword(chosen))
    })
    for (const url of ['/dashboard-api/link', '/dashboard-api/password']) refuseOtherMethods(scope, url, ['POST'])
  })
}

/** Before any body is read, so that neither a foreign page nor a flood costs more than its headers. */
function admit(api: PasswordApi, attempts: Attempts, { raw, headers }: FastifyRequest): void {
  checkSameOrigin(headers, api.public_url)
  const forwarded = headers['x-forwarded-for']
  const given = Array.isArray(forwarded) ? forwarded.join(',') : forwarded
  const client = clientAddress(raw.socket.remoteAddress ?? '', given, api.trusted_proxies)
  const wait = attempts.refuse(clientNetwork(client))
  if (wait === null) return
  throw new RequestProblem('rate_limited', `Too many attempts from your address: try again in ${wait} seconds.`, {
    'retry-after': String(wait),
  })
}

function sendJson(reply: FastifyReply, value: unknown): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(value))
}
