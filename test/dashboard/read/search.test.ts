import { expect, test } from 'vitest'
import { limitOf, searchOf } from '../../../dashboard/read/search.ts'

test('a limit or an offset that is none is refused, with what is allowed', () => {
  const pass = searchOf({ max_limit: 100, further: ['offset'] })
  expect(limitOf(pass({ limit: '100', offset: '50' }))).toEqual({ limit: 100 })
  expect(limitOf(pass({}))).toEqual({})
  expect(() => pass({ limit: '101' })).toThrow('limit is "101"; allowed is a whole number from 1 to 100.')
  expect(() => pass({ offset: 'abc' })).toThrow('offset is "abc"; allowed is a whole number from 0.')
})
