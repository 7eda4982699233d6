/**
 * Nothing is deleted by age while the clock may be wrong: after a jump ahead by more than a week, the service must run
 * for two days before retention uses the clock (ADR 49).
 */
import { DAY_MS, HOUR_MS } from '#clock.ts'
import type { ControlContext } from '#control/context.ts'
import { readSetting, writeSetting } from '#control/settings.ts'
import type { ControlDb } from '#control/store.ts'

/** Instants in epoch milliseconds. */
export interface ClockMark {
  /** The reading of the clock when retention last used it. */
  trusted_at: number
  /**
   * The first and the last doubted reading, and how long the clock was observed in between; null: it is not doubted.
   */
  doubt: { since: number; seen_at: number; seen_ms: number } | null
}

const SETTING = 'retention_clock'
/** The largest step that is trusted; a service that was stopped for longer must wait, too. */
const MAX_STEP_MS = 7 * DAY_MS
const PROOF_MS = 2 * DAY_MS
/** The longest time between two readings of a doubted clock that counts as observed. */
const MAX_PAUSE_MS = DAY_MS
/** The interval between writes of a trusted mark. */
const MARK_EVERY_MS = HOUR_MS

/** The mark after the reading `now`; `mark` null: there is none yet. */
export function judgeClock(mark: ClockMark | null, now: number): ClockMark {
  const trusted = { trusted_at: now, doubt: null }
  if (mark === null || Math.abs(now - mark.trusted_at) <= MAX_STEP_MS) return trusted
  // A machine without a battery starts in 1970, until it asks a time server.
  if (now < mark.trusted_at) return mark
  const { trusted_at, doubt } = mark
  if (doubt === null || doubt.seen_at - now > MAX_PAUSE_MS)
    return { trusted_at, doubt: { since: now, seen_at: now, seen_ms: 0 } }
  // Negative if the last reading was of another node, whose clock is a little ahead.
  const passed_ms = now - doubt.seen_at
  const seen_ms = doubt.seen_ms + (passed_ms <= MAX_PAUSE_MS ? passed_ms : 0)
  return seen_ms >= PROOF_MS ? trusted : { trusted_at, doubt: { ...doubt, seen_at: now, seen_ms } }
}

/** The instant at which a doubted clock is trusted, if the service runs until then; null: it is not doubted. */
export function doubtedUntil({ trusted_at, doubt }: ClockMark, now: number): number | null {
  return doubt === null || now < trusted_at ? null : now + PROOF_MS - doubt.seen_ms
}

/** Runs a deletion by age, unless the clock is doubted; then it returns 0. */
export async function whileClockTrusted(ctx: ControlContext, work: () => Promise<number>): Promise<number> {
  const { mark, now } = await lookAtClock(ctx)
  return doubtedUntil(mark, now) === null ? work() : 0
}

/** The stored mark; null: there is none yet. */
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
