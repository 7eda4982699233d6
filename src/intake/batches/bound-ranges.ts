/** Bounds the covered times of a source: every answer about the site reads all of them (rules 3). */
import { sql } from 'kysely'
import type { ControlTransaction } from '#control/store.ts'
import { addWarning } from './add-warning.ts'
import type { ReadyBatch } from './ready-batch.ts'

/** The most ranges of a source, of all senders and hosts: two of each hour for 600 days. */
const MAX_RANGES = 30_000
const MESSAGE =
  'what the source covered has over 30,000 gaps, and its shortest covered times were forgotten: send heartbeats or requests of your own in quiet hours'
/** Rows of one statement. */
const AT_ONCE = 500

/** Forgets the shortest ranges of a source with too many, of equal ones the oldest, and warns of it. */
export async function boundRanges(
  tx: ControlTransaction,
  source_id: string,
  batches: readonly ReadyBatch[],
): Promise<void> {
  const held = await tx
    .selectFrom('coverage_intervals')
    .select(({ fn }) => fn.countAll<number>().as('ranges'))
    .where('source_id', '=', source_id)
    .executeTakeFirstOrThrow()
  const surplus = Number(held.ranges) - MAX_RANGES
  if (surplus <= 0) return
  const shortest = await tx
    .selectFrom('coverage_intervals')
    .select('id')
    .where('source_id', '=', source_id)
    .orderBy(sql`to_at - from_at`)
    .orderBy('from_at')
    .orderBy('id')
    .limit(surplus)
    .execute()
  for (let at = 0; at < shortest.length; at += AT_ONCE) {
    const ids = shortest.slice(at, at + AT_ONCE).map(({ id }) => id)
    await tx.deleteFrom('coverage_intervals').where('id', 'in', ids).execute()
  }
  for (const { answer } of batches) addWarning(answer, 'many_ranges', MESSAGE)
}
