/** The people of the installation as operations. A link in an answer is a secret: it is shown once and kept nowhere. */
import { instantText } from '#clock.ts'
import type { ManagementOperationOf } from '#contract/management-api/index.ts'
import type { ControlContext } from '#control/context.ts'
import type { UserRow } from '#control/tables.ts'
import type { Implementations } from '#implementation.ts'
import { findActingUser } from './find-acting-user.ts'
import type { IssuedLink } from './one-time-links.ts'
import { addUser, listUsers, removeUser, resetLink, setAccountRole } from './users.ts'

interface Services extends ControlContext {
  /** The address at which a one-time link is opened. */
  welcomeLink(token: string): string
}

export const manageUsers: Implementations<ManagementOperationOf<`user.${string}`>, Services> = {
  async 'user.add'(ctx, input) {
    const { user, link } = await addUser(ctx, { account_id: ctx.caller.account_id, ...input })
    return { ...describeUser(user), ...describeLink(ctx, link) }
  },

  async 'user.list'(ctx) {
    const users = await listUsers(ctx)
    return { users: users.map(({ has_password, sites, ...user }) => ({ ...describeUser(user), has_password, sites })) }
  },

  async 'user.reset_link'(ctx, input) {
    const named = input.user ?? (await findActingUser(ctx.control.db, ctx.caller)).user_id
    const { user, link } = await resetLink(ctx, named)
    return { ...describeUser(user), ...describeLink(ctx, link) }
  },

  async 'user.set_account_role'(ctx, input) {
    return describeUser(await setAccountRole(ctx, input))
  },

  async 'user.remove'(ctx, input) {
    const { user, ended_key_ids, ended_token_ids } = await removeUser(ctx, input.user)
    return { ...describeUser(user), revoked_key_ids: ended_key_ids, revoked_token_ids: ended_token_ids }
  },
}

function describeUser({ id, email, is_operator, account_role, created_at }: UserRow) {
  return { id, email, is_operator: is_operator === 1, account_role, created_at: instantText(created_at) }
}

function describeLink(ctx: Services, { token, expires_at }: IssuedLink) {
  return { link: ctx.welcomeLink(token), link_expires_at: instantText(expires_at) }
}
