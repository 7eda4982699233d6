import Type from 'typebox'
import { findOperator } from '#accounts/ensure-installation.ts'
import type { IssuedLink } from '#accounts/one-time-links.ts'
import { addUser, listUsers, removeUser, resetLink } from '#accounts/users.ts'
import { instantText } from '#clock.ts'
import type { UserRow } from '#control/tables.ts'
import { welcomeLink } from '../http/welcome/page.ts'
import type { OperatorContext } from './command.ts'
import { command } from './command.ts'

/** The people of the installation. A link in an answer is a secret: it is shown to the person at the machine and kept nowhere. */
export const userCommands = {
  'user.add': command({
    input: Type.Object({ email: Type.String(), is_operator: Type.Boolean() }),
    async run(ctx, { email, is_operator }) {
      const { user, link } = await addUser(ctx, { account_id: ctx.account_id, email, is_operator })
      return { ...userAnswer(user), ...linkAnswer(ctx, link) }
    },
  }),

  'user.list': command({
    input: Type.Object({}),
    async run(ctx) {
      const users = await listUsers(ctx)
      return {
        users: users.map(({ has_password, sites, ...user }) => ({ ...userAnswer(user), has_password, sites })),
      }
    },
  }),

  'user.reset_link': command({
    // Without a user it is the operator's own link.
    input: Type.Object({ user: Type.Optional(Type.String()) }),
    async run(ctx, { user: text }) {
      const named = text ?? (await findOperator(ctx.control.db)).user_id
      const { user, link } = await resetLink(ctx, named)
      return { ...userAnswer(user), ...linkAnswer(ctx, link) }
    },
  }),

  'user.remove': command({
    input: Type.Object({ user: Type.String() }),
    async run(ctx, { user: text }) {
      const { user, ended_key_ids } = await removeUser(ctx, text)
      return { ...userAnswer(user), revoked_key_ids: ended_key_ids }
    },
  }),
}

function userAnswer({ id, email, is_operator, created_at }: UserRow) {
  return { id, email, is_operator: is_operator === 1, created_at: instantText(created_at) }
}

function linkAnswer(ctx: OperatorContext, { token, expires_at }: IssuedLink) {
  return { link: welcomeLink(ctx.origin(), token), link_expires_at: instantText(expires_at) }
}
