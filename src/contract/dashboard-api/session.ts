/** Who signed in, and how people sign in and out (decisions 2). */
import Type from 'typebox'
import { Count, closed, Instant, oneOf, orNull, Uuid } from '../fields.ts'
import { none } from '../parameters.ts'
import { ACCOUNT_ROLES, ROLES } from '../vocabulary.ts'
import { ofPerson } from './define.ts'

const theme = oneOf(['system', 'light', 'dark'])

export const getSession = ofPerson('getSession', 'Who signed in, and what they see', {
  effect: 'read',
  /** From a cookie of the browser. */
  input: Type.Object({ theme: Type.Optional(theme) }),
  output: Type.Object({
    user: Type.Object({
      id: Uuid,
      email: orNull(Type.String()),
      account_role: oneOf(ACCOUNT_ROLES),
    }),
    /** Operators manage the installation itself. */
    installation_role: orNull(oneOf(['operator'])),
    account: Type.Object({
      id: Uuid,
      name: Type.String(),
      status: oneOf(['active', 'suspended']),
      access: oneOf(['subscription', 'trial', 'prelaunch', 'none']),
      access_ends_at: orNull(Instant),
    }),
    sites: Type.Array(Type.Object({ id: Uuid, root_domain: Type.String(), role: oneOf(ROLES) })),
    /** Former domains that still find one of these sites. */
    aliases: Type.Array(Type.Object({ site_id: Uuid, root_domain: Type.String() })),
    brands: Type.Array(Type.Object({ id: Uuid, name: Type.String(), site_id: orNull(Uuid) })),
    /** The password need not be given again until then; null: it is needed for what asks for it. */
    confirmed_until: orNull(Instant),
    time_zone: Type.Literal('UTC'),
    as_of: Instant,
    is_clock_simulated: Type.Boolean(),
    /** Where strangers reach the service; null when it is not set. */
    public_url: orNull(Type.String()),
    version: Type.String(),
    theme,
  }),
})

export const listSessions = ofPerson('listSessions', 'The browsers in which the person is signed in', {
  effect: 'read',
  input: none,
  output: Type.Object({
    sessions: Type.Array(
      Type.Object({
        id: Uuid,
        /** As the browser called itself. */
        user_agent: orNull(Type.String()),
        created_at: Instant,
        last_used_at: Instant,
        is_current: Type.Boolean(),
      }),
    ),
  }),
})

const Token = Type.String({ maxLength: 200, description: 'the part of the link after #' })
const password = Type.String({ maxLength: 1_000, description: 'the password' })

/** Bodies and answers of requests that set or end the cookie. Operations need a caller, which these do not have yet. */
export const SIGN_IN = {
  signIn: {
    body: closed({ email: Type.String({ maxLength: 320, description: 'the e-mail address' }), password }),
    answer: closed({ ok: Type.Literal(true) }),
  },
  signInByLink: { body: closed({ token: Token }), answer: closed({ ok: Type.Literal(true) }) },
  signOut: { body: closed({}), answer: closed({ ok: Type.Literal(true) }) },
  signOutEverywhere: { body: closed({}), answer: closed({ ended_sessions: Count }) },
  confirmPassword: { body: closed({ password }), answer: closed({ confirmed_until: Instant }) },
  changePassword: {
    body: closed({ password, new_password: Type.String({ description: '12 to 200 characters' }) }),
    /** Of other browsers; this one stays signed in. */
    answer: closed({ ended_sessions: Count }),
  },
  findLink: {
    body: Type.Object({ token: Token }),
    answer: closed({ email: orNull(Type.String()), expires_at: Instant }),
  },
  choosePassword: {
    body: Type.Object({
      token: Token,
      password: Type.String({ description: '12 to 200 characters' }),
      email: Type.Optional(Type.String({ description: 'for a person who has no e-mail address yet' })),
    }),
    /** `is_signed_in` false: over plain http beyond this machine no caller is signed in. */
    answer: closed({ email: Type.String(), is_signed_in: Type.Boolean() }),
  },
} as const
export type SignInCalls = typeof SIGN_IN
