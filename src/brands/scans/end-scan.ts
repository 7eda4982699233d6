/** Ends scans without waiting or running runs. */
import { DAY_MS } from '#clock.ts'
import type { ControlDb, ControlStore, ControlTransaction } from '#control/store.ts'
import type { ScanRow } from '#control/tables.ts'
import { failTried } from './finish-run.ts'

/** Why runs of a scan were never asked; codes of failures stand for the engine's first failure. */
export type NotRunCode =
  | 'engine_off'
  | 'budget_used'
  | 'archived'
  | 'cancelled'
  | 'expired'
  | 'service_down'
  | 'bad_key'
  | 'no_credit'
  | 'model_unknown'

export interface LeftOut {
  scan_id: string
  /** Null: every engine. */
  engine: string | null
  code: NotRunCode
  now: number
}

/** Ends the waiting runs of a scan. A run that was tried before fails with the code of its last try. */
export async function leaveOut(trx: ControlTransaction, { scan_id, engine, code, now }: LeftOut): Promise<void> {
  const untried = trx
    .updateTable('scan_runs')
    .set({ state: 'not_run', code, ended_at: now })
    .where('scan_id', '=', scan_id)
    .where('state', '=', 'waiting')
    .where('tries', '=', 0)
  await (engine === null ? untried : untried.where('engine', '=', engine)).execute()
  const tried = trx
    .selectFrom('scan_runs')
    .selectAll()
    .where('scan_id', '=', scan_id)
    .where('state', '=', 'waiting')
    .where('tries', '>', 0)
  const runs = await (engine === null ? tried : tried.where('engine', '=', engine)).execute()
  for (const run of runs) await failTried(trx, run, now)
  await endScan(trx, scan_id, now)
}

/** Ends a scan without waiting or running runs. */
export async function endScan(trx: ControlDb, scan_id: string, now: number): Promise<void> {
  await trx
    .updateTable('scans')
    .set({ state: 'ended', ended_at: now })
    .where('id', '=', scan_id)
    .where('state', '=', 'running')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('scan_runs')
            .select('scan_runs.run')
            .where('scan_runs.scan_id', '=', scan_id)
            .where('scan_runs.state', 'in', ['waiting', 'asking']),
        ),
      ),
    )
    .execute()
}

/** Ends runs that a scan could not ask within a day, because the next scan is due. */
export async function endOldScans(control: ControlStore, now: number): Promise<void> {
  const old = await control.db
    .selectFrom('scans')
    .select('id')
    .where('state', '=', 'running')
    .where('started_at', '<=', now - DAY_MS)
    .execute()
  for (const { id } of old) {
    await control.transaction((trx) => leaveOut(trx, { scan_id: id, engine: null, code: 'expired', now }))
  }
}

/** Stops a scan. Running calls still finish, and count. */
export async function cancelScan(trx: ControlTransaction, { id }: Pick<ScanRow, 'id'>, now: number): Promise<void> {
  await trx
    .updateTable('scans')
    .set({ state: 'cancelled', ended_at: now })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute()
  await leaveOut(trx, { scan_id: id, engine: null, code: 'cancelled', now })
}
