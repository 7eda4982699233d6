import type { ControlContext } from '#control/context.ts'
import type { ControlStore, ControlTransaction } from '#control/store.ts'

/** Stands for the instant of a deletion that has begun and not ended. */
const IS_DELETING = 0

/** Ids of removed sites whose evidence may still be stored, first removed first. */
export async function findSitesToErase({ control }: { control: ControlStore }): Promise<string[]> {
  const rows = await control.db
    .selectFrom('removed_sites')
    .select('site_id')
    .where((is) => is.or([is('evidence_deleted_at', 'is', null), is('evidence_deleted_at', '=', IS_DELETING)]))
    .orderBy('removed_at')
    .orderBy('site_id')
    .execute()
  return rows.map((row) => row.site_id)
}

/** Call it before a removed site's evidence is deleted: `eraseAgain` may ask for another deletion while it runs. */
export async function beginErasing({ control }: { control: ControlStore }, site_id: string): Promise<void> {
  await control.db
    .updateTable('removed_sites')
    .set({ evidence_deleted_at: IS_DELETING })
    .where('site_id', '=', site_id)
    .execute()
}

/**
 * Says that the evidence of a removed site is gone, unless more may have come since `beginErasing`. Call it after the
 * deletion: a crash between repeats it.
 */
export async function recordErased({ control, clock }: ControlContext, site_id: string): Promise<void> {
  await control.db
    .updateTable('removed_sites')
    .set({ evidence_deleted_at: clock.now() })
    .where('site_id', '=', site_id)
    .where('evidence_deleted_at', '=', IS_DELETING)
    .execute()
}

/** Asks to delete a removed site's evidence again, as more may have been written; false if it was not removed. */
export async function eraseAgain(tx: ControlTransaction, site_id: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('removed_sites')
    .set({ evidence_deleted_at: null })
    .where('site_id', '=', site_id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The same for every site removed since an instant: a process that died may have been writing for one of them. */
export async function eraseAgainSince(tx: ControlTransaction, since: number): Promise<void> {
  await tx.updateTable('removed_sites').set({ evidence_deleted_at: null }).where('removed_at', '>', since).execute()
}
