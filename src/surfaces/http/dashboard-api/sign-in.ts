/** Signing in and out, the password again, and the links to choose one (decisions 2). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type Type from 'typebox'
import { changePassword } from '#accounts/change-password.ts'
import { choosePassword } from '#accounts/choose-password.ts'
import { findLink } from '#accounts/one-time-links.ts'
import { CONFIRMED_MS, endSession, endSessions, findSessions, startSession } from '#accounts/sessions.ts'
import { confirmPassword, signIn } from '#accounts/sign-in.ts'
import { signInByLink } from '#accounts/sign-in-links.ts'
import { countLinkTry } from '#accounts/sign-in-tries.ts'
import { instantText } from '#clock.ts'
import { SIGN_IN, type SignInCalls } from '#contract/dashboard-api/index.ts'
import { sendFailure, validatorOf } from '../../register-operations.ts'
import { readBody } from '../read-body.ts'
import { refuseOtherMethods } from '../unsupported-methods.ts'
import { answerToDashboard, DashboardFailure } from './failures.ts'
import { isPlainHttp, refusePlainHttp } from './own-origin.ts'
import { readSessionCookie, writeSessionCookie } from './session-cookie.ts'
import type { SessionContext, SignedInRequests } from './signed-in.ts'

type Body<Name extends keyof SignInCalls> = Type.Static<SignInCalls[Name]['body']>
type Answer<Name extends keyof SignInCalls> = Type.Static<SignInCalls[Name]['answer']>
type Handlers = {
  [Name in keyof SignInCalls]: (body: Body<Name>, request: FastifyRequest, reply: FastifyReply) => Promise<Answer<Name>>
}

/** Each is `POST /dashboard-api/{name}`; registered apart from operations, callers may not have signed in. */
export function registerSignIn(app: FastifyInstance, ctx: SessionContext, people: SignedInRequests): void {
  const handlers = signInHandlers(ctx, people)
  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => sendFailure(request, reply, error, answerToDashboard(error)))
    for (const name of Object.keys(SIGN_IN) as (keyof SignInCalls)[]) {
      const url = `/dashboard-api/${name}`
      const validator = validatorOf(SIGN_IN[name].body)
      // Before any body is read, so that neither a foreign page nor a flood costs more than its headers.
      const onRequest = async (request: FastifyRequest) => {
        people.checkOwn(request)
        if (LINKS.includes(name)) await countLinkTry(ctx, people.clientOf(request))
      }
      scope.post(url, { onRequest }, async (request, reply) => {
        const body = await readBody(request.raw, validator, { may_be_missing: true })
        const answer = await handlers[name](body as never, request, reply)
        return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer))
      })
      refuseOtherMethods(scope, url, ['POST'])
    }
  })
}

/** They check secrets before there is a caller. */
const LINKS: readonly (keyof SignInCalls)[] = ['signInByLink', 'findLink', 'choosePassword']

function signInHandlers(ctx: SessionContext, people: SignedInRequests): Handlers {
  const { control, clock, public_url } = ctx
  const setCookie = (reply: FastifyReply, secret: string | null) =>
    reply.header('set-cookie', writeSessionCookie(secret, public_url))
  return {
    async signIn({ email, password }, request, reply) {
      refusePlainHttp(people.own())
      const secret = await signIn(ctx, {
        email,
        password,
        client: people.clientOf(request),
        user_agent: request.headers['user-agent'] ?? null,
        previous: readSessionCookie(request.headers, public_url),
      })
      if (secret === null) {
        throw new DashboardFailure('sign_in_failed', 'The e-mail address or the password is wrong.')
      }
      setCookie(reply, secret)
      return { ok: true }
    },

    async signInByLink({ token }, request, reply) {
      refusePlainHttp(people.own())
      setCookie(reply, await signInByLink(ctx, { token, user_agent: request.headers['user-agent'] ?? null }))
      return { ok: true }
    },

    async signOut(_body, request, reply) {
      const secret = readSessionCookie(request.headers, public_url)
      if (secret !== null) await endSession(ctx, secret)
      setCookie(reply, null)
      return { ok: true }
    },

    async signOutEverywhere(_body, request, reply) {
      const { caller } = await people.admit(request)
      const ended = await findSessions(ctx, caller.user_id)
      await endSessions(control.db, caller.user_id)
      setCookie(reply, null)
      return { ended_sessions: ended.length }
    },

    async confirmPassword({ password }, request) {
      const { caller } = await people.admit(request)
      const is_right = await confirmPassword(ctx, caller, { password, client: people.clientOf(request) })
      if (!is_right) throw new DashboardFailure('wrong_password', 'This is not the password you sign in with.')
      return { confirmed_until: instantText(clock.now() + CONFIRMED_MS) }
    },

    async changePassword({ password, new_password }, request, reply) {
      const { caller } = await people.admit(request)
      const is_right = await confirmPassword(ctx, caller, { password, client: people.clientOf(request) })
      if (!is_right) throw new DashboardFailure('wrong_password', 'This is not the password you sign in with.')
      const ended = await changePassword(ctx, caller, new_password)
      if (ended === null) throw new DashboardFailure('signed_out', 'You are not signed in any more: sign in again.')
      const user_agent = request.headers['user-agent'] ?? null
      setCookie(reply, await startSession(control.db, clock, { user_id: caller.user_id, user_agent }))
      return { ended_sessions: ended - 1 }
    },

    async findLink({ token }) {
      const { email, expires_at } = await findLink(ctx, token)
      return { email, expires_at: instantText(expires_at) }
    },

    async choosePassword({ token, password, email = null }, request, reply) {
      const chosen = await choosePassword(ctx, { token, password, email })
      if (isPlainHttp(people.own())) return { email: chosen.email, is_signed_in: false }
      const user_agent = request.headers['user-agent'] ?? null
      setCookie(reply, await startSession(control.db, clock, { user_id: chosen.user_id, user_agent }))
      return { email: chosen.email, is_signed_in: true }
    },
  }
}
