/** Chooses the next question: the oldest of each engine with capacity, within its budget (account API 3). */
import type { ControlDb, ControlStore, ControlTransaction } from '#control/store.ts'
import type { EngineCallRow, EngineSettingRow, QuestionRow, ScanRunRow } from '#control/tables.ts'
import type { EngineAdapter } from '../engines/adapter.ts'
import { beginCall, hasFreePlace, type NoCall } from '../engines/budget.ts'
import { adapterOfRow, findSettings, isPaused, obstacleOf } from '../engines/settings.ts'
import { decodeBrand, type FoundBrand } from '../find-brand.ts'
import { endScan, leaveOut } from './end-scan.ts'
import { failTried, updateRun } from './finish-run.ts'

/** A question for the worker that took it. */
export interface TakenRun {
  brand: FoundBrand
  question: QuestionRow
  adapter: EngineAdapter
  settings: EngineSettingRow
  /** As it was when its call was stored. */
  run: ScanRunRow
  call: EngineCallRow
}

/**
 * Records the next call and returns it; null if no question is due that may be asked. For runs that cannot be asked at
 * all, the reason is recorded.
 */
export async function takeNextRun(control: ControlStore, now: number): Promise<TakenRun | null> {
  // Most calls find nothing, and should not wait for the write lock.
  if ((await findQueues(control.db, now)).length === 0) return null
  return control.transaction(async (trx) => {
    for (const queue of await findQueues(trx, now)) {
      const taken = await takeFrom(trx, queue, now)
      if (taken !== null) return taken
    }
    return null
  })
}

interface Queue {
  account_id: string
  engine: string
}

/** Engines of accounts with due questions, the one that has waited longest first. */
async function findQueues(db: ControlDb, now: number): Promise<Queue[]> {
  return db
    .selectFrom('scan_runs')
    .innerJoin('scans', 'scans.id', 'scan_runs.scan_id')
    .innerJoin('brands', 'brands.id', 'scans.brand_id')
    .select(['brands.account_id', 'scan_runs.engine'])
    .where('scan_runs.state', '=', 'waiting')
    .where('scan_runs.due_at', '<=', now)
    .groupBy(['brands.account_id', 'scan_runs.engine'])
    .orderBy(({ fn }) => fn.min('scan_runs.due_at'))
    .orderBy('scan_runs.engine')
    .execute()
}

async function takeFrom(trx: ControlTransaction, queue: Queue, now: number): Promise<TakenRun | null> {
  const settings = await findSettings(trx, queue)
  const is_usable = obstacleOf(settings) === null
  if (is_usable && settings !== null) {
    if (isPaused(settings, now)) return null
    if (!(await hasFreePlace(trx, settings))) return null
  }
  for (;;) {
    const run = await findFirst(trx, queue, now)
    if (run === null) return null
    const adapter = settings === null ? null : adapterOfRow(settings)
    if (!is_usable || settings === null || adapter === null) {
      await leaveOut(trx, { scan_id: run.scan_id, engine: run.engine, code: 'engine_off', now })
      continue
    }
    const taken = await takeRun(trx, { run, settings, adapter, now })
    if (taken === 'later') return null
    if (taken !== 'never') return taken
  }
}

async function findFirst(trx: ControlTransaction, { account_id, engine }: Queue, now: number) {
  const found = await trx
    .selectFrom('scan_runs')
    .innerJoin('scans', 'scans.id', 'scan_runs.scan_id')
    .innerJoin('brands', 'brands.id', 'scans.brand_id')
    .selectAll('scan_runs')
    .where('brands.account_id', '=', account_id)
    .where('scan_runs.engine', '=', engine)
    .where('scan_runs.state', '=', 'waiting')
    .where('scan_runs.due_at', '<=', now)
    .orderBy('scan_runs.due_at')
    .orderBy('scan_runs.run')
    .orderBy('scan_runs.question_id')
    .executeTakeFirst()
  return found === undefined ? null : found
}

interface Candidate {
  run: ScanRunRow
  settings: EngineSettingRow
  adapter: EngineAdapter
  now: number
}

/** `never`: the run is not asked, and the reason is recorded. */
async function takeRun(trx: ControlTransaction, candidate: Candidate): Promise<TakenRun | NoCall> {
  const { run, settings, adapter, now } = candidate
  const { scan_id, question_id, engine } = run
  const question = await trx.selectFrom('questions').selectAll().where('id', '=', question_id).executeTakeFirstOrThrow()
  const row = await trx.selectFrom('brands').selectAll().where('id', '=', question.brand_id).executeTakeFirstOrThrow()
  if (question.archived_at !== null || row.archived_at !== null) {
    if (run.tries === 0) await updateRun(trx, run, { state: 'not_run', code: 'archived', ended_at: now })
    else await failTried(trx, run, now)
    await endScan(trx, scan_id, now)
    return 'never'
  }
  const of_run = { scan_id, question_id, run_engine: engine, run: run.run }
  const place = { purpose: 'answer' as const, ...of_run, try: run.tries + 1 }
  const call = await beginCall(trx, { adapter, row: settings, place, now })
  if (call === 'later') return call
  if (call === 'never') {
    await leaveOut(trx, { scan_id, engine, code: 'budget_used', now })
    return call
  }
  const begun = { state: 'asking', tries: place.try, first_asked_at: run.first_asked_at ?? now } as const
  await updateRun(trx, run, begun)
  return { brand: decodeBrand(row), question, adapter, settings, run: { ...run, ...begun }, call }
}
