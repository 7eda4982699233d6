/** A scan asks every usable engine every active question of a brand, one or more times (account API 3). */
import { randomUUID } from 'node:crypto'
import type { ControlTransaction } from '#control/store.ts'
import type { ScanRow, ScanRunRow } from '#control/tables.ts'
import { utcDay } from '#days/utc-day.ts'
import { readUsableEngines } from '../engines/settings.ts'
import type { FoundBrand } from '../find-brand.ts'

export interface NewScan {
  brand: Pick<FoundBrand, 'id' | 'account_id'>
  cause: ScanRow['cause']
  /** Of each question and engine, 1 to 10. */
  runs: number
  /** Null: all that can be asked. */
  engines: readonly string[] | null
  schedule_key: string | null
  /** The day on which it is due; left out: the UTC day on which it begins. */
  day?: string
  /** Epoch milliseconds. */
  started_at: number
  /** Why the scan is not run; null if it is. */
  missed: 'service_down' | null
}

/** Rows that are inserted by one statement. */
const ROWS_AT_ONCE = 500

/** Stores the scan with all its runs. A scan that is not run has ended at once. */
export async function createScan(
  trx: ControlTransaction,
  { brand, cause, runs, engines, schedule_key, day, started_at, missed }: NewScan,
): Promise<{ scan: ScanRow; runs: ScanRunRow[] }> {
  const usable = (await readUsableEngines(trx, brand.account_id)).map(({ engine }) => engine)
  const asked = engines === null ? usable : usable.filter((engine) => engines.includes(engine))
  const questions = await trx
    .selectFrom('questions')
    .select('id')
    .where('brand_id', '=', brand.id)
    .where('archived_at', 'is', null)
    .where('created_at', '<=', started_at)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const is_over = missed !== null || asked.length === 0 || questions.length === 0
  const scan: ScanRow = {
    id: randomUUID(),
    brand_id: brand.id,
    cause,
    day: day ?? utcDay(started_at),
    schedule_key,
    started_at,
    state: is_over ? 'ended' : 'running',
    ended_at: is_over ? started_at : null,
  }
  const rows: ScanRunRow[] = []
  for (let run = 1; run <= runs; run++) {
    for (const { id } of questions) for (const engine of asked) rows.push(runOf(scan, id, engine, run, missed))
  }
  await trx.insertInto('scans').values(scan).execute()
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    await trx
      .insertInto('scan_runs')
      .values(rows.slice(at, at + ROWS_AT_ONCE))
      .execute()
  }
  return { scan, runs: rows }
}

const runOf = (
  { id, started_at }: ScanRow,
  question_id: string,
  engine: string,
  run: number,
  missed: NewScan['missed'],
): ScanRunRow => ({
  scan_id: id,
  question_id,
  engine,
  run,
  tries: 0,
  due_at: started_at,
  first_asked_at: null,
  state: missed === null ? 'waiting' : 'not_run',
  code: missed,
  pending_answer: null,
  ended_at: missed === null ? null : started_at,
})
