import { describe, expect, test } from 'vitest'
import { readConfig } from '#config.ts'
import { clientAddress, clientNetwork } from '#surfaces/http/client-address.ts'

const trusting = (list?: string) =>
  readConfig(list === undefined ? {} : { SPOOR_TRUSTED_PROXIES: list }).trusted_proxies
const EDGE = '127.0.0.0/8, ::1, 10.0.0.0/8, 2001:db8:1::/48'

describe('the client address (rules 4, 6)', () => {
  test.each<[name: string, peer: string, forwarded: string | undefined, client: string]>([
    ['nothing forwarded: the peer', '203.0.113.9', undefined, '203.0.113.9'],
    ['a peer that is not a declared proxy is not believed', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['the one entry of a trusted peer', '127.0.0.1', '203.0.113.9', '203.0.113.9'],
    [
      'the right-most one that is not trusted, not what a stranger wrote before it',
      '10.1.2.3',
      '192.0.2.1, 203.0.113.9',
      '203.0.113.9',
    ],
    ['across two trusted hops', '10.1.2.3', '192.0.2.1, 203.0.113.9, 10.9.9.9', '203.0.113.9'],
    ['all of them trusted: the furthest', '10.1.2.3', '10.4.4.4,10.9.9.9', '10.4.4.4'],
    ['an entry that is not an address names nobody', '10.1.2.3', '203.0.113.9, unknown', '10.1.2.3'],
    ['nor does what stands left of it', '10.1.2.3', '203.0.113.9, _hidden, 10.9.9.9', '10.9.9.9'],
    ['an empty header', '127.0.0.1', '', '127.0.0.1'],
    ['IPv4 inside an IPv6 peer', '::ffff:127.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['IPv4 inside IPv6 that is not trusted', '::ffff:203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['a trusted IPv6 network', '2001:db8:1::5', '2001:DB8:2:0::7', '2001:db8:2::7'],
    ['a port', '127.0.0.1', '203.0.113.9:4711', '203.0.113.9'],
    ['brackets and a port', '127.0.0.1', '"[2001:db8:2::7]:4711"', '2001:db8:2::7'],
    ['a zone is of no meaning elsewhere', 'fe80::1%eth0', undefined, 'fe80::1'],
    ['no peer any more', '', '203.0.113.9', ''],
  ])('%s', (_name, peer, forwarded, client) => {
    expect(clientAddress(peer, forwarded, trusting(EDGE))).toBe(client)
  })

  test('loopback is trusted by default, and `none` trusts no proxy', () => {
    for (const peer of ['127.0.0.1', '127.9.9.9', '::1']) {
      expect(clientAddress(peer, '203.0.113.9', trusting())).toBe('203.0.113.9')
      expect(clientAddress(peer, '203.0.113.9', trusting('none'))).toBe(peer)
    }
    expect(clientAddress('10.0.0.1', '203.0.113.9', trusting())).toBe('10.0.0.1')
  })

  test('IPv6 clients are distinguished by network, IPv4 ones by address', () => {
    expect(clientNetwork('203.0.113.9')).toBe('203.0.113.9')
    expect(clientNetwork('2001:db8:2:3:4:5:6:7')).toBe('2001:db8:2:3::/64')
    expect(clientNetwork('2001:db8::7')).toBe('2001:db8:0:0::/64')
    expect(clientNetwork('::1')).toBe('0:0:0:0::/64')
    expect(clientNetwork('')).toBe('')
  })
})

describe('SPOOR_TRUSTED_PROXIES and SPOOR_PUBLIC_URL', () => {
  test.each([
    'proxy.example.com',
    '10.0.0.0/33',
    '::1/129',
    '10.0.0.1,,10.0.0.2',
    '10.0.0.0/',
    '10.0.0.0/-1',
    'fe80::1%eth0',
  ])('the proxy list %j is refused by name', (list) => {
    expect(() => trusting(list)).toThrow(/environment variable SPOOR_TRUSTED_PROXIES is .*not an address or network/)
  })

  test.each([
    'spoor.example.com',
    'ftp://spoor.example.com',
    'https://spoor.example.com/path',
    'https://a@b',
    'https://:0x',
  ])('the public URL %j is refused by name', (url) => {
    expect(() => readConfig({ SPOOR_PUBLIC_URL: url })).toThrow(/environment variable SPOOR_PUBLIC_URL is /)
  })

  test('a public URL is kept as a browser writes an origin', () => {
    expect(readConfig({ SPOOR_PUBLIC_URL: 'https://Spoor.Example.com:443' }).public_url).toBe(
      'https://spoor.example.com',
    )
    expect(readConfig({}).public_url).toBeNull()
  })
})
