import { expect, test } from 'vitest'
import { openPageReader } from '#tracker/collection/read-page.ts'

test('a renamed site accepts no more pages of its old name, not even known ones', () => {
  const pages = openPageReader()
  const read = (root_domain: string) => pages.read('https://example.com/a', { site_id: 'site', root_domain })
  expect(read('example.com').place).toBe('"example.com","/a","exact"')
  expect(() => read('example.org')).toThrow(/url is on "example.com"/)
})
