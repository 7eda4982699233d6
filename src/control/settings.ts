import { sql } from 'kysely'
import type { ControlDb } from './store.ts'

/** The name of the setting with the identity of the evidence store that a control store belongs to. */
export const EVIDENCE_ID = 'evidence_id'

/** The value of an installation-wide setting; null: it was never written. */
export async function readSetting(db: ControlDb, name: string): Promise<string | null> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
  return row === undefined ? null : row.value
}

/** Sets an installation-wide setting, unless it has a value; false: it has one. */
export async function insertSetting(db: ControlDb, name: string, value: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Sets an installation-wide setting, new or not. */
export async function writeSetting(db: ControlDb, name: string, value: string): Promise<void> {
  await db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** Changes an installation-wide setting, unless it has another value than `from` by now. */
export async function replaceSetting(
  db: ControlDb,
  name: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await db
    .updateTable('settings')
    .set({ value: to })
    .where((is) => is.and({ name, value: from }))
    .execute()
}

/** The next number of a counter, from 1. No number is used twice, unless its transaction failed. */
export async function nextNumber(db: ControlDb, name: string): Promise<number> {
  const row = await db
    .insertInto('settings')
    .values({ name, value: '1' })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ value: sql<string>`CAST(CAST(settings.value AS bigint) + 1 AS text)` }),
    )
    .returning('value')
    .executeTakeFirstOrThrow()
  return counted(name, row.value)
}

function counted(name: string, value: string): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number) || number < 1) throw new Error(`The setting ${name} is not a counter.`)
  return number
}

/**
 * The next number of a counter that also rises with time: `now` (epoch milliseconds), or the last number plus one if
 * that is higher. So a control store that was restored to an earlier state gives no number that evidence already has.
 */
export async function nextTimedNumber(db: ControlDb, name: string, now: number): Promise<number> {
  const next = sql`CAST(settings.value AS bigint) + 1`
  const row = await db
    .insertInto('settings')
    .values({ name, value: String(now) })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({
        value: sql<string>`CAST(CASE WHEN ${next} > CAST(${now} AS bigint) THEN ${next} ELSE CAST(${now} AS bigint) END AS text)`,
      }),
    )
    .returning('value')
    .executeTakeFirstOrThrow()
  return counted(name, row.value)
}
