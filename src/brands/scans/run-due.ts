/** Asks due questions, and stores answers that a crash prevented from being stored (account API 3). */
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

/** Runs until no question is due that may be asked. Returns the number of calls. */
export async function runDueScans(ctx: ScanContext, signal: AbortSignal): Promise<number> {
  const { control, clock } = ctx
  await endLostCalls(ctx)
  await storePending(ctx, { scan_id: null, signal })
  await endOldScans(control, clock.now())
  await planScans(ctx)
  const running = new Set<Promise<void>>()
  let asked = 0
  try {
    for (;;) {
      signal.throwIfAborted()
      const taken = running.size < MAX_AT_ONCE ? await takeNextRun(control, clock.now()) : null
      if (taken === null) {
        if (running.size === 0) return asked
        await Promise.race(running)
        continue
      }
      const one = askRun(ctx, taken, signal)
        // A failure with one question does not stop the others.
        .catch((error: unknown) => ctx.log.warn({ err: error, engine: taken.call.engine }, 'a question was not asked'))
        .finally(() => running.delete(one))
      running.add(one)
      asked++
    }
  } finally {
    // Aborted runs also write their state, before the stores may be closed.
    await Promise.allSettled(running)
  }
}

/** Ends calls whose process has ended. They count, and are not repeated. */
async function endLostCalls({ control, clock, onCallEnded }: ScanContext): Promise<void> {
  const lost: EngineCallRow[] = await control.db
    .selectFrom('engine_calls')
    .selectAll()
    .where('ended_at', 'is', null)
    .where('lease_until', '<=', clock.now())
    .execute()
  for (const call of lost) {
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
