import { BlockList, isIP } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isInNetworks, type Network, plainAddress, readAddress, readNetwork } from '#networks.ts'

const address = (text: string) => {
  const read = readAddress(text)
  if (read === null) throw new Error(`${text} is not an address`)
  return read
}
const networks = (...texts: string[]): Network[] =>
  texts.map((text) => {
    const read = readNetwork(text)
    if (read === null) throw new Error(`${text} is not a network`)
    return read
  })

describe('an address', () => {
  test.each(['127.1', '0x7f.0.0.1', '0177.0.0.1', '017700000001', '2130706433', '0', '01.2.3.4', 'fe80::1%eth0', ''])(
    'is refused although ipaddr.js alone would accept it: %j',
    (text) => {
      expect(readAddress(text)).toBeNull()
      expect(readNetwork(`${text}/8`)).toBeNull()
    },
  )

  test('is accepted exactly if the platform accepts it, and keeps its meaning', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const read = address(text)
        expect(read.kind()).toBe(isIP(text) === 4 ? 'ipv4' : 'ipv6')
        expect(address(read.toString()).toByteArray()).toEqual(read.toByteArray())
      }),
    )
  })

  test.each([
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['::192.0.2.1', '::c000:201'],
    ['::ffff:0:192.0.2.1', '::ffff:0:c000:201'],
    ['2001:db8:0:0::7', '2001:db8::7'],
  ])('%s is %s', (text, plain) => expect(plainAddress(address(text)).toString()).toBe(plain))
})

describe('a network', () => {
  test.each(['10.0.0.0/33', '::1/129', '10.0.0.0/', '10.0.0.0/-1', '10.0.0.0/8/8', 'example.com', '/8', ''])(
    'is not %j',
    (text) => expect(readNetwork(text)).toBeNull(),
  )

  test('of IPv4 addresses inside IPv6 is that IPv4 network', () => {
    const inside = networks('::ffff:10.0.0.0/104')
    expect(isInNetworks(address('10.1.2.3'), inside)).toBe(true)
    expect(isInNetworks(address('11.1.2.3'), inside)).toBe(false)
  })

  test.each([
    ['10.0.0.0/8', '10.255.255.255', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['10.0.0.0/8', '::ffff:10.0.0.1', true],
    ['127.0.0.1', '127.0.0.1', true],
    ['127.0.0.1', '127.0.0.2', false],
    ['::1', '::1', true],
    ['::/0', '10.0.0.1', false],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['0.0.0.0/0', '::7f00:1', false],
    ['2001:db8::/33', '2001:db8:7fff::1', true],
    ['2001:db8::/33', '2001:db8:8000::1', false],
  ])('%s holds %s: %j', (network, text, holds) => {
    expect(isInNetworks(address(text), networks(network))).toBe(holds)
  })

  test('contains the same addresses as on the platform, within a family', () => {
    const of = fc.oneof(
      fc.tuple(fc.ipV4(), fc.ipV4(), fc.integer({ min: 0, max: 32 })),
      fc.tuple(fc.ipV6(), fc.ipV6(), fc.integer({ min: 0, max: 128 })),
    )
    fc.assert(
      fc.property(of, ([network, text, bits]) => {
        const family = isIP(network) === 4 ? 'ipv4' : 'ipv6'
        const list = new BlockList()
        list.addSubnet(network, bits, family)
        const held = isInNetworks(address(text), networks(`${network}/${bits}`))
        expect(held).toBe(list.check(text, family))
      }),
    )
  })
})
