import type { ControlDb } from '#control/store.ts'
import type { Caller } from './caller.ts'
import { findOperator } from './ensure-installation.ts'

/** For whom a caller acts: themselves, or at the machine the longest-standing operator. */
export async function findActingUser(db: ControlDb, caller: Caller): Promise<{ account_id: string; user_id: string }> {
  if (caller.kind === 'operator') return findOperator(db)
  return { account_id: caller.account_id, user_id: caller.user_id }
}
