import { expect, test } from 'vitest'
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
