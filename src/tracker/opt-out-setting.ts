import type { ControlDb, ControlStore } from '#control/store.ts'

/** Whether visitors whose browsers send `Sec-GPC: 1` or `DNT: 1` are left out; true by default (rules 6). */
export async function readHonoursOptOut(db: ControlDb, site_id: string): Promise<boolean> {
  const row = await db
    .selectFrom('tracker_settings')
    .select('honours_opt_out')
    .where('site_id', '=', site_id)
    .executeTakeFirst()
  return row === undefined || row.honours_opt_out === 1
}

/** Sets it; the collector follows within two seconds. */
export async function setHonoursOptOut(
  { control }: { control: ControlStore },
  { site_id, honours_opt_out }: { site_id: string; honours_opt_out: boolean },
): Promise<void> {
  const settled = { honours_opt_out: honours_opt_out ? 1 : 0 } as const
  await control.db
    .insertInto('tracker_settings')
    .values({ site_id, privacy_floor: 0, ...settled })
    .onConflict((conflict) => conflict.column('site_id').doUpdateSet(settled))
    .execute()
}
