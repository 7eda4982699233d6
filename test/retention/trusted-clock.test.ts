import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#clock.ts'
import { type ClockMark, judgeClock, readClockMark, whileClockTrusted } from '#retention/trusted-clock.ts'
import { type FakeClock, fakeClock } from '../support/clock.ts'
import { openTestControl, type TestControl } from '../support/control.ts'

const NOW = Date.parse('2026-03-10T12:00:00Z')
const YEAR_MS = 365 * DAY_MS
const trusted = (trusted_at: number): ClockMark => ({ trusted_at, doubt: null })

describe('a clock is', () => {
  test('trusted when it is first looked at, goes on, stands still for a week, or is set back', () => {
    expect(judgeClock(null, NOW)).toEqual(trusted(NOW))
    expect(judgeClock(trusted(NOW), NOW + MINUTE_MS)).toEqual(trusted(NOW + MINUTE_MS))
    expect(judgeClock(trusted(NOW), NOW + 7 * DAY_MS)).toEqual(trusted(NOW + 7 * DAY_MS))
    expect(judgeClock(trusted(NOW), NOW - YEAR_MS)).toEqual(trusted(NOW - YEAR_MS))
  })

  test('doubted when it jumps further ahead, until it was seen to go on for two days', () => {
    const [at, since] = [NOW, NOW + 7 * DAY_MS + 1]
    let mark = judgeClock(trusted(at), since)
    for (let hours = 0; hours < 48; hours++) {
      expect(mark).toEqual({ trusted_at: at, doubt: { since, seen_at: since + hours * HOUR_MS } })
      mark = judgeClock(mark, since + (hours + 1) * HOUR_MS)
    }
    expect(mark).toEqual(trusted(since + 2 * DAY_MS))
  })

  test('doubted anew by another jump in either direction, or by a pause of more than a day', () => {
    const since = NOW + YEAR_MS
    const doubted = judgeClock(trusted(NOW), since)
    for (const now of [since + DAY_MS + 1, since - 1, since + YEAR_MS])
      expect(judgeClock(doubted, now)).toEqual({ trusted_at: NOW, doubt: { since: now, seen_at: now } })
    expect(judgeClock(doubted, since + DAY_MS).doubt).toEqual({ since, seen_at: since + DAY_MS })
  })

  test('trusted at once when it goes back to where it was', () => {
    const doubted = judgeClock(trusted(NOW), NOW + YEAR_MS)
    expect(judgeClock(doubted, NOW + HOUR_MS)).toEqual(trusted(NOW + HOUR_MS))
  })
})

describe('what deletes by age', () => {
  let store: TestControl
  let clock: FakeClock
  beforeEach(async () => {
    store = await openTestControl()
    clock = fakeClock(NOW)
  })
  afterEach(() => store.remove())
  const run = () => whileClockTrusted({ control: store.control, clock }, async () => 3)

  test('rests from a jump on, and goes on when the clock is set right', async () => {
    expect(await run()).toBe(3)
    clock.leap(NOW + YEAR_MS)
    expect(await run()).toBe(0)
    clock.leap(NOW + YEAR_MS + MINUTE_MS)
    expect(await run()).toBe(0)
    expect(await readClockMark(store.control.db)).toEqual({
      trusted_at: NOW,
      doubt: { since: NOW + YEAR_MS, seen_at: NOW + YEAR_MS + MINUTE_MS },
    })
    clock.leap(NOW + MINUTE_MS)
    expect(await run()).toBe(3)
  })

  test('goes on after two days in which the clock went on', async () => {
    await run()
    clock.advance(YEAR_MS)
    let waited = 0
    for (; (await run()) === 0; waited++) clock.advance(HOUR_MS)
    expect(waited).toBe(48)
  })

  test('writes a mark each hour at most while nothing is wrong', async () => {
    await run()
    clock.advance(59 * MINUTE_MS)
    await run()
    expect(await readClockMark(store.control.db)).toEqual(trusted(NOW))
    clock.advance(MINUTE_MS)
    await run()
    expect(await readClockMark(store.control.db)).toEqual(trusted(NOW + HOUR_MS))
  })
})
