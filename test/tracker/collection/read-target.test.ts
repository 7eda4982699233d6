/** What is kept of a link that a visitor followed (rules 6.2). */
import { describe, expect, test } from 'vitest'
import { readLinkTarget, withTarget } from '#tracker/collection/read-target.ts'

describe('of an outbound link', () => {
  test.each([
    ['https://Docs.Example.org:8443/a/b?token=x#y', 'docs.example.org'],
    ['http://user:secret@example.org', 'example.org'],
    ['https://bücher.example', 'xn--bcher-kva.example'],
  ])('%s: its host', (target, host) => {
    expect(withTarget('{}', readLinkTarget('outbound_link', target))).toBe(JSON.stringify({ ':host': host }))
  })
})

describe('of a download', () => {
  test.each([
    ['https://example.com/files/manual.PDF?for=ann', 'manual.PDF'],
    ['https://example.com/a%2Fb/annual%20report.pdf', 'annual%20report.pdf'],
    ['https://example.com/files/', 'files'],
    ['https://example.com/', '/'],
    ['https://example.com/d/ann@example.com', ':redacted'],
    [`https://example.com/d/${'0123456789abcdef'.repeat(2)}`, ':redacted'],
  ])('%s: the name of the file, as paths are kept', (target, file) => {
    expect(withTarget('{}', readLinkTarget('file_download', target))).toBe(JSON.stringify({ ':file': file }))
  })
})

test('is stored beside declared properties, and left out if none was sent', () => {
  expect(JSON.parse(withTarget('{"plan":"pro"}', readLinkTarget('outbound_link', 'https://a.example')))).toEqual({
    plan: 'pro',
    ':host': 'a.example',
  })
  expect(withTarget('{"plan":"pro"}', readLinkTarget('outbound_link', undefined))).toBe('{"plan":"pro"}')
})

test.each([
  [7],
  ['/relative'],
  ['javascript:alert(1)'],
  ['mailto:ann@example.com'],
  [`https://${'a'.repeat(300)}.example`],
])('%o is refused', (target) => {
  expect(() => readLinkTarget('outbound_link', target)).toThrow('send the http or https URL that the link leads to')
})

test('no other event has one', () => {
  expect(() => readLinkTarget('signup', 'https://a.example')).toThrow('only outbound_link and file_download have one')
})
