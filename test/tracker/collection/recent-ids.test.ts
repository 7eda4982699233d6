/** The filter of recent ids never forgets one of the last 72 hours, and stays within its memory (rules 6). */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { HOUR_MS } from '#clock.ts'
import { idHashOf, idHashOfHex, openRecentIds } from '#tracker/collection/recent-ids.ts'

const NOW = Date.parse('2026-03-10T00:00:00Z')
const digest = (n: number) => createHash('sha256').update(`id ${n}`).digest('hex')
const idOf = (n: number) => idHashOfHex(digest(n))

test('an id has the same hash in memory and read back from a row', () => {
  for (let n = 0; n < 50; n++) {
    const hex = digest(n)
    expect(idHashOf(BigInt(`0x${hex.slice(0, 32)}`).toString())).toEqual(idHashOfHex(hex))
  }
})

test('every id of the last 72 hours is found, even after the filter grew; hardly any new one is', () => {
  const ids = openRecentIds()
  ids.begin(NOW)
  const before = ids.bytes()
  const an_hour = 600
  let wrong = 0
  for (let hour = 0; hour < 100; hour++) {
    ids.forgetBefore(NOW + (hour - 72) * HOUR_MS)
    for (let n = 0; n < an_hour; n++) if (ids.testAndAdd(idOf(hour * an_hour + n), NOW + hour * HOUR_MS)) wrong++
  }
  expect(wrong).toBeLessThan(100 * an_hour * 0.005)
  expect(ids.bytes()).toBeGreaterThan(before)
  const end = NOW + 99 * HOUR_MS
  for (let n = (100 - 73) * an_hour; n < 100 * an_hour; n++) expect(ids.testAndAdd(idOf(n), end)).toBe(true)
})

test('ids of hours that ended long ago make room', () => {
  const ids = openRecentIds()
  ids.begin(NOW)
  for (let n = 0; n < 50_000; n++) ids.add(idOf(n), NOW)
  const before = ids.bytes()
  const goOn = (from: number, to: number) => {
    for (let hour = from; hour <= to; hour++) {
      ids.forgetBefore(NOW + (hour - 72) * HOUR_MS)
      ids.add(idOf(1_000_000 + hour), NOW + hour * HOUR_MS)
    }
  }
  goOn(1, 200)
  let found = 0
  for (let n = 0; n < 1_000; n++) if (ids.testAndAdd(idOf(n), NOW + 200 * HOUR_MS)) found++
  expect(found).toBeLessThan(50)
  goOn(201, 400)
  const of_a_few_ids_each = 14 * 2 ** 14
  expect(ids.bytes()).toBeLessThanOrEqual(of_a_few_ids_each)
  expect(of_a_few_ids_each).toBeLessThan(before)
})

test('it stays within its memory and still finds every id', () => {
  const ids = openRecentIds(2 ** 19)
  ids.begin(NOW)
  const spread = (n: number) => [Math.imul(n, 2_654_435_761) >>> 0, Math.imul(n, 2_246_822_519) >>> 0] as const
  for (let n = 0; n < 300_000; n++) ids.add(spread(n), NOW)
  expect(ids.bytes()).toBeLessThanOrEqual(2 ** 19)
  for (let n = 0; n < 300_000; n += 97) expect(ids.testAndAdd(spread(n), NOW)).toBe(true)
})

test('a million ids of an hour hardly ever make a new one seem known', () => {
  const ids = openRecentIds()
  ids.begin(NOW)
  const random = seeded(1)
  const next = () => [random(), random()] as const
  for (let n = 0; n < 1_000_000; n++) ids.add(next(), NOW)
  let wrong = 0
  for (let n = 0; n < 50_000; n++) if (ids.testAndAdd(next(), NOW)) wrong++
  expect(wrong).toBeLessThan(50)
})

test('after a clock went back, the ids are read again', () => {
  const ids = openRecentIds()
  expect(ids.isReady(NOW)).toBe(false)
  ids.begin(NOW)
  // Until all is read: what failed half-way is begun again.
  expect(ids.isReady(NOW)).toBe(false)
  ids.end()
  expect([ids.isReady(NOW), ids.isReady(NOW - HOUR_MS), ids.isReady(NOW + 50 * HOUR_MS)]).toEqual([true, true, true])
  ids.add(idOf(1), NOW + 90 * HOUR_MS)
  expect(ids.isReady(NOW)).toBe(false)
})

/** Numbers of 32 bits, the same for the same seed (xorshift). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return Math.imul(state, 2_654_435_761) >>> 0
  }
}
