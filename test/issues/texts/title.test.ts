import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ObservedHarm, titleOf, titleText } from '#issues/texts/title.ts'
import { anyText } from '../../support/any-text.ts'

const harm: ObservedHarm = {
  crawlers: ['ClaudeBot'],
  are_verified: false,
  statuses: [403, 402],
  harmful: 41,
  observed: 52,
  host: 'www.example.com',
  path_key: '/pricing',
  member_count: 1,
  from: '2026-11-14',
  to: '2026-11-20',
}

describe('titles state the observation (rules 8.1)', () => {
  test.each([
    [
      {},
      'Requests naming ClaudeBot got 402, 403 on 41 of 52 observed requests to www.example.com/pricing, 14 to 20 Nov 2026',
    ],
    [
      { are_verified: true, from: '2026-11-20' },
      'ClaudeBot got 402, 403 on 41 of 52 observed requests to www.example.com/pricing, 20 Nov 2026',
    ],
    [
      { path_key: '/docs/*', member_count: 12, from: '2026-10-28', to: '2026-11-03' },
      'Requests naming ClaudeBot got 402, 403 on 41 of 52 observed requests to 12 paths under www.example.com/docs/, 28 Oct to 3 Nov 2026',
    ],
    [
      { crawlers: ['ClaudeBot', 'GPTBot', 'CCBot'], from: '2025-12-30', to: '2026-01-02' },
      'Requests naming 3 crawlers got 402, 403 on 41 of 52 observed requests to www.example.com/pricing, 30 Dec 2025 to 2 Jan 2026',
    ],
  ])('%j', (given, title) => {
    expect(titleOf({ ...harm, ...given })).toBe(title)
  })

  test('a path of a stranger is neither a link nor a second line', () => {
    expect(titleText('/a b\n<script>`"\u202e?u=https://evil.example/x')).toBe(
      '/a%20b%0A%3Cscript%3E%60%22%E2%80%AE%3Fu=https:%2F%2Fevil.example/x',
    )
  })

  test('a percent sign that begins no escape is encoded, an escape stays', () => {
    expect(titleText('/100%/%zz/%4/%2F%c3%a9')).toBe('/100%25/%25zz/%254/%2F%c3%a9')
  })

  test('any text becomes characters of a path', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(titleText(text)).toMatch(/^([A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})*$/)
        expect(titleText(text)).not.toContain('://')
      }),
    )
  })
})
