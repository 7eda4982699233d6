import type { ControlTransaction } from '#control/store.ts'

/** Acknowledged events that no answer will ever show. */
export interface LostEvents {
  day: string
  reason: 'spool_damaged' | 'node_lost'
  events: number
  /** Epoch milliseconds. */
  last_at: number
}

/** Whose events they were is lost with them, so that the day is reported as incomplete for every tracker. */
export async function countLost(tx: ControlTransaction, lost: LostEvents, now: number): Promise<void> {
  const trackers = await tx.selectFrom('trackers').select('site_id').where('enabled_at', '<=', now).execute()
  for (const { site_id } of trackers) {
    await tx
      .insertInto('collection_counts')
      .values({ site_id, outcome: 'refused', ...lost })
      .onConflict((conflict) =>
        conflict
          .columns(['site_id', 'day', 'outcome', 'reason'])
          .doUpdateSet((eb) => ({ events: eb('collection_counts.events', '+', lost.events) })),
      )
      .execute()
  }
}
