import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { localZone, readClfTime, readTime } from '#intake/log/time.ts'
import { Refusal } from '#refusal.ts'

const utc = localZone('UTC')
const iso = (at: number) => (Number.isNaN(at) ? null : new Date(at).toISOString())
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const two = (number: number) => String(number).padStart(2, '0')

describe('times of access logs', () => {
  test('any instant in any zone and any order reads back, by both readers', () => {
    const seconds = fc.integer({ min: Date.UTC(1996, 0, 1) / 1000, max: Date.UTC(2090, 0, 1) / 1000 })
    fc.assert(
      fc.property(seconds, fc.integer({ min: -48, max: 56 }), (second, quarters) => {
        const local = new Date(second * 1000 + quarters * 900_000)
        const zone = `${quarters < 0 ? '-' : '+'}${two(Math.floor(Math.abs(quarters) / 4))}${two((Math.abs(quarters) % 4) * 15)}`
        const day = `${two(local.getUTCDate())}/${MONTHS[local.getUTCMonth()]}/${local.getUTCFullYear()}`
        const text = `${day}:${local.toISOString().slice(11, 19)} ${zone}`
        expect(readClfTime(`[${text}]`, 1)).toBe(second * 1000)
        expect(readTime(text, utc)).toBe(second * 1000)
      }),
    )
  })

  test.each([
    ['2026-03-03T10:15:30+00:00', '2026-03-03T10:15:30.000Z'],
    ['2026-03-03T10:15:30.25Z', '2026-03-03T10:15:30.250Z'],
    ['2026-03-03 10:15:30,123456 +0200', '2026-03-03T08:15:30.123Z'],
    ['2026/03/03 10:15:30', '2026-03-03T10:15:30.000Z'],
    ['03/Mar/2026:10:15:30.5 -0130', '2026-03-03T11:45:30.500Z'],
    ['03/Mar/2026:10:15:30', '2026-03-03T10:15:30.000Z'],
    ['29/Feb/2024:00:00:00 +0000', '2024-02-29T00:00:00.000Z'],
    ['31/Dec/2016:23:59:60 +0000', '2017-01-01T00:00:00.000Z'],
  ])('%s', (text, expected) => {
    expect(iso(readTime(text, utc))).toBe(expected)
  })

  test.each([
    '29/Feb/2025:00:00:00 +0000',
    '00/Mar/2026:10:15:30 +0000',
    '03/Mar/2026:24:00:00 +0000',
    '03/Mar/2026:10:60:00 +0000',
  ])('%s is not a time', (text) => {
    expect(readClfTime(text, 0)).toBeNaN()
    expect(readTime(text, utc)).toBeNaN()
  })

  test.each(['', '-', '1234', '1772532930', '2026-13-01T00:00:00Z', '2026-03-03', 'Tue Mar 03 10:15:30 2026'])(
    '%s is not a time',
    (text) => {
      expect(readTime(text, utc)).toBeNaN()
    },
  )

  test('the zone in the line takes precedence over the zone of the import', () => {
    const berlin = localZone('Europe/Berlin')
    expect(iso(readTime('2026-03-03T10:00:00Z', berlin))).toBe('2026-03-03T10:00:00.000Z')
    expect(iso(readTime('2026-03-03T10:00:00', berlin))).toBe('2026-03-03T09:00:00.000Z')
    expect(iso(readTime('2026-07-03T10:00:00', berlin))).toBe('2026-07-03T08:00:00.000Z')
    expect(iso(readTime('2026-07-03T10:00:00', localZone('-05:30')))).toBe('2026-07-03T15:30:00.000Z')
  })

  test('summer time changes at the right hour', () => {
    const berlin = localZone('Europe/Berlin')
    expect(iso(readTime('2026-03-29T01:59:59', berlin))).toBe('2026-03-29T00:59:59.000Z')
    expect(iso(readTime('2026-03-29T03:00:00', berlin))).toBe('2026-03-29T01:00:00.000Z')
    expect(iso(readTime('2026-10-25T03:00:00', berlin))).toBe('2026-10-25T02:00:00.000Z')
  })

  test('an unknown zone is refused with the allowed values', () => {
    expect(() => localZone('Mars/Olympus')).toThrow(Refusal)
    expect(() => localZone('Mars/Olympus')).toThrow(/Europe\/Berlin/)
  })
})
