import { expect, test } from 'vitest'
import { brandSearchOf } from '../../../dashboard/read/brand-search.ts'
import { limitOf, searchOf } from '../../../dashboard/read/search.ts'
import { dayOfWindow } from '../../../dashboard/states/day-of-window.ts'

test('an invalid limit or offset is refused, with what is allowed', () => {
  const pass = searchOf({ max_limit: 100, further: ['offset'] })
  expect(limitOf(pass({ limit: '100', offset: '50' }))).toEqual({ limit: 100 })
  expect(limitOf(pass({}))).toEqual({})
  expect(() => pass({ limit: '101' })).toThrow('limit is "101"; allowed is a whole number from 1 to 100.')
  expect(() => pass({ offset: 'abc' })).toThrow('offset is "abc"; allowed is a whole number from 0.')
})

test('a link opens the drawer of coverage, and no other', () => {
  const pass = searchOf()
  expect(pass({ drawer: 'coverage', window: '7d' })).toEqual({ drawer: 'coverage', window: '7d' })
  expect(() => pass({ drawer: 'menu' })).toThrow('drawer is "menu"; allowed is one of coverage.')
})

test('a day outside of the window is refused, with the days that are answered', () => {
  const days = ['2026-11-19', '2026-11-20', '2026-11-21'].map((date) => ({ date }))
  expect(dayOfWindow(days, '2026-11-20')).toEqual({ date: '2026-11-20' })
  expect(dayOfWindow(days, undefined)).toBeNull()
  expect(dayOfWindow(null, '2026-11-18')).toBeNull()
  expect(() => dayOfWindow(days, '2026-11-18')).toThrow(
    'day is "2026-11-18"; allowed is a day of the window, 2026-11-19 to 2026-11-21.',
  )
})

test('days and countries of a brand that do not exist are refused before a filter shows them', () => {
  const pass = brandSearchOf(['from', 'to', 'country'])
  expect(pass({ from: '2026-11-01', to: '2026-11-21', country: 'DE' })).toMatchObject({ country: 'DE' })
  expect(pass({ country: 'none' })).toEqual({ country: 'none' })
  expect(() => pass({ from: '2026-02-30' })).toThrow('from is "2026-02-30"; allowed is a day as YYYY-MM-DD.')
  expect(() => pass({ to: 'today' })).toThrow('to is "today"; allowed is a day as YYYY-MM-DD.')
  for (const country of ['de', 'Germany', 'D1']) {
    expect(() => pass({ country })).toThrow(
      `country is "${country}"; allowed is two capital letters such as DE, or none.`,
    )
  }
})
