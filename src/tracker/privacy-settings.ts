/** The privacy settings of a site's tracker (rules 6). */

import type { ControlDb, ControlStore } from '#control/store.ts'
import type { TrackerSettingRow } from '#control/tables.ts'
import { formatCount } from '#quantities.ts'
import { Refusal } from '#refusal.ts'

const MAX_FLOOR = 1_000_000

export interface TrackerSettings {
  /**
   * Funnels with fewer entered sessions are suppressed (decisions 5), and events of fewer visitors are left out (rules
   * 6.15). 0, the default, hides nothing.
   */
  privacy_floor: number
  /** Whether visitors whose browsers send `Sec-GPC: 1` or `DNT: 1` are left out; true by default (rules 6). */
  honours_opt_out: boolean
}

export async function readTrackerSettings(db: ControlDb, site_id: string): Promise<TrackerSettings> {
  const row = await db.selectFrom('tracker_settings').selectAll().where('site_id', '=', site_id).executeTakeFirst()
  return { privacy_floor: row === undefined ? 0 : row.privacy_floor, honours_opt_out: row?.honours_opt_out !== 0 }
}

/** Sets the floor. It applies at once, also to past days. @throws Refusal invalid_input. */
export async function setPrivacyFloor(
  { control }: { control: ControlStore },
  { site_id, privacy_floor }: { site_id: string; privacy_floor: number },
): Promise<void> {
  if (!Number.isInteger(privacy_floor) || privacy_floor < 0 || privacy_floor > MAX_FLOOR) {
    throw new Refusal(
      'invalid_input',
      `the privacy floor must be a whole number from 0 to ${formatCount(MAX_FLOOR)}, not ${privacy_floor}`,
    )
  }
  await store(control, site_id, { privacy_floor })
}

/** Sets whether visitors who opt out are left out. The collector applies it within two seconds. */
export const setHonoursOptOut = (
  { control }: { control: ControlStore },
  { site_id, honours_opt_out }: { site_id: string; honours_opt_out: boolean },
): Promise<void> => store(control, site_id, { honours_opt_out: honours_opt_out ? 1 : 0 })

async function store({ db }: ControlStore, site_id: string, set: Partial<TrackerSettingRow>): Promise<void> {
  await db
    .insertInto('tracker_settings')
    .values({ site_id, privacy_floor: 0, ...set })
    .onConflict((conflict) => conflict.column('site_id').doUpdateSet(set))
    .execute()
}
