/** The caller's account as operations. */
import { instantOrNull, instantText } from '#clock.ts'
import type { ManagementOperationOf } from '#contract/management-api/index.ts'
import type { ControlStore } from '#control/store.ts'
import type { AccountRow } from '#control/tables.ts'
import type { Implementations } from '#implementation.ts'
import { readAccount, setAccountStatus, setQuestionLimit } from './account-status.ts'

export const manageAccount: Implementations<ManagementOperationOf<`account.${string}`>, { control: ControlStore }> = {
  async 'account.show'(ctx) {
    const account = await readAccount(ctx, ctx.caller.account_id)
    return { ...describeAccount(account), users: account.users, sites: account.sites }
  },

  async 'account.suspend'(ctx) {
    return describeAccount(await setAccountStatus(ctx, { account_id: ctx.caller.account_id, status: 'suspended' }))
  },

  async 'account.set_question_limit'(ctx, { limit }) {
    return describeAccount(await setQuestionLimit(ctx, { account_id: ctx.caller.account_id, limit }))
  },

  async 'account.activate'(ctx) {
    return describeAccount(await setAccountStatus(ctx, { account_id: ctx.caller.account_id, status: 'active' }))
  },
}

function describeAccount({ access_ends_at, created_at, ...account }: AccountRow) {
  return { ...account, access_ends_at: instantOrNull(access_ends_at), created_at: instantText(created_at) }
}
