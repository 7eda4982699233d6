/** Counts what senders delivered by day: a day is partial if over 1 % of its records were refused (rules 3). */
import { sql } from 'kysely'
import type { ControlTransaction } from '#control/store.ts'
import { union } from '#days/intervals.ts'
import { splitByDay } from '#days/split-by-day.ts'
import { utcDay } from '#days/utc-day.ts'
import type { CoverageNotes } from './batch-coverage.ts'
import type { ReadyBatch } from './ready-batch.ts'

/**
 * Adds the records of these batches to the days that they show. Refused ones may have no readable time: those of a
 * batch that shows no day belong to the day of its receipt. Call it once for each batch.
 */
export async function countRecords(
  tx: ControlTransaction,
  source_id: string,
  batches: readonly ReadyBatch[],
  now: number,
): Promise<void> {
  const counts = new Map<string, { sender: string; day: string; records: number; unreadable: number }>()
  for (const { sender, coverage, answer } of batches) {
    if (answer.records === 0) continue
    const shown = daysOf(coverage)
    for (const day of shown.size === 0 ? [utcDay(now)] : shown) {
      const key = `${day} ${sender}`
      const known = counts.get(key) ?? { sender, day, records: 0, unreadable: 0 }
      known.records += answer.records
      known.unreadable += answer.rejected_count
      counts.set(key, known)
    }
  }
  for (const row of counts.values()) {
    await tx
      .insertInto('sender_records')
      .values({ source_id, ...row })
      .onConflict((conflict) =>
        conflict.columns(['source_id', 'sender', 'day']).doUpdateSet({
          records: sql<number>`sender_records.records + excluded.records`,
          unreadable: sql<number>`sender_records.unreadable + excluded.unreadable`,
        }),
      )
      .execute()
  }
}

/** The UTC days of a batch's records and heartbeats. */
function daysOf({ minutes, heartbeats }: CoverageNotes): ReadonlySet<string> {
  const days = new Set<string>()
  for (let at = 0; at < minutes.length; at += 2) days.add(utcDay(minutes[at] as number))
  for (const day of splitByDay(union(heartbeats)).keys()) days.add(day)
  return days
}
