import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#clock.ts'
import { type ClockMark, doubtedUntil, judgeClock, readClockMark, whileClockTrusted } from '#retention/trusted-clock.ts'
import { type FakeClock, fakeClock } from '../support/clock.ts'
import { openTestControl, type TestControl } from '../support/control.ts'

const NOW = Date.parse('2026-03-10T12:00:00Z')
const YEAR_MS = 365 * DAY_MS
const trusted = (trusted_at: number): ClockMark => ({ trusted_at, doubt: null })

describe('a clock is', () => {
  test('trusted when it is first read, continues, stops for a week, or is set back a little', () => {
    expect(judgeClock(null, NOW)).toEqual(trusted(NOW))
    expect(judgeClock(trusted(NOW), NOW + MINUTE_MS)).toEqual(trusted(NOW + MINUTE_MS))
    for (const now of [NOW + 7 * DAY_MS, NOW - 7 * DAY_MS]) expect(judgeClock(trusted(NOW), now)).toEqual(trusted(now))
  })

  test('doubted when it jumps further ahead, until it has run for two days', () => {
    const [at, since] = [NOW, NOW + 7 * DAY_MS + 1]
    let mark = judgeClock(trusted(at), since)
    for (let hours = 0; hours < 48; hours++) {
      const [seen_at, seen_ms] = [since + hours * HOUR_MS, hours * HOUR_MS]
      expect(mark).toEqual({ trusted_at: at, doubt: { since, seen_at, seen_ms } })
      expect(doubtedUntil(mark, seen_at)).toBe(since + 2 * DAY_MS)
      mark = judgeClock(mark, since + (hours + 1) * HOUR_MS)
    }
    expect(mark).toEqual(trusted(since + 2 * DAY_MS))
  })

  test('known to run by readings of several nodes, whose clocks differ a little', () => {
    const since = NOW + YEAR_MS
    let mark = judgeClock(trusted(NOW), since)
    for (let hours = 1; hours <= 48; hours++) {
      for (const apart of [0, -200]) mark = judgeClock(mark, since + hours * HOUR_MS + apart)
    }
    expect(mark.doubt).toBeNull()
  })

  test('trusted in the end though its service runs for eight hours in ten days', () => {
    let mark = trusted(NOW)
    let runs = 0
    for (; runs === 0 || mark.doubt !== null; runs++) {
      const start = NOW + (runs + 1) * 10 * DAY_MS
      for (let hours = 0; hours <= 8; hours++) mark = judgeClock(mark, start + hours * HOUR_MS)
      expect(runs).toBeLessThan(6)
    }
    expect(runs).toBe(6)
  })

  test('doubted again when it is set back but is still ahead', () => {
    const since = NOW + 2 * YEAR_MS
    const doubted = judgeClock(judgeClock(trusted(NOW), since), since + DAY_MS)
    const now = NOW + YEAR_MS
    expect(judgeClock(doubted, now)).toEqual({ trusted_at: NOW, doubt: { since: now, seen_at: now, seen_ms: 0 } })
  })

  test('trusted at once when it goes back to where it was', () => {
    const doubted = judgeClock(trusted(NOW), NOW + YEAR_MS)
    expect(judgeClock(doubted, NOW + HOUR_MS)).toEqual(trusted(NOW + HOUR_MS))
  })

  test('no other one because it began in 1970', () => {
    const known = judgeClock(trusted(NOW), NOW + YEAR_MS)
    for (const mark of [trusted(NOW), known]) {
      const begun = judgeClock(mark, 0)
      expect(begun).toEqual(mark)
      expect(doubtedUntil(begun, 0)).toBeNull()
    }
    expect(judgeClock(judgeClock(trusted(NOW), 0), NOW + MINUTE_MS)).toEqual(trusted(NOW + MINUTE_MS))
  })
})

describe('deletions by age', () => {
  let store: TestControl
  let clock: FakeClock
  beforeEach(async () => {
    store = await openTestControl()
    clock = fakeClock(NOW)
  })
  afterEach(() => store.remove())
  const run = () => whileClockTrusted({ control: store.control, clock }, async () => 3)

  test('pauses from a jump on, and continues when the clock is correct again', async () => {
    expect(await run()).toBe(3)
    clock.leap(NOW + YEAR_MS)
    expect(await run()).toBe(0)
    clock.leap(NOW + YEAR_MS + MINUTE_MS)
    expect(await run()).toBe(0)
    expect(await readClockMark(store.control.db)).toEqual({
      trusted_at: NOW,
      doubt: { since: NOW + YEAR_MS, seen_at: NOW + YEAR_MS + MINUTE_MS, seen_ms: MINUTE_MS },
    })
    clock.leap(NOW + MINUTE_MS)
    expect(await run()).toBe(3)
  })

  test('continues after the clock has run for two days', async () => {
    await run()
    clock.advance(YEAR_MS)
    let waited = 0
    for (; (await run()) === 0; waited++) clock.advance(HOUR_MS)
    expect(waited).toBe(48)
  })

  test('writes at most one mark an hour while the clock is right', async () => {
    await run()
    clock.advance(59 * MINUTE_MS)
    await run()
    expect(await readClockMark(store.control.db)).toEqual(trusted(NOW))
    clock.advance(MINUTE_MS)
    await run()
    expect(await readClockMark(store.control.db)).toEqual(trusted(NOW + HOUR_MS))
  })
})
