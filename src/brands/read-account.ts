/** The account behind a token, with its plan, brands and quotas (account API 2.1). */
import type { Caller } from '#accounts/caller.ts'
import { instantOrNull, instantText } from '#clock.ts'
import type { Account } from '#contract/account-api/index.ts'
import { type QuotaWindow, readQuotas } from '#control/quotas/windows.ts'
import type { ControlDb } from '#control/store.ts'
import type { AccountApiContext } from './context.ts'
import { decodeBrand, readableBrands } from './find-brand.ts'
import { readPlanEngines } from './plan-engines.ts'
import { readCapacity } from './questions/capacity.ts'

/** Everything as of one instant, except the quotas, which are in another store and include this request. */
export async function readAccountOfToken({
  control,
  clock,
  quotas,
  caller,
}: AccountApiContext & { caller: Caller }): Promise<Account> {
  if (caller.kind !== 'account_token') throw new Error('only tokens read their account')
  const { account_id, token_id } = caller
  const read = await control.snapshot(async (trx) => ({
    account: await trx.selectFrom('accounts').selectAll().where('id', '=', account_id).executeTakeFirstOrThrow(),
    token: await trx.selectFrom('account_tokens').selectAll().where('id', '=', token_id).executeTakeFirstOrThrow(),
    plan: await readPlan(trx, account_id),
    brands: await readableBrands(trx, caller).orderBy('brands.name').orderBy('brands.id').execute(),
  }))
  const { account, token, plan } = read
  if (account.access === 'none') throw new Error('an account without access is refused before')
  const { hour, thirty_days } = readQuotas(await quotas.read(account_id), clock.now())
  return {
    account: { id: account.id, name: account.name, status: account.status },
    access: { state: account.access, ends_at: instantOrNull(account.access_ends_at) },
    token: {
      id: token.id,
      name: token.name,
      prefix: token.prefix,
      scope: token.scope,
      created_at: instantText(token.created_at),
      last_used_at: instantOrNull(token.last_used_at),
    },
    plan,
    brands: read.brands.map(decodeBrand).map(({ id, name, domains }) => ({ id, name, domains: [...domains] })),
    quotas: { hour: describeQuota(hour), thirty_days: describeQuota(thirty_days) },
  }
}

/** Engines of the account, and its room for active questions. */
export async function readPlan(db: ControlDb, account_id: string): Promise<Account['plan']> {
  const { limit, active } = await readCapacity(db, account_id)
  return {
    engines: await readPlanEngines(db, account_id),
    active_question_limit: limit,
    active_question_count: active,
  }
}

const describeQuota = ({ limit, remaining, resets_at }: QuotaWindow) => ({
  limit,
  remaining,
  resets_at: instantOrNull(resets_at),
})
