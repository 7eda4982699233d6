import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskedExcerpt } from '#intake/import/line-excerpt.ts'

describe('the excerpt of an unreadable line (rules 4, 7)', () => {
  test.each([
    ['203.0.113.7 - - [27/May/2025:06:00:00 +0000] "GET', '[address] - - [27/May/2025:06:00:00 +0000] "GET'],
    ['[27/May/2025:06:00:00', '[27/May/2025:06:00:00'],
    ['2025-05-27T06:00:00Z host app: GET / 200', '2025-05-27T06:00:00Z host app: GET / 200'],
    ['06:00:00.123 std::string', '06:00:00.123 std::string'],
    ['2001:db8::7 - -', '[address] - -'],
    ['2001:db8:0:1:2:3:4:5 - -', '[address] - -'],
    ['[2001:db8::7]:443 [::1]:80', '[[address]]:443 [[address]]:80'],
    ['::1 - ::ffff:203.0.113.7 -', '[address] - [address] -'],
    ['ip-203-0-113-7.example.net', 'ip-[address].example.net'],
    ['203.0.113.7:51234, 198.51.100.9', '[address]:51234, [address]'],
    ['from jo@example.com and jo@localhost', 'from [e-mail] and [e-mail]'],
    ['GET /unsubscribe/jo%40example.com HTTP/1.1', 'GET [e-mail] HTTP/1.1'],
    ['"GET /a?token=secret&b=1 HTTP/1.1"', '"GET /a?[query] HTTP/1.1"'],
    ['a\u0007b\u009fc', 'a·b·c'],
  ])('%j is shown as %j', (line, shown) => {
    expect(maskedExcerpt(Buffer.from(line, 'utf8').toString('latin1'))).toBe(shown)
  })

  test('control and bidi characters are not part of it', () => {
    const line = Buffer.from('abc \u202egpj.exe\u2066 \u001b[31m', 'utf8').toString('latin1')
    expect(maskedExcerpt(line)).toBe('abc ·gpj.exe· ·[31m')
  })

  test('it has at most 120 characters, and a value that would be cut in two is not shown', () => {
    expect(maskedExcerpt('a b '.repeat(100))).toHaveLength(120)
    const line = `GET /?${'q'.repeat(468)} 203.0.113.7 x`
    expect(maskedExcerpt(line)).toBe('GET /?[query] …')
  })

  test('no address, e-mail address or query is shown, wherever it is in the line', () => {
    const octet = fc.integer({ min: 0, max: 255 })
    const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16))
    const address4 = fc.tuple(octet, octet, octet, octet).map((octets) => octets.join('.'))
    const address6 = fc.oneof(
      fc.array(group, { minLength: 8, maxLength: 8 }).map((groups) => groups.join(':')),
      fc.tuple(group, group).map(([a, b]) => `2001:${a}::${b}`),
    )
    const email = fc.tuple(group, group).map(([a, b]) => `who${a}@mail${b}.example`)
    const query = group.map((value) => `/page?secret${value}=hidden${value}`)
    const noise = fc.stringMatching(/^[ -~]{0,60}$/)
    const separator = fc.constantFrom(' ', '"', ' "', ', ', '[', '] ')
    fc.assert(
      fc.property(
        noise,
        separator,
        fc.oneof(address4, address6, email, query),
        noise,
        (before, apart, secret, after) => {
          const shown = maskedExcerpt(`${before}${apart}${secret} ${after}`)
          const hidden = secret.includes('?') ? secret.slice(secret.indexOf('?') + 1) : secret
          expect(shown).not.toContain(hidden)
          expect(shown.length).toBeLessThanOrEqual(120)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})
