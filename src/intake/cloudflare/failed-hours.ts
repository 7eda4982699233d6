/** Hours of a zone that fail by themselves: they are retried after growing pauses, and shown with the source. */
import { HOUR_MS, MINUTE_MS } from '#clock.ts'
import type { ControlStore } from '#control/store.ts'
import type { ZoneRow } from '#control/tables.ts'
import type { ZoneFault } from './failure.ts'

const FIRST_PAUSE_MS = 30 * MINUTE_MS
const MAX_PAUSE_MS = 24 * HOUR_MS

/** Records failed hours; a counting reading removes its hour. Removes hours that are too old for the provider. */
export async function noteFailedHours(
  control: ControlStore,
  { source_id, not_older_than_ms }: Pick<ZoneRow, 'source_id' | 'not_older_than_ms'>,
  failed: ReadonlyMap<number, ZoneFault>,
  now: number,
): Promise<void> {
  await control.transaction(async (tx) => {
    await tx
      .deleteFrom('failed_hours')
      .where('source_id', '=', source_id)
      .where('hour', '<', now - not_older_than_ms)
      .execute()
    for (const [hour, error_code] of failed) {
      const known = await tx
        .selectFrom('failed_hours')
        .select('attempts')
        .where((is) => is.and({ source_id, hour }))
        .executeTakeFirst()
      const attempts = known === undefined ? 1 : known.attempts + 1
      const pause = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(10, attempts - 1))
      const row = { attempts, error_code, next_try_at: now + pause }
      await tx
        .insertInto('failed_hours')
        .values({ source_id, hour, ...row })
        .onConflict((conflict) => conflict.columns(['source_id', 'hour']).doUpdateSet(row))
        .execute()
    }
  })
}
