import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { covers, mayHoldSuffix, provesSuffix, provingSuffixes } from '#crawlers/identity/host-name-suffixes.ts'
import { confirmNames } from '#crawlers/identity/reverse-dns.ts'
import { readBuiltInRegistry } from '#crawlers/registry/built-in.ts'
import { askNameServers } from '#outgoing/name-servers.ts'
import { type DnsDouble, openDnsDouble, reverseOf } from '../../support/dns-double.ts'
import { makeEntry } from '../registry/make-registry.ts'

let dns: DnsDouble
beforeEach(async () => {
  dns = await openDnsDouble()
})
afterEach(() => dns.close())

const ADDRESS = '66.249.66.1'
const SUFFIXES = ['.googlebot.com', 'google-proxy-*.google.com', '.search.msn.com']
const confirm = (address = ADDRESS) => confirmNames(askNameServers([dns.server]), address, SUFFIXES)
const named = (name: string, ...addresses: string[]) => {
  dns.records.set(reverseOf(ADDRESS), [...(dns.records.get(reverseOf(ADDRESS)) ?? []), name])
  if (addresses.length > 0) dns.records.set(name.toLowerCase(), addresses)
}

describe('the names of an address', () => {
  test('prove a suffix when they lead back to it', async () => {
    named('crawl-66-249-66-1.googlebot.com', '66.249.66.2', ADDRESS)
    expect(await confirm()).toEqual({ suffix: '.googlebot.com' })
    expect(dns.asked).toEqual(['PTR 1.66.249.66.in-addr.arpa', 'A crawl-66-249-66-1.googlebot.com'])
  })

  test('in any case, and of several names any', async () => {
    named('unrelated.example.org')
    named('MSNBot-1.Search.MSN.com', ADDRESS)
    expect(await confirm()).toEqual({ suffix: '.search.msn.com' })
  })

  test('prove nothing if they lead elsewhere, because everyone can give an address such a name', async () => {
    named('crawl-66-249-66-1.googlebot.com', '66.249.66.2')
    expect(await confirm()).toBe('none')
  })

  test('prove nothing when there are none, or the name does not exist', async () => {
    expect(await confirm()).toBe('none')
    named('crawl-66-249-66-1.googlebot.com')
    expect(await confirm()).toBe('none')
  })

  test('under another domain that is confirmed leave that domain, not the name', async () => {
    named('host-66-249-66-1.pool.example.co.uk', ADDRESS)
    expect(await confirm()).toEqual({ suffix: '.example.co.uk' })
  })

  test('of IPv6 are queried by nibbles', async () => {
    const reverse = '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.1.0.8.4.0.6.8.4.1.0.0.2.ip6.arpa'
    dns.records.set(reverse, ['crawl.googlebot.com'])
    dns.records.set('crawl.googlebot.com', ['2001:4860:4801:0:0:0:0:1'])
    expect(await confirm('2001:4860:4801:0:0:0:0:1')).toEqual({ suffix: '.googlebot.com' })
  })

  test('that are not answered are unknown', async () => {
    dns.silent = true
    await expect(confirm()).rejects.toThrow(/ETIMEOUT/)
  })
})

describe('a suffix', () => {
  test.each([
    ['.googlebot.com', 'crawl.googlebot.com', true],
    ['.googlebot.com', 'a.geo.googlebot.com', true],
    ['.googlebot.com', 'googlebot.com', false],
    ['.googlebot.com', 'fakegooglebot.com', false],
    ['.googlebot.com', 'crawl.googlebot.com.evil.example', false],
    ['google-proxy-*.google.com', 'google-proxy-66-249-66-1.google.com', true],
    ['google-proxy-*.google.com', 'google-proxy-.google.com', false],
    ['google-proxy-*.google.com', 'www.google.com', false],
    ['google-proxy-*.google.com', 'google-proxy-1.evil.google.com', false],
  ])('%s covers %s: %s', (suffix, name, covered) => expect(covers(suffix, name)).toBe(covered))

  test('that customers of a cloud can rent, or of a whole top-level domain, proves nothing', () => {
    const rdns_suffixes = ['.googleusercontent.com', '.gae.googleusercontent.com', '.com', '.crawl.example.com']
    const entry = makeEntry('x')
    expect(provingSuffixes({ ...entry, verification: { ...entry.verification, rdns_suffixes } })).toEqual([
      '.crawl.example.com',
    ])
  })

  test('of the shipped registry for Google is what Google documents', () => {
    const registry = readBuiltInRegistry()
    const suffixes = registry.entries.filter((entry) => entry.platform === 'Google').flatMap(provingSuffixes)
    expect([...new Set(suffixes)].sort()).toEqual(['.googlebot.com', 'google-proxy-*.google.com'])
  })

  test('that were stored are compared with the names of a later registry', () => {
    expect(provesSuffix('.crawl.example.com', '.example.com')).toBe(true)
    expect(provesSuffix('google-proxy-*.google.com', '.google.com')).toBe(true)
    expect(provesSuffix('.google.com', 'google-proxy-*.google.com')).toBe(false)
    expect(provesSuffix('.notexample.com', '.example.com')).toBe(false)
    expect(mayHoldSuffix('.google.com', 'google-proxy-*.google.com')).toBe(true)
    expect(mayHoldSuffix('.other.com', '.example.com')).toBe(false)
  })
})
