/** Open days are derived once a minute at most, and never for most of the time (rules 8.2, decision 0027). */
import { expect, test } from 'vitest'
import { MINUTE_MS } from '#clock.ts'
import { OpenDayPace } from '#derived/open-day-pace.ts'

const NOW = Date.parse('2026-03-10T00:00:00Z')

test('an open day is derived once a minute', () => {
  const pace = new OpenDayPace()
  expect(pace.tryBegin('one', NOW)).toBe(true)
  pace.noteDuration('one', 200)
  expect(pace.tryBegin('one', NOW + MINUTE_MS - 1)).toBe(false)
  expect(pace.tryBegin('other', NOW + MINUTE_MS - 1)).toBe(true)
  expect(pace.tryBegin('one', NOW + MINUTE_MS)).toBe(true)
  // The clock was set back.
  expect(pace.tryBegin('one', NOW - MINUTE_MS)).toBe(true)
})

test('ten sites whose days take 15 seconds each take a quarter of an hour, and each is derived in turn', () => {
  const pace = new OpenDayPace()
  const sites = Array.from({ length: 10 }, (_, number) => ({ site_id: `site ${number}` }))
  const turns = new Map<string, number>()
  let used_ms = 0
  for (let now = NOW; now < NOW + 60 * MINUTE_MS; now += MINUTE_MS / 2) {
    for (const { site_id } of pace.longestWaitFirst(sites)) {
      if (!pace.tryBegin(site_id, now)) continue
      pace.noteDuration(site_id, 15_000)
      used_ms += 15_000
      turns.set(site_id, (turns.get(site_id) ?? 0) + 1)
    }
  }
  // The first time nothing is known of what they take.
  const first_ms = 10 * 15_000
  expect(used_ms).toBeGreaterThan(0.2 * 60 * MINUTE_MS)
  expect(used_ms).toBeLessThanOrEqual(0.25 * 60 * MINUTE_MS + first_ms)
  expect(Math.min(...sites.map(({ site_id }) => turns.get(site_id) ?? 0))).toBeGreaterThanOrEqual(5)
})

test('a day that takes longer than its share of a minute is still derived, and then pauses', () => {
  const pace = new OpenDayPace()
  const began = Array.from({ length: 17 }, (_, minute) => minute).filter((minute) => {
    const may = pace.tryBegin('large', NOW + minute * MINUTE_MS)
    if (may) pace.noteDuration('large', 112_500)
    return may
  })
  expect(began).toEqual([0, 8, 16])
})
