import { utcDay } from '#clock.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { JoinableStretch } from '../coverage/intervals.ts'
import { storeAssignment } from './assign.ts'
import { revisionOf } from './promise.ts'
import { readAuthority } from './read-authority.ts'

/**
 * When new evidence shows that an assigned source no longer keeps its promise (it samples, or statuses appear), a new revision takes the
 * host over from the day of that evidence on. Promises only ever fall in sampling and rise in statuses, so they cannot flicker.
 */
export async function keepContracts(
  tx: ControlTransaction,
  { site_id, source_id, stretches }: { site_id: string; source_id: string; stretches: readonly JoinableStretch[] },
): Promise<void> {
  const assigned = await tx
    .selectFrom('contract_revisions')
    .select('id')
    .where('source_id', '=', source_id)
    .limit(1)
    .executeTakeFirst()
  if (assigned === undefined || stretches.length === 0) return
  const source = await tx.selectFrom('sources').selectAll().where('id', '=', source_id).executeTakeFirstOrThrow()
  const sampled = await tx
    .selectFrom('coverage_intervals')
    .select(['source_id', 'host', 'sampling'])
    .where('source_id', '=', source_id)
    .where('sampling', 'is not', null)
    .execute()
  const shown = utcDay(stretches.reduce((first, { from }) => Math.min(first, from), Number.POSITIVE_INFINITY))
  const noticed_at = stretches.reduce((last, { to }) => Math.max(last, to), 0)
  const { assignments } = await readAuthority(tx, site_id)
  for (const chain of Map.groupBy(assignments, ({ hostname }) => hostname).values()) {
    const last = chain.at(-1)
    if (last === undefined || last.revision.source_id !== source_id) continue
    const revision = revisionOf(source, last.hostname, sampled)
    if (revision.id === last.revision.id) continue
    const from = [shown, last.effective_day].sort().at(-1) as string
    await tx
      .updateTable('authority_assignments')
      .set({ superseded_at: noticed_at })
      .where('site_id', '=', site_id)
      .where('hostname', '=', last.hostname)
      .where('effective_day', '>=', from)
      .where('superseded_at', 'is', null)
      .execute()
    await storeAssignment(tx, revision, from, noticed_at)
  }
}
