/** Asks due questions, and stores answers that a crash prevented from being stored (account API 3). */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#clock.ts'
import type { EngineCallRow } from '#control/tables.ts'
import { endCall, interruptedEnd } from '../engines/budget.ts'
import { askRun } from './ask-run.ts'
import type { ScanContext } from './context.ts'
import { endRun } from './end-run.ts'
import { endOldScans } from './end-scan.ts'
import { planScans } from './schedule.ts'
import { storePending } from './store-pending.ts'
import { takeNextRun } from './take-run.ts'

/** Over all engines and accounts of this process: each may hold a response of 32 MiB. */
const MAX_AT_ONCE = 16

/** A run of the job may last for hours, during which other scans become due. */
const PLAN_EVERY_MS = MINUTE_MS
/** After this long a run asks nothing more, because the job would be broken off, with its calls, after a day. */
const ASKS_FOR_MS = DAY_MS - HOUR_MS

/** Runs until no question is due that may be asked. Returns the number of calls. */
export async function runDueScans(ctx: ScanContext, signal: AbortSignal): Promise<number> {
  const { control, clock } = ctx
  const begun_at = clock.elapsed()
  let planned_at = begun_at
  /** By the ids of their calls. */
  const running = new Map<string, Promise<void>>()
  await plan(ctx, running)
  await storePending(ctx, { scan_id: null, signal })
  let asked = 0
  try {
    for (;;) {
      signal.throwIfAborted()
      if (clock.elapsed() - planned_at >= PLAN_EVERY_MS) {
        planned_at = clock.elapsed()
        await plan(ctx, running)
      }
      const may_ask = running.size < MAX_AT_ONCE && clock.elapsed() - begun_at < ASKS_FOR_MS
      const taken = may_ask ? await takeNextRun(control, clock.now()) : null
      if (taken === null) {
        if (running.size === 0) return asked
        await Promise.race(running.values())
        continue
      }
      const { id, engine } = taken.call
      const one = askRun(ctx, taken, signal)
        // A failure with one question does not stop the others.
        .catch((error: unknown) => ctx.log.warn({ err: error, engine }, 'a question was not asked'))
        .finally(() => running.delete(id))
      running.set(id, one)
      asked++
    }
  } finally {
    // Aborted runs also write their state, before the stores may be closed.
    await Promise.allSettled(running.values())
  }
}

/** Ends lost calls and old scans, and begins scans that are due. */
async function plan(ctx: ScanContext, running: ReadonlyMap<string, unknown>): Promise<void> {
  await endLostCalls(ctx, running)
  await endOldScans(ctx.control, ctx.clock.now())
  await planScans(ctx)
}

/** Ends calls whose process has ended. They count, and are not repeated. */
async function endLostCalls(
  { control, clock, onCallEnded }: ScanContext,
  running: ReadonlyMap<string, unknown>,
): Promise<void> {
  const lost: EngineCallRow[] = await control.db
    .selectFrom('engine_calls')
    .selectAll()
    .where('ended_at', 'is', null)
    .where('lease_until', '<=', clock.now())
    .execute()
  // One of this process may take longer, or the machine slept.
  for (const call of lost.filter(({ id }) => !running.has(id))) {
    const now = clock.now()
    const end = interruptedEnd(call, now)
    if (call.purpose === 'answer') {
      const question = await control.db
        .selectFrom('questions')
        .select('country')
        .where('id', '=', call.question_id)
        .executeTakeFirst()
      const country = question === undefined ? null : question.country
      await endRun(control, { call, outcome: null, cost: end.cost, country, now, draw: 0 })
    } else await control.transaction((trx) => endCall(trx, call, end))
    onCallEnded?.({ engine: call.engine, outcome: end.outcome })
  }
}
