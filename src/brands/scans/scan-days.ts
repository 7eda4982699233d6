/**
 * The days on which scans were due, for the gaps of a brand report and its runs that were not asked (account API 2.2).
 */
import { DAY_MS } from '#clock.ts'
import type { Engine } from '#contract/vocabulary.ts'
import type { ControlDb } from '#control/store.ts'
import { dayStart } from '#days/utc-day.ts'
import type { DayRange } from '#days/windows.ts'
import type { ScanDay } from '../reports/report-rows.ts'

/** Which scans are read; null: not filtered. */
export interface ScanFilter extends DayRange {
  engines: readonly Engine[] | null
  country: string | null
  question_id: string | null
  branded: boolean | null
}

/** Each engine and day with due runs. Nothing was due of a scan that a person began and stopped. */
export async function readScanDays(
  db: ControlDb,
  brand_id: string,
  { from, to, engines, country, question_id, branded }: ScanFilter,
): Promise<ScanDay[]> {
  const rows = await db
    .selectFrom('scan_runs')
    .innerJoin('scans', 'scans.id', 'scan_runs.scan_id')
    .innerJoin('questions', 'questions.id', 'scan_runs.question_id')
    .select(['scan_runs.engine', 'scans.day'])
    .select(({ fn, eb }) => [
      fn.sum(eb.case().when('scan_runs.state', '=', 'not_run').then(1).else(0).end()).as('not_run'),
      fn
        .max(eb.case().when('scan_runs.state', '=', 'answered').then(eb.ref('scan_runs.ended_at')).end())
        .as('last_answered_at'),
    ])
    .where('scans.brand_id', '=', brand_id)
    .where((is) => is.or([is('scans.state', '!=', 'cancelled'), is('scans.cause', '=', 'schedule')]))
    .where('scans.day', '>=', from)
    .where('scans.day', '<=', to)
    // PostgreSQL takes no empty list.
    .$if(engines !== null, (query) => query.where('scan_runs.engine', 'in', ['', ...(engines ?? [])]))
    .$if(question_id !== null, (query) => query.where('questions.id', '=', question_id ?? ''))
    .$if(branded !== null, (query) => query.where('questions.is_branded', '=', branded ? 1 : 0))
    .$if(country === 'none', (query) => query.where('questions.country', 'is', null))
    .$if(country !== null && country !== 'none', (query) => query.where('questions.country', '=', country))
    .groupBy(['scans.day', 'scan_runs.engine'])
    .orderBy('scans.day')
    .orderBy('scan_runs.engine')
    .execute()
  return rows.map(({ engine, day, not_run, last_answered_at }) => ({
    engine: engine as Engine,
    day,
    not_run: Number(not_run),
    is_answered_later: last_answered_at !== null && Number(last_answered_at) >= dayStart(day) + DAY_MS,
  }))
}
