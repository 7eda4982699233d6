/** What was due in scans on which days, for the brand report: its gaps, and runs not asked (account API 2.2). */
import type { ControlDb } from '#control/store.ts'
import type { DayRange } from '#days/windows.ts'

export interface ScanDay {
  engine: string
  /** UTC. */
  day: string
  question_id: string
  /** Runs that the scans of the day were to ask, and those of them that were not asked. */
  due: number
  not_run: number
}

/** Runs of cancelled scans are not due. In the order of day, engine and question. */
export async function readScanDays(db: ControlDb, brand_id: string, { from, to }: DayRange): Promise<ScanDay[]> {
  const rows = await db
    .selectFrom('scan_runs')
    .innerJoin('scans', 'scans.id', 'scan_runs.scan_id')
    .select(['scan_runs.engine', 'scans.day', 'scan_runs.question_id'])
    .select(({ fn, eb }) => [
      fn.countAll().as('due'),
      fn.sum(eb.case().when('scan_runs.state', '=', 'not_run').then(1).else(0).end()).as('not_run'),
    ])
    .where('scans.brand_id', '=', brand_id)
    .where('scans.state', '!=', 'cancelled')
    .where('scans.day', '>=', from)
    .where('scans.day', '<=', to)
    .groupBy(['scans.day', 'scan_runs.engine', 'scan_runs.question_id'])
    .orderBy('scans.day')
    .orderBy('scan_runs.engine')
    .orderBy('scan_runs.question_id')
    .execute()
  return rows.map((row) => ({ ...row, due: Number(row.due), not_run: Number(row.not_run) }))
}
