/**
 * How many active questions an account may have (decisions 6). Call these in the transaction that adds some: writers
 * take turns.
 */

import type { ControlDb, ControlTransaction } from '#control/store.ts'
import { countOf, formatCount } from '#quantities.ts'
import { Refusal } from '#refusal.ts'

export interface Capacity {
  limit: number
  /** Active questions of active brands. */
  active: number
}

export async function readCapacity(db: ControlDb, account_id: string): Promise<Capacity> {
  const { active_question_limit: limit } = await db
    .selectFrom('accounts')
    .select('active_question_limit')
    .where('id', '=', account_id)
    .executeTakeFirstOrThrow()
  const { active } = await db
    .selectFrom('questions')
    .innerJoin('brands', 'brands.id', 'questions.brand_id')
    .select(({ fn }) => fn.countAll<number>().as('active'))
    .where('brands.account_id', '=', account_id)
    .where('brands.archived_at', 'is', null)
    .where('questions.archived_at', 'is', null)
    .executeTakeFirstOrThrow()
  return { limit, active: Number(active) }
}

/** @throws Refusal limit_reached unless there is room for so many more. */
export async function refuseBeyondCapacity(trx: ControlTransaction, account_id: string, more: number): Promise<void> {
  const { limit, active } = await readCapacity(trx, account_id)
  if (active + more <= limit) return
  throw capacityReached({ limit, active })
}

export function capacityReached({ limit, active }: Capacity): Refusal {
  return new Refusal(
    'limit_reached',
    `The account has ${countOf(active, 'active question')} and may have ${formatCount(limit)}: archive some first, or raise the limit.`,
  )
}
