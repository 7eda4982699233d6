import { instantOrNull, instantText } from '#clock.ts'
import type { ManagementOutput } from '#contract/management-api/index.ts'
import { SCAN_RUN_STATES } from '#contract/vocabulary.ts'
import type { ControlDb } from '#control/store.ts'
import type { ScanRow } from '#control/tables.ts'

type Scan = ManagementOutput<'scan.list'>['scans'][number]

/** Scans with the results of their runs by engine, in the order given. */
export async function describeScans(db: ControlDb, scans: readonly ScanRow[]): Promise<Scan[]> {
  if (scans.length === 0) return []
  const counted = await db
    .selectFrom('scan_runs')
    .select(['scan_id', 'engine', 'state', 'code'])
    .select(({ fn }) => fn.countAll().as('runs'))
    .where(
      'scan_id',
      'in',
      scans.map(({ id }) => id),
    )
    .groupBy(['scan_id', 'engine', 'state', 'code'])
    .orderBy('engine')
    .orderBy('code')
    .execute()
  const byScan = Map.groupBy(counted, ({ scan_id }) => scan_id)
  return scans.map(({ id, cause, day, state, started_at, ended_at }) => {
    const byEngine = Map.groupBy(byScan.get(id) ?? [], ({ engine }) => engine)
    const engines = [...byEngine].map(([engine, rows]) => {
      const inState = (wanted: string) => total(rows.filter((row) => row.state === wanted))
      const codes = Map.groupBy(
        rows.filter(({ state: of }) => of === 'refused' || of === 'failed' || of === 'not_run'),
        ({ code }) => String(code),
      )
      return {
        engine,
        ...(Object.fromEntries(SCAN_RUN_STATES.map((one) => [one, inState(one)])) as Counts),
        codes: [...codes].map(([code, of]) => ({ code, runs: total(of) })),
      }
    })
    return { id, cause, day, state, started_at: instantText(started_at), ended_at: instantOrNull(ended_at), engines }
  })
}

type Counts = Record<(typeof SCAN_RUN_STATES)[number], number>

const total = (rows: readonly { runs: number | string | bigint }[]) =>
  rows.reduce((sum, { runs }) => sum + Number(runs), 0)
