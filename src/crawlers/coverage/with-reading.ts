/** Counts that need more memory or time than one statement may use are made from roll-ups instead of facts. */
import { MINUTE_MS } from '#clock.ts'
import type { Purpose } from '#contract/vocabulary.ts'
import { EvidenceError } from '#evidence/errors.ts'
import { Refusal } from '#refusal.ts'
import type { SiteContext } from '../context.ts'
import { rebuildDirtyDays } from '../roll-ups/rebuild.ts'
import { openReading, type Reading } from './meta.ts'

/** An answer waits this long for roll-ups; what is left then is refused, and the days that are done stay done. */
const MAX_WAIT_MS = 2 * MINUTE_MS

/**
 * Opens a reading and answers from it. Days without a current roll-up are read from facts in one statement; when the engine has too little
 * memory or time for it, their roll-ups are built month by month, each within the limits of one statement, and the answer is made from those.
 * @throws Refusal too_large when that does not help.
 */
export async function withReading<T>(
  ctx: SiteContext,
  input: { window: string; purpose: readonly Purpose[] },
  answer: (reading: Reading) => Promise<T>,
): Promise<T> {
  const read = async () => answer(await openReading(ctx, input))
  try {
    return await read()
  } catch (error) {
    if (!exceedsLimits(error)) throw error
  }
  const started = ctx.clock.elapsed()
  const isLate = () => ctx.clock.elapsed() - started > MAX_WAIT_MS
  await rebuildDirtyDays(ctx, isLate, { open_day: 'left', site_id: ctx.site.id })
  try {
    return await read()
  } catch (error) {
    throw exceedsLimits(error) ? new Refusal('too_large', TOO_LARGE) : error
  }
}

const exceedsLimits = (error: unknown): boolean =>
  error instanceof EvidenceError && (error.kind === 'memory' || error.kind === 'timeout')

const TOO_LARGE =
  'The evidence of this window does not fit into the memory or the time that one answer may use. Ask for a shorter window, ' +
  'wait until a running import has ended, or ask the operator to raise SPOOR_EVIDENCE_MEMORY_MB.'
