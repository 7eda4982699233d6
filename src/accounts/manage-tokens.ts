/** Account tokens as operations. A secret in an answer is shown once and kept nowhere. */
import { instantOrNull, instantText } from '#clock.ts'
import type { ManagementOperationOf, ManagementOutput } from '#contract/management-api/index.ts'
import type { ControlContext } from '#control/context.ts'
import type { DeprecatedUseRow } from '#control/tables.ts'
import type { Implementations } from '#implementation.ts'
import {
  type AccountTokenSummary,
  createAccountToken,
  listAccountTokens,
  revokeAccountToken,
  rotateAccountToken,
} from './account-tokens.ts'
import { readDeprecatedUses } from './deprecated-uses.ts'
import { findActingUser } from './find-acting-user.ts'
import { findUser } from './users.ts'

export const manageTokens: Implementations<ManagementOperationOf<`token.${string}`>, ControlContext> = {
  async 'token.create'(ctx, { name, scope, user }) {
    const { db } = ctx.control
    const owner = user === undefined ? await findActingUser(db, ctx.caller) : await findUserOfAccount(ctx, user)
    return createAccountToken(ctx, { ...owner, name, scope })
  },

  async 'token.list'(ctx) {
    const tokens = await listAccountTokens(ctx, ctx.caller)
    const uses = await readDeprecatedUses(ctx.control.db, { token_ids: tokens.map(({ id }) => id) })
    return {
      tokens: tokens.map((token) => ({
        ...describeToken(token),
        deprecated_uses: uses.filter(({ token_id }) => token_id === token.id).map(describeUse),
      })),
    }
  },

  async 'token.revoke'(ctx, { token }) {
    return describeToken(await revokeAccountToken(ctx, { account_id: ctx.caller.account_id, token }))
  },

  async 'token.rotate'(ctx, { token }) {
    const { revoked, ...issued } = await rotateAccountToken(ctx, { account_id: ctx.caller.account_id, token })
    return { ...issued, revoked: describeToken(revoked) }
  },
}

/** A person of another account is refused where the token is made. */
async function findUserOfAccount(ctx: ControlContext & { caller: { account_id: string } }, text: string) {
  const { id } = await findUser(ctx.control.db, text)
  return { account_id: ctx.caller.account_id, user_id: id }
}

const describeUse = ({ operation, requests, last_used_at }: DeprecatedUseRow) => ({
  operation,
  requests,
  last_used_at: instantText(last_used_at),
})

function describeToken(token: AccountTokenSummary): ManagementOutput<'token.revoke'> {
  const { created_at, last_used_at, revoked_at, ...shown } = token
  return {
    ...shown,
    created_at: instantText(created_at),
    last_used_at: instantOrNull(last_used_at),
    revoked_at: instantOrNull(revoked_at),
  }
}
