import type { ControlStore } from '#control/store.ts'
import { formatCount } from '#quantities.ts'
import { Refusal } from '#refusal.ts'

/** About a century, so that every instant of a window stays one. */
const MAX_DAYS = 36_500

/** For how many days the site keeps evidence (decisions 8). */
export async function readRetention({ control }: { control: ControlStore }, site_id: string): Promise<number> {
  const site = await control.db
    .selectFrom('sites')
    .select('retention_days')
    .where('id', '=', site_id)
    .executeTakeFirstOrThrow()
  return site.retention_days
}

/** Sets it; the next run of the retention job deletes what is older. @throws Refusal invalid_input. */
export async function setRetention(
  { control }: { control: ControlStore },
  { site_id, days }: { site_id: string; days: number },
): Promise<void> {
  if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS) {
    throw new Refusal(
      'invalid_input',
      `the retention must be a whole number of days from 1 to ${formatCount(MAX_DAYS)}, not ${days.toLocaleString('en')}`,
    )
  }
  await control.db.updateTable('sites').set({ retention_days: days }).where('id', '=', site_id).execute()
}
