import { randomUUID } from 'node:crypto'
import type { Clock } from '#clock.ts'
import { insertSetting } from '#control/settings.ts'
import type { ControlDb, ControlStore, ControlTransaction } from '#control/store.ts'

export interface OperatorAccount {
  account_id: string
  user_id: string
  /** True when this call made them. */
  created: boolean
}

/**
 * Gives an empty store its account and its first user, the operator (decisions 2, rules 7), in one transaction; on any
 * other store it finds them. Several processes may call it at once: one creates, the others find.
 */
export async function ensureInstallation(control: ControlStore, clock: Clock): Promise<OperatorAccount> {
  return control.transaction(async (trx) => {
    // True for one caller only; on PostgreSQL the others wait here for that one.
    const created = await insertSetting(trx, 'installation_id', randomUUID())
    if (created) await createFirstUser(trx, clock.now())
    return { ...(await findOperator(trx)), created }
  })
}

/** Self-hosted default: active, with `subscription` and no billing (decisions 2). */
async function createFirstUser(trx: ControlTransaction, created_at: number): Promise<void> {
  const account_id = randomUUID()
  await trx
    .insertInto('accounts')
    .values({ id: account_id, name: 'Main account', status: 'active', access: 'subscription', created_at })
    .execute()
  await trx
    .insertInto('users')
    .values({ id: randomUUID(), account_id, email: null, is_operator: 1, account_role: 'admin', created_at })
    .execute()
}

/** The longest-standing operator, for whom the person at the machine acts. */
export async function findOperator(db: ControlDb): Promise<{ account_id: string; user_id: string }> {
  const operator = await db
    .selectFrom('users')
    .select(['id as user_id', 'account_id'])
    .where('is_operator', '=', 1)
    .orderBy('created_at')
    .orderBy('id')
    .executeTakeFirst()
  if (operator === undefined) throw new Error('This installation has no operator left: restore the control store.')
  return operator
}
