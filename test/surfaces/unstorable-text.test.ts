import { expect, test } from 'vitest'
import { findUnstorableText } from '#surfaces/unstorable-text.ts'

test.each([
  ['a member', { name: 'a\0b' }, ['name']],
  ['half of a pair', { name: '\ud800' }, ['name']],
  ['an item of a list', { steps: [{ name: 'a' }, { name: '\udc00' }] }, ['steps', 1, 'name']],
  ['the name of a member', { 'a\0': 1 }, ['a\0']],
  ['the first of two', { a: ['\0'], b: '\0' }, ['a', 0]],
])('%s is found', (_what, body, path) => {
  expect(findUnstorableText(body)).toMatchObject({ path, code: 'invalid' })
})

test.each([{ name: 'a\tb \u{1f600} \ufffd' }, { a: null, b: [1, true, {}] }, {}, 'text'])('%j can be kept', (body) => {
  expect(findUnstorableText(body)).toBeNull()
})

test('a body that is nested deeply is walked, and the path is cut', () => {
  const deep = (inner: string) => JSON.parse('['.repeat(100_000) + inner + ']'.repeat(100_000))
  expect(findUnstorableText(deep('1'))).toBeNull()
  expect(findUnstorableText(deep(String.raw`"\u0000"`))?.path).toHaveLength(20)
})
