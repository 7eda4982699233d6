import type { ControlDb, ControlStore } from '#control/store.ts'
import { Refusal } from '#refusal.ts'

/** A floor beyond any window's sessions only hides everything. */
const HIGHEST = 1_000_000

/**
 * A funnel with fewer entered sessions is suppressed (decisions 5), and events of fewer visitors are left out (rules
 * 6.15); 0, the default, hides nothing.
 */
export async function readPrivacyFloor(db: ControlDb, site_id: string): Promise<number> {
  const row = await db
    .selectFrom('tracker_settings')
    .select('privacy_floor')
    .where('site_id', '=', site_id)
    .executeTakeFirst()
  return row === undefined ? 0 : row.privacy_floor
}

/** Sets it; answers follow at once, for past days too. @throws Refusal invalid_input. */
export async function setPrivacyFloor(
  { control }: { control: ControlStore },
  { site_id, privacy_floor }: { site_id: string; privacy_floor: number },
): Promise<void> {
  if (!Number.isInteger(privacy_floor) || privacy_floor < 0 || privacy_floor > HIGHEST) {
    throw new Refusal(
      'invalid_input',
      `the privacy floor must be a whole number from 0 to ${HIGHEST}, not ${privacy_floor}`,
    )
  }
  await control.db
    .insertInto('tracker_settings')
    .values({ site_id, privacy_floor })
    .onConflict((conflict) => conflict.column('site_id').doUpdateSet({ privacy_floor }))
    .execute()
}
