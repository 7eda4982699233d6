/**
 * Moves events from the spool into the evidence store in few large inserts, which cost far less than many small ones.
 */
import { Mutex } from '#concurrency/mutex.ts'
import { utcDay } from '#days/utc-day.ts'
import { countLost } from './lost-events.ts'
import type { Spool } from './spool.ts'
import type { Segment } from './spool-segment.ts'
import { type StoreContext, storeSegment } from './store-segment.ts'

export interface Inserter {
  /** Stores all events that are durable now. @throws store errors; events that were not stored still wait. */
  settle(): Promise<void>
  /** Starts a round now. */
  nudge(): void
  /** Stops after a last round. */
  stop(): Promise<void>
}

const PAUSE_MS = 500
/** The longest pause between rounds while the evidence store fails. */
const MAX_PAUSE_MS = 5_000

/** `count` writes the counts of the spool's events, which must be stored before the events can be read. */
export function startInserter(
  ctx: StoreContext,
  spool: Spool,
  { count, every_ms = PAUSE_MS }: { count: () => Promise<void>; every_ms?: number },
): Inserter {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let failures = 0
  const rounds = new Mutex()
  const settle = () => rounds.run(() => storeAll(ctx, spool, count))
  const round = async () => {
    clearTimeout(timer)
    try {
      await settle()
      if (failures > 0) ctx.log.info('the stores take events again; none waits in the spool')
      failures = 0
    } catch (error) {
      if (failures++ === 0) ctx.log.error({ err: error }, 'events wait in the spool: the stores do not take them')
    }
    if (stopped) return
    clearTimeout(timer)
    timer = setTimeout(round, failures === 0 ? every_ms : Math.min(MAX_PAUSE_MS, every_ms * (1 + failures)))
    timer.unref()
  }
  void round()
  return {
    settle,
    nudge() {
      if (failures === 0 && !stopped) void round()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await settle().catch((error: unknown) =>
        ctx.log.warn({ err: error }, 'events stay in the spool; the next start stores them'),
      )
    },
  }
}

/** Stores waiting events, oldest first. While the stores fail, the current file stays open, so there are few files. */
async function storeAll(ctx: StoreContext, spool: Spool, count: () => Promise<void>): Promise<void> {
  const store = async (segments: readonly Segment[]) => {
    if (segments.length > 0) await count()
    for (const segment of [...segments]) await storeOne(ctx, spool, segment)
  }
  await store(spool.ended())
  await store(await spool.seal())
}

/** Stores events that a crash left in the spool; call it before reads. @throws store errors; the other events wait. */
export async function replaySpool(ctx: StoreContext, spool: Spool): Promise<number> {
  const left = [...(await spool.seal())]
  for (const segment of left) await storeOne(ctx, spool, segment)
  return left.length
}

async function storeOne(ctx: StoreContext, spool: Spool, segment: Segment): Promise<void> {
  const damage = await storeSegment(ctx, segment)
  if (damage !== null) {
    ctx.log.error(damage, 'a spool file is damaged: acknowledged events are lost')
    const now = ctx.clock.now()
    const last_at = utcDay(now) === segment.day ? now : segment.oldest_at
    const events = Math.max(1, damage.rows)
    await ctx.control.transaction((tx) =>
      countLost(tx, { day: segment.day, reason: 'spool_damaged', events, last_at }, now),
    )
  }
  await spool.drop(segment, damage !== null)
}
