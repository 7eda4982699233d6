import { type Clock, instantText } from '#clock.ts'
import type { AccountRow } from '#control/tables.ts'
import { Refusal } from '#refusal.ts'

/** The fields of an account that decide whether its tokens are accepted. */
export type AccountState = Pick<AccountRow, 'status' | 'access' | 'access_ends_at'>

/**
 * Refuses the callers of an account that is suspended, has no access, or whose trial is over (decisions 2).
 * @throws Refusal forbidden, which names the cause.
 */
export function refuseClosedAccount({ status, access, access_ends_at }: AccountState, clock: Clock): void {
  if (status === 'suspended') {
    throw new Refusal('forbidden', 'The account is suspended; an operator of this installation can activate it again.')
  }
  if (access === 'none') throw new Refusal('forbidden', 'The account has no access to brand visibility.')
  if (access === 'trial' && access_ends_at !== null && access_ends_at <= clock.now()) {
    throw new Refusal('forbidden', `The trial of the account ended at ${instantText(access_ends_at)}.`)
  }
}
