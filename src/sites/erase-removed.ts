import type { Clock } from '#clock.ts'
import type { ControlStore } from '#control/store.ts'

/** Ids of removed sites whose evidence may still be stored, first removed first. */
export async function findSitesToErase({ control }: { control: ControlStore }): Promise<string[]> {
  const rows = await control.db
    .selectFrom('removed_sites')
    .select('site_id')
    .where('evidence_deleted_at', 'is', null)
    .orderBy('removed_at')
    .orderBy('site_id')
    .execute()
  return rows.map((row) => row.site_id)
}

/** Says that the evidence of a removed site is gone. Call it after the deletion: a crash between the two repeats the deletion. */
export async function recordErased(
  { control, clock }: { control: ControlStore; clock: Clock },
  site_id: string,
): Promise<void> {
  await control.db
    .updateTable('removed_sites')
    .set({ evidence_deleted_at: clock.now() })
    .where('site_id', '=', site_id)
    .where('evidence_deleted_at', 'is', null)
    .execute()
}
