import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MINUTE_MS } from '#clock.ts'
import { freeIdleMemory } from '#health/idle-memory.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** After which of these minutes, each with the milliseconds of work in it, memory was given back. */
function collections(work: readonly number[], minutes_until_stopped = work.length): number[] {
  let used = 1_000
  const after: number[] = []
  let minute = 0
  const stop = freeIdleMemory({ usedMs: () => used, collect: () => after.push(minute) })
  for (const worked of work) {
    minute++
    used += worked
    vi.advanceTimersByTime(MINUTE_MS)
    if (minute === minutes_until_stopped) stop()
  }
  stop()
  return after
}

test('memory is released after three minutes with little work, and again only after some work', () => {
  expect(collections([100, 100, 100, 100, 100, 100])).toEqual([3])
  expect(collections([100, 100, 30_000, 5_900, 100, 100, 100])).toEqual([6])
  expect(collections([0, 0, 0, 6_000, 0, 0, 0, 0])).toEqual([3, 7])
  expect(collections([20_000, 20_000, 20_000, 20_000])).toEqual([])
})

test('the evidence store releases its memory after a collection', () => {
  const done: string[] = []
  const stop = freeIdleMemory({
    usedMs: () => 0,
    collect: () => done.push('collected'),
    releaseStore: () => done.push('store'),
  })
  vi.advanceTimersByTime(6 * MINUTE_MS)
  stop()
  expect(done).toEqual(['collected', 'store'])
})

test('it ends with the service', () => {
  expect(collections([0, 0, 0, 0], 2)).toEqual([])
})

test('a real collection releases unreferenced memory', () => {
  let held: object | null = { much: new Array(1_000).fill('x') }
  const reference = new WeakRef(held)
  let used = 0
  const stop = freeIdleMemory({ usedMs: () => used++ })
  held = null
  return new Promise((resolve) => setImmediate(resolve)).then(() => {
    vi.advanceTimersByTime(3 * MINUTE_MS)
    stop()
    expect([held, reference.deref()]).toEqual([null, undefined])
  })
})
