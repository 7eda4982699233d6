/** Answers from roll-ups instead of facts if one statement over the facts would exceed its memory or time. */
import { MINUTE_MS } from '#clock.ts'
import { EvidenceError } from '#evidence/errors.ts'
import { Refusal } from '#refusal.ts'
import type { SiteContext } from '../context.ts'
import { rebuildDirtyDays } from '../roll-ups/rebuild-roll-ups.ts'
import { type CrawlerReading, openReading, type ReadDays } from './meta.ts'

/** An answer waits this long for roll-ups, and is refused then; days that are derived by then stay derived. */
const MAX_WAIT_MS = 2 * MINUTE_MS

/**
 * Opens a reading and answers from it. Days without a current roll-up are read from facts in one statement. If that
 * exceeds the limits of a statement, their roll-ups are derived month by month, each within these limits, and the
 * answer is made from those. An answer whose size grows with the evidence is then made in more and more parts.
 * @param parts the numbers of parts in which `answer` can be made, ascending.
 * @throws Refusal too_large: the answer exceeds the limits all the same.
 */
export async function withReading<T>(
  ctx: SiteContext,
  input: ReadDays,
  answer: (reading: CrawlerReading, parts: number) => Promise<T>,
  parts: readonly number[] = [1],
): Promise<T> {
  const read = async (count: number) => answer(await openReading(ctx, input), count)
  let failure: unknown
  try {
    return await read(1)
  } catch (error) {
    if (!exceedsLimits(error)) throw error
    failure = error
  }
  const started = ctx.clock.elapsed()
  const isLate = () => ctx.clock.elapsed() - started > MAX_WAIT_MS
  const days = await rebuildDirtyDays(ctx, isLate, { open_day: 'left', site_id: ctx.site.id })
  for (const count of days === 0 ? parts.filter((each) => each > 1) : parts) {
    try {
      return await read(count)
    } catch (error) {
      if (!exceedsLimits(error)) throw error
      failure = error
    }
  }
  throw new Refusal('too_large', TOO_LARGE, { cause: failure })
}

const exceedsLimits = (error: unknown): boolean =>
  error instanceof EvidenceError && (error.kind === 'memory' || error.kind === 'timeout')

const TOO_LARGE =
  'The evidence of this window does not fit into the memory or the time that one answer may use. Ask for a shorter window, ' +
  'or ask again when a running import has ended.'
