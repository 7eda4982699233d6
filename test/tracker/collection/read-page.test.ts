import { expect, test } from 'vitest'
import { openPageReader } from '#tracker/collection/read-page.ts'

test('a renamed site accepts no more pages of its old name, not even known ones', () => {
  const pages = openPageReader()
  const read = (root_domain: string) => pages.read('https://example.com/a', { site_id: 'site', root_domain })
  expect(read('example.com').place).toBe('"example.com","/a","exact"')
  expect(() => read('example.org')).toThrow(/url is on "example.com"/)
})

test('a click id has a value, as a campaign has', () => {
  const read = (query: string) =>
    openPageReader().read(`https://example.com/?${query}`, { site_id: 'site', root_domain: 'example.com' })
  expect(read('gclid=Cj0KCQ').has_click_id).toBe(true)
  expect(read('msclkid=&gclid=Cj0KCQ').has_click_id).toBe(true)
  expect(read('gclid=&msclkid&utm_source=')).toMatchObject({ has_click_id: false, utm: '"","","","",""' })
})
