import Type from 'typebox'
import { readAccount, setAccountStatus } from '#accounts/account-status.ts'
import { instantText } from '#clock.ts'
import type { AccountRow } from '#control/tables.ts'
import { command } from './command.ts'

/** The account of this installation. */
export const accountCommands = {
  'account.show': command({
    input: Type.Object({}),
    async run(ctx) {
      const account = await readAccount(ctx, ctx.account_id)
      return { ...accountAnswer(account), users: account.users, sites: account.sites }
    },
  }),

  'account.suspend': command({
    input: Type.Object({}),
    async run(ctx) {
      return accountAnswer(await setAccountStatus(ctx, { account_id: ctx.account_id, status: 'suspended' }))
    },
  }),

  'account.activate': command({
    input: Type.Object({}),
    async run(ctx) {
      return accountAnswer(await setAccountStatus(ctx, { account_id: ctx.account_id, status: 'active' }))
    },
  }),
}

function accountAnswer({ id, name, status, access, created_at }: AccountRow) {
  return { id, name, status, access, created_at: instantText(created_at) }
}
