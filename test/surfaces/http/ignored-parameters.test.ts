import { expect, test } from 'vitest'
import { getTopPages } from '#contract/site-api/top-pages.ts'
import { IGNORED_PARAMETERS, ignoredParameters } from '#surfaces/http/ignored-parameters.ts'

const ignored = (query: string) => ignoredParameters(getTopPages, query)[IGNORED_PARAMETERS]

test.each([
  ['', undefined],
  ['window=7d&limit=5&purpose=search', undefined],
  ['&&', undefined],
  ['windw=7d', 'windw'],
  ['windw=7d&limit=5&purposes=search&windw=3d', 'windw, purposes'],
  ['win%64w=7d', 'windw'],
  // Any other text of strangers is only counted, a key by mistake included.
  ['spoor_site_AbC=1', '1'],
  ['a=1&Window=7d&limit%5B%5D=3', 'a, 2'],
  [`${'x'.repeat(33)}=1`, '1'],
  ['__proto__=1&constructor=2', '__proto__, constructor'],
])('%s names %s', (query, names) => {
  expect(ignored(query)).toBe(names)
})

test('at most ten names, the others as a number', () => {
  const names = 'abcdefghijkl'.split('')
  expect(ignored(names.map((name) => `${name}=1`).join('&'))).toBe(`${names.slice(0, 10).join(', ')}, 2`)
})
