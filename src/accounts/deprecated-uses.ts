/** Counts which tokens still call deprecated routes, so that their programs can be changed (account API 2.6). */

import { writeBestEffort } from '#control/best-effort-write.ts'
import type { ControlContext } from '#control/context.ts'
import type { ControlDb } from '#control/store.ts'
import type { DeprecatedUseRow } from '#control/tables.ts'

/**
 * Adds one request of a deprecated operation, by its id; exact with any number of processes. While the store takes no
 * writes the routes answer, and uses go uncounted.
 */
export async function countDeprecatedUse(
  { control, clock }: ControlContext,
  { token_id, operation }: Pick<DeprecatedUseRow, 'token_id' | 'operation'>,
): Promise<void> {
  const last_used_at = clock.now()
  const counted = control.db
    .insertInto('deprecated_uses')
    .values({ token_id, operation, requests: 1, last_used_at })
    .onConflict((conflict) =>
      conflict.columns(['token_id', 'operation']).doUpdateSet(({ ref, lit, eb }) => ({
        requests: eb(ref('deprecated_uses.requests'), '+', lit(1)),
        last_used_at,
      })),
    )
  await writeBestEffort(counted.execute())
}

/** What tokens called, with the newest call first; without ids that of all tokens that are not revoked. */
export async function readDeprecatedUses(
  db: ControlDb,
  { token_ids }: { token_ids?: readonly string[] } = {},
): Promise<(DeprecatedUseRow & { name: string; prefix: string })[]> {
  return (
    db
      .selectFrom('deprecated_uses')
      .innerJoin('account_tokens', 'account_tokens.id', 'deprecated_uses.token_id')
      .selectAll('deprecated_uses')
      .select(['account_tokens.name', 'account_tokens.prefix'])
      .$if(token_ids === undefined, (query) => query.where('account_tokens.revoked_at', 'is', null))
      // PostgreSQL takes no empty list.
      .$if(token_ids !== undefined, (query) => query.where('token_id', 'in', ['', ...(token_ids ?? [])]))
      .orderBy('deprecated_uses.last_used_at', 'desc')
      .orderBy('operation')
      .execute()
  )
}
