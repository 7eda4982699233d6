import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#clock.ts'
import { MinuteMap } from '#crawlers/coverage/covered-minutes-of-logs.ts'

const start = Date.parse('2026-03-01T00:00:00Z')

function mapOf(minutes: readonly number[]): MinuteMap {
  const map = new MinuteMap()
  for (const minute of minutes) map.add(start + minute * MINUTE_MS)
  return map
}

describe('what the lines of an upload cover (rules 3)', () => {
  test('lines in any order mark the same minutes', () => {
    expect([...mapOf([5, 1, 1440, 3]).minutes()]).toEqual([...mapOf([1, 3, 5, 1440]).minutes()])
  })

  test('a lone line covers its own minute only', () => {
    expect(mapOf([7]).covered()).toEqual({
      ranges: [{ from: start + 7 * MINUTE_MS, to: start + 8 * MINUTE_MS }],
      silence_limit_ms: HOUR_MS,
    })
  })

  test('a silence of up to one hour is covered even in a busy log', () => {
    const busy = [...Array(1000).keys()]
    const { ranges } = mapOf([...busy, 999 + 61, 999 + 61 + 62]).covered()
    expect(ranges.map((part) => (part.to - part.from) / MINUTE_MS)).toEqual([1061, 1])
  })

  test('in a quiet log the limit is ten times the 99th percentile of its silences', () => {
    const everyQuarter = [...Array(200).keys()].map((index) => index * 15)
    expect(mapOf(everyQuarter).covered().silence_limit_ms).toBe(150 * MINUTE_MS)
  })

  test('no silence over 24 hours is ever covered', () => {
    const twiceAWeek = [0, 4000, 9000, 14_000].map((minute) => minute)
    const { ranges, silence_limit_ms } = mapOf(twiceAWeek).covered()
    expect(silence_limit_ms).toBe(DAY_MS)
    expect(ranges).toHaveLength(4)
  })

  test('a silence of exactly 24 hours is covered in a log that is that quiet', () => {
    const daily = [5, 1446, 2887]
    expect(mapOf(daily).covered().ranges).toHaveLength(1)
  })

  test('a day without any line is never covered, even between lines in the minutes around it', () => {
    const around = [...Array(8).keys()].map((index) => index * 180).concat(1439, 2880, 3060, 3240, 3420, 3600)
    const { ranges } = mapOf(around).covered()
    expect(ranges.map((part) => (part.to - start) / MINUTE_MS)).toContain(1440)
    expect(ranges).toHaveLength(2)
  })
})
