import { describe, expect, test } from 'vitest'
import { Refusal } from '#refusal.ts'
import { belongsTo, normalizeHost, rootDomain } from '#sites/root-domain.ts'

describe('hosts', () => {
  test.each([
    ['Example.COM', 'example.com'],
    ['www.example.com:8443', 'www.example.com'],
    ['example.com.', 'example.com'],
    ['example.com.:80', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
    ['my_host.example.com', 'my_host.example.com'],
    ['backend', 'backend'],
  ])('%s is %s', (text, host) => {
    expect(normalizeHost(text)).toBe(host)
  })

  test.each([
    '',
    '-',
    '_',
    '.',
    ':80',
    '192.0.2.1',
    '192.0.2.1:80',
    '2130706433',
    '0x7f.1',
    '2001:db8::1',
    '[2001:db8::1]:443',
    'localhost',
    'LOCALHOST:3000',
    'app.localhost',
    'a..b',
    '-a.example.com',
    'a b.example.com',
    'exa"mple.com',
    `${'a'.repeat(64)}.example.com`,
    `${'a.'.repeat(130)}example.com`,
  ])('%j is not a host', (text) => {
    expect(normalizeHost(text)).toBeNull()
  })
})

describe('root domains', () => {
  test.each([
    ['example.com', 'example.com'],
    ['https://www.Example.com/path?q=1#x', 'example.com'],
    ['http://me:secret@example.com:8080', 'example.com'],
    ['//www.example.co.uk.', 'example.co.uk'],
    ['blog.example.com', 'blog.example.com'],
    ['www.bücher.example', 'xn--bcher-kva.example'],
    ['someone.github.io', 'someone.github.io'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['https://www.XN--I-7IQ.ws:65535/', 'xn--i-7iq.ws'],
    ['www.com', 'www.com'],
    ['  example.test ', 'example.test'],
  ])('%s is %s', (text, domain) => {
    expect(rootDomain(text)).toBe(domain)
  })

  const characters = 'a domain name holds only letters, digits, dots and inner hyphens'
  const address = 'it is an IP address, and a site is known by its name'
  const port = 'its port is above 65535, the highest there is'
  const encoding = 'what follows its xn-- does not stand for letters of a name'
  const suffix = 'it is a public suffix that many owners share, not the domain of one'
  test.each([
    ['', 'it names no host'],
    ['https://', 'it names no host'],
    ['/path', 'it names no host'],
    ['example', 'it has no ending such as .com'],
    ['localhost', 'it is a name of the machine itself'],
    ['http://app.localhost:3000/', 'it is a name of the machine itself'],
    ['192.0.2.1', address],
    ['192.0.2.1:8080', address],
    ['2001:db8::1', address],
    ['http://[2001:db8::1]/', address],
    ['example.123', 'its ending is a number'],
    ['com', suffix],
    ['COM.', suffix],
    ['co.uk', suffix],
    ['github.io', suffix],
    ['my_shop.com', characters],
    ['a b', characters],
    ['-x.com', characters],
    ['example.com, example.org', characters],
    ['example.com:65536', port],
    ['https://example.com:99999/', port],
    ['example.com:123456', port],
    ['xn--zz.de', encoding],
    ['shop.xn--zz.de', encoding],
    ['xn--a.de', encoding],
    ['xn--bcher-kva.xn--zz.de', encoding],
    ['*.example.com', 'it is a pattern, and subdomains belong to a site without one'],
    ['example..com', 'a part between its dots is empty'],
    ['.example.com', 'a part between its dots is empty'],
    [`${'a'.repeat(64)}.com`, 'it is too long: 63 characters a part and 253 in all are allowed'],
  ])('%j is refused with the reason and what is allowed', (text, reason) => {
    expect(() => rootDomain(text)).toThrow(Refusal)
    expect(() => rootDomain(text)).toThrow(
      `"${text}" cannot be used as a domain: ${reason}; give a domain such as example.com`,
    )
  })

  test('a host belongs to its own domain and those above it, never to one that only ends with the same letters', () => {
    expect(belongsTo('example.com', 'example.com')).toBe(true)
    expect(belongsTo('a.b.example.com', 'example.com')).toBe(true)
    expect(belongsTo('notexample.com', 'example.com')).toBe(false)
    expect(belongsTo('example.com.evil.test', 'example.com')).toBe(false)
    expect(belongsTo('com', 'example.com')).toBe(false)
  })
})
