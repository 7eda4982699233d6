import type { ControlTransaction } from '#control/store.ts'

/** Acknowledged events that were lost. */
export interface LostEvents {
  day: string
  reason: 'spool_damaged' | 'node_lost'
  events: number
  /** Epoch milliseconds. */
  last_at: number
}

/** Counts them for every tracker, because their sites are unknown: the day is incomplete for all of them. */
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
