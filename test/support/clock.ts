import type { Clock } from '#clock.ts'

/** A clock that stands still until the test moves it. */
export interface FakeClock extends Clock {
  advance(ms: number): void
  /** An instant as ISO text or epoch milliseconds; `elapsed` never goes back with it. */
  set(instant: string | number): void
  /** The time of day alone is another one, as where days are simulated: `elapsed` stays. */
  leap(instant: string | number): void
}

export function fakeClock(start: string | number): FakeClock {
  let now = toInstant(start)
  let elapsed = 0
  return {
    now: () => now,
    elapsed: () => elapsed,
    shared: () => now,
    advance(ms) {
      now += ms
      elapsed += ms
    },
    set(instant) {
      const next = toInstant(instant)
      elapsed += Math.max(0, next - now)
      now = next
    },
    leap(instant) {
      now = toInstant(instant)
    },
  }
}

function toInstant(instant: string | number): number {
  const read = typeof instant === 'number' ? instant : Date.parse(instant)
  if (!Number.isFinite(read)) throw new Error(`No instant: ${instant}`)
  return read
}
