/** Marks silent sources, and deletes old answers and senders (rules 3, 4). */
import { DAY_MS, HOUR_MS } from '#clock.ts'
import type { ControlStore } from '#control/store.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { utcDay } from '#days/utc-day.ts'
import { deleteOldBatchAnswers } from './answered-batches.ts'

/** A source without a delivery for this long is in error until it delivers again (rules 3). */
const SILENT_MS = 24 * HOUR_MS
/** Silent senders are deleted after this time, because machines come and go. */
const MAX_SENDER_SILENCE_MS = 30 * DAY_MS
/** How long silences of senders are stored: longer than the days for which they are read. */
const SILENCE_LIFETIME_MS = 60 * DAY_MS

/** Marks silent sources; returns their number. Their next delivery makes them live again. */
export async function markSilentSources({
  control,
  clock,
}: Pick<CrawlerContext, 'control' | 'clock'>): Promise<number> {
  const since = clock.now() - SILENT_MS
  const { numUpdatedRows } = await control.db
    .updateTable('sources')
    .set({ connection_status: 'error' })
    .where((is) => is.and({ source_type: 'https_intake', connection_status: 'live' }))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('senders')
            .select('senders.name')
            .whereRef('senders.source_id', '=', 'sources.id')
            .where('senders.last_received_at', '>', since),
        ),
      ),
    )
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Deletes answers after 72 hours, and senders that were silent for a month and whose coverage is gone. */
export async function tidyIntake({
  control,
  clock,
}: {
  control: ControlStore
  clock: CrawlerContext['clock']
}): Promise<void> {
  const now = clock.now()
  await deleteOldBatchAnswers(control.db, now)
  await control.db
    .deleteFrom('senders')
    .where('last_received_at', '<', now - MAX_SENDER_SILENCE_MS)
    // Days of its coverage are judged by its last delivery.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('coverage_intervals')
            .select('coverage_intervals.id')
            .whereRef('coverage_intervals.source_id', '=', 'senders.source_id')
            .whereRef('coverage_intervals.sender', '=', 'senders.name'),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('forgotten_watches')
            .select('forgotten_watches.sender')
            .whereRef('forgotten_watches.source_id', '=', 'senders.source_id')
            .whereRef('forgotten_watches.sender', '=', 'senders.name'),
        ),
      ),
    )
    .execute()
  await control.db
    .deleteFrom('sender_silences')
    .where('day', '<', utcDay(now - SILENCE_LIFETIME_MS))
    .execute()
}
