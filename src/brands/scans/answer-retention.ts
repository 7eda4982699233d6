/** How long answers, scans and calls are kept (account API 3, storage). */
import { type Clock, DAY_MS } from '#clock.ts'
import type { ControlDb, ControlStore } from '#control/store.ts'
import { utcDay } from '#days/utc-day.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { formatCount } from '#quantities.ts'
import { Refusal } from '#refusal.ts'
import { answerCountBefore, deleteAnswersBefore } from '../answers/answers.sql.ts'
import type { FoundBrand } from '../find-brand.ts'

export const MAX_RETENTION_DAYS = 3_650
/** Calls that ended are kept for the doctor and the metrics; what they cost stays in their month. */
const CALLS_KEPT_MS = 90 * DAY_MS

export async function readBrandRetention(db: ControlDb, { id }: Pick<FoundBrand, 'id'>): Promise<number> {
  const row = await db.selectFrom('brands').select('retention_days').where('id', '=', id).executeTakeFirstOrThrow()
  return row.retention_days
}

/** Sets the retention. The next run of the job deletes older answers. @throws Refusal invalid_input. */
export async function setBrandRetention(db: ControlDb, { id }: Pick<FoundBrand, 'id'>, days: number): Promise<void> {
  if (!Number.isInteger(days) || days < 1 || days > MAX_RETENTION_DAYS) {
    throw new Refusal(
      'invalid_input',
      `the retention must be a whole number of days from 1 to ${formatCount(MAX_RETENTION_DAYS)}, not ${days}`,
    )
  }
  await db.updateTable('brands').set({ retention_days: days }).where('id', '=', id).execute()
}

interface Stores {
  control: ControlStore
  clock: Clock
  evidence: EvidenceStore
}

/** Deletes answers after the retention of their brand; repeatable. Returns the number of deleted answers. */
export async function endAnswerRetention({ control, clock, evidence }: Stores): Promise<number> {
  await control.db
    .deleteFrom('engine_calls')
    .where('ended_at', '<', clock.now() - CALLS_KEPT_MS)
    .execute()
  const brands = await control.db.selectFrom('brands').select(['id', 'account_id', 'retention_days']).execute()
  let deleted = 0
  for (const brand of brands) {
    const first_day = utcDay(clock.now() - brand.retention_days * DAY_MS)
    await control.db.deleteFrom('scans').where('brand_id', '=', brand.id).where('day', '<', first_day).execute()
    const [counted] = await evidence.all(answerCountBefore(brand, first_day))
    if (counted === undefined || counted.answers === 0) continue
    for (const command of deleteAnswersBefore(brand, first_day)) await evidence.run(command)
    deleted += counted.answers
  }
  return deleted
}
