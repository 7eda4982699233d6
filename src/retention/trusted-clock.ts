/**
 * Nothing is deleted by its age while the clock may be wrong: one that jumped ahead by more than a week has to go on
 * for two days before retention goes by it (ADR 49).
 */
import { DAY_MS, HOUR_MS } from '#clock.ts'
import type { ControlContext } from '#control/context.ts'
import { readSetting, writeSetting } from '#control/settings.ts'
import type { ControlDb } from '#control/store.ts'

/** Epoch milliseconds throughout. */
export interface ClockMark {
  /** What the clock read when retention last went by it. */
  trusted_at: number
  /** Since when it is doubted, and when it was last looked at; null: it is not doubted. */
  doubt: { since: number; seen_at: number } | null
}

const SETTING = 'retention_clock'
/** A service that was stopped for longer has to wait, too. */
const MAX_STEP_MS = 7 * DAY_MS
export const PROOF_MS = 2 * DAY_MS
/** Between two looks at a doubted clock: after a longer pause the proof begins anew. */
const MAX_PAUSE_MS = DAY_MS
/** A trusted mark is written so often. */
const MARK_EVERY_MS = HOUR_MS

/** What is known of the clock once it reads `now`; `mark` null: it was never looked at. */
export function judgeClock(mark: ClockMark | null, now: number): ClockMark {
  const trusted = { trusted_at: now, doubt: null }
  if (mark === null || now - mark.trusted_at <= MAX_STEP_MS) return trusted
  const { doubt, trusted_at } = mark
  const goes_on = doubt !== null && now >= doubt.seen_at && now - doubt.seen_at <= MAX_PAUSE_MS
  const since = goes_on ? doubt.since : now
  return now - since >= PROOF_MS ? trusted : { trusted_at, doubt: { since, seen_at: now } }
}

/** Runs what deletes by age, unless the clock is doubted: then nothing is done, and 0 returned. */
export async function whileClockTrusted(ctx: ControlContext, work: () => Promise<number>): Promise<number> {
  const mark = await lookAtClock(ctx)
  return mark.doubt === null ? work() : 0
}

/** Null: it was never looked at. */
export async function readClockMark(db: ControlDb): Promise<ClockMark | null> {
  const stored = await readSetting(db, SETTING)
  return stored === null ? null : (JSON.parse(stored) as ClockMark)
}

async function lookAtClock({ control, clock }: ControlContext): Promise<ClockMark> {
  return control.transaction(async (tx) => {
    const known = await readClockMark(tx)
    const mark = judgeClock(known, clock.now())
    const is_news = known === null || (known.doubt ?? mark.doubt) !== null
    if (is_news || Math.abs(mark.trusted_at - known.trusted_at) >= MARK_EVERY_MS)
      await writeSetting(tx, SETTING, JSON.stringify(mark))
    return mark
  })
}
