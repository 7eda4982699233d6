import type { ControlStore } from '#control/store.ts'
import type { FixRow } from '#control/tables.ts'
import { type FixChange, findFix, refuseOtherVersion } from './change-fix.ts'

/**
 * Deletes a fix for good. The fix that it replaced becomes the newest of its subject again, so that evidence makes
 * fixes as if this one had never been made (account API 2.5).
 * @throws Refusal not_found; conflict: the version is not the fix's.
 */
export async function removeFix(
  { control }: { control: ControlStore },
  { brand, fix_id, version }: Pick<FixChange, 'brand' | 'fix_id' | 'version'>,
): Promise<FixRow> {
  return control.transaction(async (trx) => {
    const fix = await findFix(trx, brand, fix_id)
    refuseOtherVersion(fix, version)
    await trx.deleteFrom('fixes').where('id', '=', fix.id).execute()
    // The next one, if there is any, now follows the one before.
    await trx.updateTable('fixes').set({ replaces: fix.replaces }).where('replaces', '=', fix.id).execute()
    if (fix.newest_of !== null && fix.replaces !== null) {
      await trx.updateTable('fixes').set({ newest_of: fix.newest_of }).where('id', '=', fix.replaces).execute()
    }
    return fix
  })
}
