import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pathV1 } from '#paths/path-v1.ts'
import { exactPage } from '#tracker/definitions/exact-page.ts'
import { refusal } from '../../support/definitions.ts'

const site = { root_domain: 'example.com' }
const pathOf = (path: string) => exactPage(site, { path }).path

describe('an exact page of a definition (spec 2.6, decisions 3.6)', () => {
  test.each([
    ['/', '/'],
    ['/pricing', '/pricing'],
    ['/Pricing/', '/Pricing/'],
    ['/%7Ejo/%c3%bc', '/~jo/%C3%BC'],
    ['/über', '/%C3%BCber'],
    ['/a/../b', '/b'],
    ['//double', '//double'],
    [`/${'x'.repeat(1023)}`, `/${'x'.repeat(1023)}`],
  ])('%s is stored as %s', (path, stored) => {
    expect(exactPage(site, { path })).toEqual({
      hostname: 'example.com',
      path: stored,
      path_fidelity: 'exact',
      path_transform_version: 'path/v1',
    })
  })

  test.each([
    ['pricing', /begins with a slash/],
    ['', /begins with a slash/],
    ['/a?b=c', /query strings/],
    ['/a#b', /query strings/],
    ['/a b', /%20/],
    ['/a\n', /control characters/],
    ['/mail/ada@example.com/x', /stores it as \/mail\/:redacted\/x/],
    ['/card/4111111111111111', /card number/],
    ['/mail/:redacted/x', /stands for many pages/],
    ['/mail/x/../:redacted', /stands for many pages/],
    [`/${'x'.repeat(1024)}`, /longer than 1024/],
  ])('%j is refused with the reason', (path, why) => {
    expect(() => exactPage(site, { path })).toThrow(expect.objectContaining(refusal('invalid_input', why)))
  })

  test('its host is one of the site', () => {
    const host = (hostname: string) => exactPage(site, { hostname, path: '/' }).hostname
    expect(host('WWW.Example.com.')).toBe('www.example.com')
    expect(host('bücher.example.com')).toBe('xn--bcher-kva.example.com')
    for (const other of ['example.org', 'notexample.com', '', '127.0.0.1', 'example.com/x']) {
      expect(() => host(other)).toThrow(expect.objectContaining(refusal('invalid_input', /not a host of example\.com/)))
    }
  })

  test('is stored in the same form as a visit to it, and reads back unchanged', () => {
    fc.assert(
      fc.property(
        fc.webPath().filter((path) => path.startsWith('/')),
        (path) => {
          const visited = pathV1(new URL(`https://example.com${path}`).pathname)
          if (visited.fidelity === 'redacted') {
            expect(() => pathOf(path)).toThrow(/cannot be distinguished/)
            return
          }
          expect(pathOf(path)).toBe(visited.path)
          expect(pathOf(visited.path)).toBe(visited.path)
        },
      ),
      // A path that is redacted is rare among those drawn, and one of each kind is always tried.
      { numRuns: 1_000, examples: [['/a@a.aa'], ['/%40/a%40a.aa']] },
    )
  })
})
