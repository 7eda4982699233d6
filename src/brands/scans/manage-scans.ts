/** Operations that start, list, stop and plan scans of a brand, and set how long answers are kept. */
import { type Clock, instantText } from '#clock.ts'
import type { ManagementOperationOf, ManagementOutput } from '#contract/management-api/index.ts'
import type { ControlDb, ControlStore } from '#control/store.ts'
import type { Implementations } from '#implementation.ts'
import { Refusal } from '#refusal.ts'
import { budgetMonth, expectCost, readMonth } from '../engines/budget.ts'
import { adapterOfRow, readUsableEngines } from '../engines/settings.ts'
import type { FoundBrand } from '../find-brand.ts'
import { readBrandRetention, setBrandRetention } from './answer-retention.ts'
import { createScan } from './create-scan.ts'
import { describeScans } from './describe-scans.ts'
import { cancelScan } from './end-scan.ts'
import { nextScanAt } from './schedule.ts'

interface Services {
  control: ControlStore
  clock: Clock
  /** Is called after a scan began, so that its questions are asked. */
  scanSoon(): void
}

type ScanOperation = 'scan.start' | 'scan.list' | 'scan.cancel' | 'scan.schedule' | 'brand.retention'

export const manageScans: Implementations<ManagementOperationOf<ScanOperation>, Services> = {
  async 'scan.start'(ctx, { runs, engines = null }) {
    const { control, clock, brand } = ctx
    const now = clock.now()
    const scan = await control.transaction(async (trx) => {
      await refuseRunning(trx, brand)
      const made = await createScan(trx, {
        brand,
        cause: 'person',
        runs,
        engines,
        schedule_key: null,
        started_at: now,
        missed: null,
      })
      if (made.runs.length > 0) return made
      // Thrown inside the transaction, so that it is rolled back.
      throw new Refusal(
        'conflict',
        'Nothing can be asked: the brand needs an active question, and the account an engine that is switched on and has a key. {next} shows the engines.',
        { next: { step: 'engine.list' } },
      )
    })
    ctx.scanSoon()
    const [described] = await describeScans(control.db, [scan.scan])
    if (described === undefined) throw new Error('a scan that was stored is described')
    const asked = new Map(
      [...Map.groupBy(scan.runs, ({ engine }) => engine)].map(([engine, of]) => [engine, of.length]),
    )
    return { ...described, estimate_micros: await estimate(control.db, brand.account_id, asked, now) }
  },

  async 'scan.list'({ control, clock, brand }, { limit }) {
    const rows = await control.db
      .selectFrom('scans')
      .selectAll()
      .where('brand_id', '=', brand.id)
      .orderBy('started_at', 'desc')
      .orderBy('id')
      .limit(limit)
      .execute()
    const schedule = await readSchedule(control.db, brand, clock.now())
    return { schedule, scans: await describeScans(control.db, rows) }
  },

  async 'scan.cancel'({ control, clock, brand }) {
    return control.transaction(async (trx) => {
      const running = await trx
        .selectFrom('scans')
        .selectAll()
        .where('brand_id', '=', brand.id)
        .where('state', '=', 'running')
        .execute()
      for (const scan of running) await cancelScan(trx, scan, clock.now())
      return { cancelled: running.map(({ id }) => id) }
    })
  },

  async 'scan.schedule'({ control, clock, brand }, { hour, runs, is_paused }) {
    const now = clock.now()
    return control.transaction(async (trx) => {
      const before = await readSchedule(trx, brand, now)
      const next_hour = hour === undefined ? before.hour : hour
      if (next_hour === null) {
        if (hour === undefined) {
          throw new Refusal('conflict', 'The brand has no daily scan: give it an hour first.')
        }
        await trx.deleteFrom('scan_schedules').where('brand_id', '=', brand.id).execute()
        return readSchedule(trx, brand, now)
      }
      // Days before the change are not due by the new schedule.
      const changed = {
        hour: next_hour,
        runs: runs ?? before.runs,
        since: now,
        is_paused: (is_paused ?? before.is_paused) ? (1 as const) : (0 as const),
      }
      await trx
        .insertInto('scan_schedules')
        .values({ brand_id: brand.id, ...changed })
        .onConflict((conflict) => conflict.column('brand_id').doUpdateSet(changed))
        .execute()
      return readSchedule(trx, brand, now)
    })
  },

  async 'brand.retention'({ control, brand }, { days }) {
    if (days !== undefined) await setBrandRetention(control.db, brand, days)
    return { id: brand.id, name: brand.name, retention_days: await readBrandRetention(control.db, brand) }
  },
}

async function refuseRunning(db: ControlDb, { id, name }: FoundBrand): Promise<void> {
  const running = await db
    .selectFrom('scans')
    .select('id')
    .where('brand_id', '=', id)
    .where('state', '=', 'running')
    .executeTakeFirst()
  if (running === undefined) return
  throw new Refusal(
    'conflict',
    `A scan of ${name} runs already (${running.id}): wait until it ends, or stop it ({next}).`,
    {
      next: { step: 'scan.cancel' },
    },
  )
}

async function estimate(
  db: ControlDb,
  account_id: string,
  asked: ReadonlyMap<string, number>,
  now: number,
): Promise<number> {
  let micros = 0
  for (const row of await readUsableEngines(db, account_id)) {
    const adapter = adapterOfRow(row)
    const calls = asked.get(row.engine)
    if (adapter === null || calls === undefined) continue
    const used = await readMonth(db, row, budgetMonth(now))
    micros += calls * expectCost(adapter, row, used).estimate_micros
  }
  return micros
}

type Schedule = ManagementOutput<'scan.schedule'>

async function readSchedule(db: ControlDb, { id }: FoundBrand, now: number): Promise<Schedule> {
  const row = await db.selectFrom('scan_schedules').selectAll().where('brand_id', '=', id).executeTakeFirst()
  if (row === undefined) return { hour: null, runs: 1, is_paused: false, next_at: null }
  const { hour, runs } = row
  if (row.is_paused === 1) return { hour, runs, is_paused: true, next_at: null }
  return { hour, runs, is_paused: false, next_at: instantText(await nextScanAt(db, row, now)) }
}
