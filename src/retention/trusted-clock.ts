/**
 * Nothing is deleted by its age while the clock may be wrong: one that jumped ahead by more than a week has to go on
 * for two days before retention uses it (ADR 49).
 */
import { DAY_MS, HOUR_MS } from '#clock.ts'
import type { ControlContext } from '#control/context.ts'
import { readSetting, writeSetting } from '#control/settings.ts'
import type { ControlDb } from '#control/store.ts'

/** Instants in epoch milliseconds. */
export interface ClockMark {
  /** What the clock read when retention last went by it. */
  trusted_at: number
  /** Its first reading that is doubted, the last one, and how long it was seen to go on; null: it is not doubted. */
  doubt: { since: number; seen_at: number; seen_ms: number } | null
}

const SETTING = 'retention_clock'
/** A service that was stopped for longer has to wait, too. */
const MAX_STEP_MS = 7 * DAY_MS
const PROOF_MS = 2 * DAY_MS
/** Between two looks at a doubted clock: a longer pause was not seen, and counts for nothing. */
const MAX_PAUSE_MS = DAY_MS
/** A trusted mark is written so often. */
const MARK_EVERY_MS = HOUR_MS

/** What is known of the clock once it reads `now`; `mark` null: it was never looked at. */
export function judgeClock(mark: ClockMark | null, now: number): ClockMark {
  const trusted = { trusted_at: now, doubt: null }
  if (mark === null || Math.abs(now - mark.trusted_at) <= MAX_STEP_MS) return trusted
  // A machine that keeps no time while it is off begins in 1970, until it asks a time server.
  if (now < mark.trusted_at) return mark
  const { trusted_at, doubt } = mark
  if (doubt === null || doubt.seen_at - now > MAX_PAUSE_MS)
    return { trusted_at, doubt: { since: now, seen_at: now, seen_ms: 0 } }
  // Negative where the last look was by another node, whose clock is a little ahead.
  const passed_ms = now - doubt.seen_at
  const seen_ms = doubt.seen_ms + (passed_ms <= MAX_PAUSE_MS ? passed_ms : 0)
  return seen_ms >= PROOF_MS ? trusted : { trusted_at, doubt: { ...doubt, seen_at: now, seen_ms } }
}

/** The instant at which a doubted clock is trusted, if the service runs until then; null: it is not doubted. */
export function doubtedUntil({ trusted_at, doubt }: ClockMark, now: number): number | null {
  return doubt === null || now < trusted_at ? null : now + PROOF_MS - doubt.seen_ms
}

/** Runs what deletes by age, unless the clock is doubted: then nothing is done, and 0 returned. */
export async function whileClockTrusted(ctx: ControlContext, work: () => Promise<number>): Promise<number> {
  const { mark, now } = await lookAtClock(ctx)
  return doubtedUntil(mark, now) === null ? work() : 0
}

/** Null: it was never looked at. */
export async function readClockMark(db: ControlDb): Promise<ClockMark | null> {
  const stored = await readSetting(db, SETTING)
  return stored === null ? null : (JSON.parse(stored) as ClockMark)
}

async function lookAtClock({ control, clock }: ControlContext): Promise<{ mark: ClockMark; now: number }> {
  return control.transaction(async (tx) => {
    const known = await readClockMark(tx)
    const now = clock.now()
    const mark = judgeClock(known, now)
    const is_news = known === null || (known.doubt ?? mark.doubt) !== null
    if (is_news || Math.abs(mark.trusted_at - known.trusted_at) >= MARK_EVERY_MS)
      await writeSetting(tx, SETTING, JSON.stringify(mark))
    return { mark, now }
  })
}
