import type { ControlTransaction } from '#control/store.ts'

/**
 * Ends the keys of those users who have no membership left: a key dies with its member's last membership (rules 1), for
 * good, so that a later membership never revives it. Call it in the transaction that took the memberships away.
 * @returns the ids of the keys it ended.
 */
export async function revokeOrphanedKeys(
  trx: ControlTransaction,
  user_ids: readonly string[],
  revoked_at: number,
): Promise<string[]> {
  if (user_ids.length === 0) return []
  const ended = await trx
    .updateTable('site_keys')
    .set({ revoked_at })
    .where('user_id', 'in', user_ids)
    .where('revoked_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('members').select('members.site_id').whereRef('members.user_id', '=', 'site_keys.user_id')),
      ),
    )
    .returning('id')
    .execute()
  return ended.map((key) => key.id)
}
