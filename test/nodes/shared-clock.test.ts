/** The time that nodes go by, whatever the clocks of their machines say (decisions 8.2, ADR 43). */
import { beforeEach, expect, test } from 'vitest'
import type { Clock } from '#clock.ts'
import { type SharedClock, sharedClock } from '#nodes/shared-clock.ts'
import { type FakeClock, fakeClock } from '../support/clock.ts'

/** The true time, by which the database goes. */
let time: FakeClock
beforeEach(() => {
  time = fakeClock('2026-03-10T12:00:00Z')
})

/** A machine whose clock is so far ahead; the test may set it. */
function machine(ahead_ms: number): Clock & { ahead_ms: number } {
  const own = { ahead_ms, elapsed: () => time.elapsed(), now: () => time.now() + own.ahead_ms, shared: () => own.now() }
  return own
}

/** The database, which takes so long to hear a question, and so long until its answer is heard. */
const database = (there_ms = 0, back_ms = 0) => ({
  async server() {
    time.advance(there_ms)
    const now = time.now()
    time.advance(back_ms)
    return { version: '18', now }
  },
})
const off = (clock: SharedClock) => clock.shared() - time.now()

test.each([0, 6_000, -6_000, 660_000])('follows the database on a machine that is %i ms ahead', async (ahead) => {
  const clock = sharedClock(machine(ahead))
  expect(await clock.compare(database())).toBe(ahead)
  expect(off(clock)).toBe(0)
  time.advance(90_000)
  expect(off(clock)).toBe(0)
  expect(clock.now() - time.now()).toBe(ahead)
})

test('does not change when the clock of the machine is set, before the database is queried again or after', async () => {
  const own = machine(0)
  const clock = sharedClock(own)
  await clock.compare(database())
  own.ahead_ms = 3_600_000
  expect(off(clock)).toBe(0)
  expect(await clock.compare(database())).toBe(3_600_000)
  expect(off(clock)).toBe(0)
})

test('is off by no more than the time of an answer, and a slow answer does not replace a better one', async () => {
  const clock = sharedClock(machine(6_000))
  expect(await clock.compare(database(0, 100))).toBe(6_000)
  expect(off(clock)).toBe(0)
  expect(await clock.compare(database(100, 0))).toBe(5_900)
  expect(off(clock)).toBe(0)
  // The process stood still for a minute.
  await clock.compare(database(60_000, 0))
  expect(off(clock)).toBe(0)
  await clock.compare(database(0, 60_000))
  expect(off(clock)).toBe(0)
})

test('is that of the machine where the control store is a file', async () => {
  const clock = sharedClock(machine(6_000))
  expect(await clock.compare({ server: async () => null })).toBe(0)
  expect(off(clock)).toBe(6_000)
})
