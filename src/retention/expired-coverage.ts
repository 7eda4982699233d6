/**
 * Keeps that a sender had coverage after the coverage itself is deleted: the sender stays expected until a week after
 * its last delivery, also on later days. Otherwise a day that it missed would become complete.
 */
import { DAY_MS } from '#clock.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { ExpiredCoverageRow } from '#control/tables.ts'
import { EXPECTED_MS } from '#crawlers/coverage/expected-observers.ts'
import { dayStart } from '#days/utc-day.ts'

/** Records the time in which senders of a source covered these days. Call it before these days are deleted. */
export async function recordExpiredCoverage(
  tx: ControlTransaction,
  source_id: string,
  days: readonly string[],
): Promise<void> {
  const ends = Math.max(...days.map(dayStart)) + DAY_MS
  const intervals = await tx
    .selectFrom('coverage_intervals')
    .select(['sender', 'host', 'from_at', 'to_at'])
    .where('source_id', '=', source_id)
    .where('from_at', '<', ends)
    .execute()
  const known = await tx.selectFrom('forgotten_watches').selectAll().where('source_id', '=', source_id).execute()
  const keyOf = ({ sender, host }: Pick<ExpiredCoverageRow, 'sender' | 'host'>) => JSON.stringify([sender, host])
  const rows = new Map(known.map((one) => [keyOf(one), one]))
  for (const { sender, host, from_at, to_at } of intervals) {
    const seen = { source_id, sender, host, from_at, to_at: Math.min(to_at, ends) }
    const before = rows.get(keyOf(seen)) ?? seen
    rows.set(keyOf(seen), {
      ...seen,
      from_at: Math.min(seen.from_at, before.from_at),
      to_at: Math.max(seen.to_at, before.to_at),
    })
  }
  for (const row of rows.values()) {
    const { from_at, to_at } = row
    await tx
      .insertInto('forgotten_watches')
      .values(row)
      .onConflict((conflict) => conflict.columns(['source_id', 'sender', 'host']).doUpdateSet({ from_at, to_at }))
      .execute()
  }
  await deleteExpiredCoverage(tx, source_id, ends - EXPECTED_MS)
}

/** Deletes expired coverage of senders that are expected on no remaining day. */
async function deleteExpiredCoverage(tx: ControlTransaction, source_id: string, before: number): Promise<void> {
  await tx
    .deleteFrom('forgotten_watches')
    .where('source_id', '=', source_id)
    .where('to_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('coverage_intervals')
            .select('coverage_intervals.id')
            .whereRef('coverage_intervals.source_id', '=', 'forgotten_watches.source_id')
            .whereRef('coverage_intervals.sender', '=', 'forgotten_watches.sender')
            .where('coverage_intervals.to_at', '>=', before),
        ),
      ),
    )
    // Late deliveries also make a sender expected for a week.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('senders')
            .select('senders.name')
            .whereRef('senders.source_id', '=', 'forgotten_watches.source_id')
            .whereRef('senders.name', '=', 'forgotten_watches.sender')
            .where('senders.last_received_at', '>=', before),
        ),
      ),
    )
    .execute()
}
