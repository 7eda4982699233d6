import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readList } from '#crawlers/identity/lists/read-list.ts'
import { Refusal } from '#refusal.ts'

const read = (text: string) => readList(Buffer.from(text))
const json = (value: unknown) => JSON.stringify(value)
const TWO = ['192.178.4.0/27', '2001:4860:4801:10:0:0:0:0/64']

describe('a list is read from', () => {
  test.each([
    [
      'the prefixes of most vendors',
      json({
        creationTime: 'x',
        prefixes: [{ ipv6Prefix: '2001:4860:4801:10::/64' }, { ipv4Prefix: '192.178.4.0/27' }],
      }),
    ],
    [
      'AWS',
      json({
        prefixes: [{ ip_prefix: '192.178.4.0/27', service: 'X' }],
        ipv6_prefixes: [{ ipv6_prefix: '2001:4860:4801:10::/64' }],
      }),
    ],
    ['Fastly', json({ addresses: ['192.178.4.0/27'], ipv6_addresses: ['2001:4860:4801:10::/64'] })],
    ['an aggregator', json({ subnets: { ipv4: ['192.178.4.0/27'], ipv6: ['2001:4860:4801:10::/64'] } })],
    ['a plain array', json(['192.178.4.0/27', '2001:4860:4801:10::/64', '192.178.4.0/27'])],
    ['lines', '# crawlers\r\n192.178.4.0/27 ; old\r\n\r\n2001:4860:4801:10::/64\r\n'],
    ['CSV with a header', 'prefix,country,city\n192.178.4.0/27,US,\n"2001:4860:4801:10::/64",US,X\n'],
    ['CSV without', '192.178.4.0/27,US\n2001:4860:4801:10::/64,US\n'],
    [
      'a page that holds JSON',
      `<!DOCTYPE html><html><head><title>1.2.3.4</title></head><body><script>var v = "9.9.9.9"</script><pre>{&quot;creationTime&quot;: &quot;2026-04-30&quot;, &quot;prefixes&quot;: [ {&quot;ipv4Prefix&quot;: &quot;192.178.4.0/27&quot;}, {&quot;ipv6Prefix&quot;:&quot;2001:4860:4801:10::/64&quot;} ] }</pre></body>`,
    ],
    [
      'the text of a page',
      '<html><body><style>a{b:1.1.1.1}</style><p>We come from <code>192.178.4.0/27</code> and 2001:4860:4801:10::/64, version 1.2.3.4.5, not 10.0.0.1.</p></body>',
    ],
    [
      'JSON with zero-width characters',
      `\ufeff{"pref\u200bixes": [{"ipv4Prefix": "192.178.4.0/27\u200b"}, {"ipv6Prefix": "2001:4860:4801:10::/64"}]}`,
    ],
    ['addresses with bits behind their length', '192.178.4.9/27\n2001:4860:4801:10::9/64'],
  ])('%s', (_what, text) => expect(read(text).prefixes).toEqual(TWO))

  test('single addresses', () =>
    expect(read('20.1.2.3\n2a00::1').prefixes).toEqual(['20.1.2.3/32', '2a00:0:0:0:0:0:0:1/128']))
})

test('the hash is of the networks: order and date do not change it', () => {
  const one = read(
    json({
      creationTime: '2026-08-17T14:46:48.000000',
      prefixes: [{ ipv4Prefix: '20.1.2.0/24' }, { ipv4Prefix: '4.5.6.0/24' }],
    }),
  )
  const other = read('4.5.6.0/24\n20.1.2.0/24')
  expect(one.sha256).toBe(other.sha256)
  expect(one.sha256).toBe(createHash('sha256').update('20.1.2.0/24\n4.5.6.0/24').digest('hex'))
  expect([one.published_at, other.published_at]).toEqual([Date.parse('2026-08-17T14:46:48Z'), null])
})

test.each([
  ['2026-08-18T23:56:36Z', '2026-08-18T23:56:36Z'],
  ['2026-04-30T00:00:00.000000+02:00', '2026-04-29T22:00:00Z'],
  ['2026-08-14T20:03:38.055838', '2026-08-14T20:03:38.055Z'],
])('the date %s', (creationTime, instant) => {
  expect(read(json({ creationTime, prefixes: ['20.1.2.3'] })).published_at).toBe(Date.parse(instant))
})

test('the aggregate of an autonomous system says so', () => {
  expect(read(json({ asn: 32934, subnets: { ipv4: ['31.13.24.0/21'] } })).is_whole_as).toBe(true)
  expect(read(json({ authoritative: false, prefixes: [{ ipv4Prefix: '31.13.24.0/21' }] })).is_whole_as).toBe(true)
  expect(read(json({ authoritative: true, prefixes: [{ ipv4Prefix: '31.13.24.0/21' }] })).is_whole_as).toBe(false)
})

describe('refused, with the reason:', () => {
  test.each([
    ['nothing', '', /is empty/],
    ['blanks', ' \n', /is empty/],
    ['no JSON', '{"prefixes": [', /begins like JSON/],
    ['JSON of another kind', json({ error: 'not found' }), /no field such as "prefixes"/],
    ['an empty list', json({ prefixes: [] }), /contains no address/],
    ['an entry without a network', json({ prefixes: [{ region: 'x' }] }), /names no network/],
    ['a wrong network', json({ prefixes: [{ ipv4Prefix: '1.2.3.4/33' }] }), /"1.2.3.4\/33" is neither/],
    ['a text', 'Access denied', /"Access denied" is neither/],
    ['a page without addresses', '<html><body>Moved</body></html>', /contains no address/],
    ['the whole internet', '0.0.0.0/0', /far too wide/],
    ['a whole /8', json({ prefixes: [{ ipv4Prefix: '17.0.0.0/8' }] }), /far too wide/],
    ['the whole of IPv6', '::/0', /far too wide/],
    [
      'half of the internet in pieces',
      Array.from({ length: 40 }, (_, index) => `${index + 20}.0.0.0/9`).join('\n'),
      /more than a whole \/8/,
    ],
  ])('%s', (_what, text, reason) => {
    expect(() => read(text)).toThrow(Refusal)
    expect(() => read(text)).toThrow(reason)
  })
})
