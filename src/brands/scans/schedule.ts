/** When the questions of brands are asked: once a day within an hour that is chosen for each brand (account API 3). */
import { createHash } from 'node:crypto'
import { type Clock, DAY_MS, HOUR_MS } from '#clock.ts'
import type { ControlDb, ControlStore } from '#control/store.ts'
import type { ScanScheduleRow } from '#control/tables.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { decodeBrand, type FoundBrand } from '../find-brand.ts'
import { createScan } from './create-scan.ts'

interface Stores {
  control: ControlStore
  clock: Clock
}

/** The most days without a running service that are recorded afterwards. */
const MAX_MISSED_DAYS = 31
/** How late a scan begins after the end of its day: one that is due just before midnight is begun after it. */
const MAX_LATE_MS = 2 * HOUR_MS

/** The instant at which the scan of a day begins: within the hour, at another minute for each brand and day. */
export function scanStart({ brand_id, hour }: Pick<ScanScheduleRow, 'brand_id' | 'hour'>, day: string): number {
  const draw = createHash('sha256').update(`${brand_id} ${day}`).digest().readUInt32BE(0) / 2 ** 32
  return dayStart(day) + hour * HOUR_MS + Math.floor(draw * HOUR_MS)
}

/** Begins due scans, and records those of past days that did not begin. Returns the number that began. */
export async function planScans({ control, clock }: Stores): Promise<number> {
  const schedules = await control.db
    .selectFrom('scan_schedules')
    .innerJoin('brands', 'brands.id', 'scan_schedules.brand_id')
    .selectAll('brands')
    .select(['hour', 'runs', 'since', 'brand_id'])
    .where('is_paused', '=', 0)
    .where('brands.archived_at', 'is', null)
    .orderBy('brands.id')
    .execute()
  let begun = 0
  for (const { hour, runs, since, brand_id, ...brand } of schedules) {
    const schedule = { hour, runs, since, brand_id }
    for (const day of dueDays(schedule, clock.now())) {
      if (await planDay({ control, clock }, decodeBrand(brand), schedule, day)) begun++
    }
  }
  return begun
}

type Schedule = Pick<ScanScheduleRow, 'brand_id' | 'hour' | 'runs' | 'since'>

/** Days whose scan is due by now, the newest last. */
function* dueDays(schedule: Schedule, now: number): Generator<string> {
  for (let back = MAX_MISSED_DAYS; back >= 0; back--) {
    const day = utcDay(now - back * DAY_MS)
    const start = scanStart(schedule, day)
    if (start >= schedule.since && start <= now) yield day
  }
}

async function planDay({ control, clock }: Stores, brand: FoundBrand, schedule: Schedule, day: string) {
  const planned = { brand_id: brand.id, day }
  if (await isPlanned(control.db, planned)) return false
  return control.transaction(async (trx) => {
    // Another process may have planned it meanwhile.
    if (await isPlanned(trx, planned)) return false
    const [now, due_at] = [clock.now(), scanStart(schedule, day)]
    const begins = day === utcDay(now) || now - due_at <= MAX_LATE_MS
    await createScan(trx, {
      brand,
      cause: 'schedule',
      runs: schedule.runs,
      engines: null,
      schedule_key: keyOf(planned),
      day,
      started_at: begins ? now : due_at,
      missed: begins ? null : 'service_down',
    })
    return begins
  })
}

interface PlannedDay {
  brand_id: string
  day: string
}

const keyOf = ({ brand_id, day }: PlannedDay) => `${brand_id} ${day}`

/** Whether the daily scan of a day has begun: there is one a day, however the hour changes. */
async function isPlanned(db: ControlDb, planned: PlannedDay): Promise<boolean> {
  const found = await db.selectFrom('scans').select('id').where('schedule_key', '=', keyOf(planned)).executeTakeFirst()
  return found !== undefined
}

/** When the next daily scan begins. */
export async function nextScanAt(
  db: ControlDb,
  schedule: Pick<ScanScheduleRow, 'brand_id' | 'hour'>,
  now: number,
): Promise<number> {
  const day = utcDay(now)
  const today = scanStart(schedule, day)
  const is_to_come = today > now && !(await isPlanned(db, { brand_id: schedule.brand_id, day }))
  return is_to_come ? today : scanStart(schedule, utcDay(now + DAY_MS))
}
