import type { ControlStore } from '#control/store.ts'
import type { AccountRow } from '#control/tables.ts'
import { Refusal } from '#refusal.ts'

/** An account with what it holds. @throws Refusal not_found. */
export async function readAccount(
  { control }: { control: ControlStore },
  account_id: string,
): Promise<AccountRow & { users: number; sites: number }> {
  return control.snapshot(async (trx) => {
    const account = await trx.selectFrom('accounts').selectAll().where('id', '=', account_id).executeTakeFirst()
    if (account === undefined) throw unknownAccount()
    const users = await trx.selectFrom('users').select('id').where('account_id', '=', account_id).execute()
    const sites = await trx.selectFrom('sites').select('id').where('account_id', '=', account_id).execute()
    return { ...account, users: users.length, sites: sites.length }
  })
}

/**
 * Suspends or activates an account. While it is suspended its site keys are refused with their next request; evidence
 * is still accepted (rules 1). Saying it again changes nothing.
 * @throws Refusal not_found.
 */
export async function setAccountStatus(
  { control }: { control: ControlStore },
  { account_id, status }: { account_id: string; status: AccountRow['status'] },
): Promise<AccountRow> {
  const account = await control.db
    .updateTable('accounts')
    .set({ status })
    .where('id', '=', account_id)
    .returningAll()
    .executeTakeFirst()
  if (account === undefined) throw unknownAccount()
  return account
}

/** Limits the active questions of the account; those beyond a lower limit stay. @throws Refusal not_found. */
export async function setQuestionLimit(
  { control }: { control: ControlStore },
  { account_id, limit }: { account_id: string; limit: number },
): Promise<AccountRow> {
  const account = await control.db
    .updateTable('accounts')
    .set({ active_question_limit: limit })
    .where('id', '=', account_id)
    .returningAll()
    .executeTakeFirst()
  if (account === undefined) throw unknownAccount()
  return account
}

function unknownAccount(): Refusal {
  return new Refusal('not_found', 'This installation has no such account.')
}
