/** Continues a run after its call ended: with an answer to store, another try, or a failure (account API 3). */
import { HOUR_MS, MINUTE_MS } from '#clock.ts'
import type { ControlStore, ControlTransaction } from '#control/store.ts'
import type { EngineCallRow, ScanRunRow } from '#control/tables.ts'
import { type CallEnd, endCall } from '../engines/budget.ts'
import { pauseEngine } from '../engines/settings.ts'
import { endScan, leaveOut } from './end-scan.ts'
import { type FinishedCall, finishRun, updateRun } from './finish-run.ts'

/** With these codes, no call of the engine can succeed until a person acts. */
const ENGINE_FAULTS = ['bad_key', 'no_credit', 'model_unknown'] as const
type EngineFault = (typeof ENGINE_FAULTS)[number]

/** Retries of a question begin within this time after the first try. */
const MAX_RETRY_MS = HOUR_MS
const FIRST_PAUSE_MS = MINUTE_MS / 2

export interface EndedCall extends FinishedCall {
  /** From 0 to under 1. */
  draw: number
}

/** Records the end of a run's call, and continues the run. Returns false if the call had already ended. */
export async function endRun(control: ControlStore, ended: EndedCall): Promise<boolean> {
  return control.transaction(async (trx) => {
    const { call, outcome, cost, now } = ended
    const code = outcome === null ? 'interrupted' : (outcome.failure?.code ?? 'answered')
    const end: CallEnd = { outcome: code, cost, now }
    if (!(await endCall(trx, call, end))) return false
    const run = await findRun(trx, call)
    // Its question, scan or brand was removed meanwhile: there is no run to continue.
    if (run === null) return true
    await noteEngine(trx, ended)
    const due_at = (await wasTimedOut(trx, call)) ? null : nextTry(run, ended)
    if (code === 'rate_limited') {
      const paused_until = due_at ?? endOfWait(ended)
      if (paused_until !== null) await pauseEngine(trx, call, paused_until)
    }
    if (due_at !== null) {
      await updateRun(trx, run, { state: 'waiting', code, due_at })
      await endCancelled(trx, run, now)
      return true
    }
    await finishRun(trx, run, ended)
    const fault = ENGINE_FAULTS.find((each) => each === code)
    if (fault !== undefined) await leaveOut(trx, { scan_id: run.scan_id, engine: run.engine, code: fault, now })
    await endScan(trx, run.scan_id, now)
    return true
  })
}

async function findRun(trx: ControlTransaction, call: EngineCallRow): Promise<ScanRunRow | null> {
  const { scan_id, question_id, engine, run } = call
  if (scan_id === null || question_id === null || run === null) return null
  const found = await trx
    .selectFrom('scan_runs')
    .selectAll()
    .where('scan_id', '=', scan_id)
    .where('question_id', '=', question_id)
    .where('engine', '=', engine)
    .where('run', '=', run)
    .where('state', '=', 'asking')
    .executeTakeFirst()
  return found === undefined ? null : found
}

/** Whether an earlier try of the run timed out: this one was the only repeat that such a call gets. */
async function wasTimedOut(
  trx: ControlTransaction,
  { id, scan_id, question_id, run_engine, run }: EngineCallRow,
): Promise<boolean> {
  const earlier = await trx
    .selectFrom('engine_calls')
    .select('id')
    .where((is) => is.and({ scan_id, question_id, run_engine, run, purpose: 'answer', outcome: 'timeout' }))
    .where('id', '!=', id)
    .executeTakeFirst()
  return earlier !== undefined
}

/** Until when the provider wants no call; null: it did not say. */
const endOfWait = ({ outcome, now }: EndedCall): number | null =>
  outcome === null || outcome.retry.wait_ms === null ? null : now + outcome.retry.wait_ms

/** When the question is asked again; null: never. A wait that the provider requests is respected. */
function nextTry(run: ScanRunRow, { outcome, now, draw }: EndedCall): number | null {
  if (outcome === null || outcome.state !== 'failed' || run.tries >= outcome.retry.max_tries) return null
  const growing = FIRST_PAUSE_MS * 2 ** (run.tries - 1)
  const { wait_ms } = outcome.retry
  const pause = wait_ms === null ? growing + draw * growing : wait_ms + draw * FIRST_PAUSE_MS
  const due_at = now + Math.ceil(pause)
  return run.first_asked_at !== null && due_at > run.first_asked_at + MAX_RETRY_MS ? null : due_at
}

/** Records in the settings of the engine whether it can be asked. */
async function noteEngine(trx: ControlTransaction, { call, outcome, now }: EndedCall): Promise<void> {
  if (outcome === null) return
  const fault: EngineFault | undefined = ENGINE_FAULTS.find((code) => code === outcome.failure?.code)
  // Other failures prove nothing about the key.
  if (fault === undefined && outcome.state === 'failed') return
  await trx
    .updateTable('engine_settings')
    .set(fault === undefined ? { fault: null, fault_at: null } : { fault, fault_at: now })
    .where('account_id', '=', call.account_id)
    .where('engine', '=', call.engine)
    .execute()
}

/** A run of a cancelled scan is not tried again. */
async function endCancelled(trx: ControlTransaction, run: ScanRunRow, now: number): Promise<void> {
  const scan = await trx.selectFrom('scans').select('state').where('id', '=', run.scan_id).executeTakeFirstOrThrow()
  if (scan.state !== 'running') {
    await leaveOut(trx, { scan_id: run.scan_id, engine: null, code: 'cancelled', now })
  }
}
