import { BlockList } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyAddress, parseAddress } from '#crawlers/identity/address.ts'
import { rangesOf, readPrefix } from '#crawlers/identity/address-ranges.ts'
import { indexLists } from '#crawlers/identity/list-index.ts'

const canonical = (text: string) => {
  const prefix = readPrefix(text)
  if (prefix === null) throw new Error(`${text} is not a prefix`)
  return prefix.text
}

function find(lists: readonly (readonly string[])[], text: string): readonly number[] {
  const address = emptyAddress()
  if (!parseAddress(text, address)) throw new Error(`${text} is not an address`)
  const index = indexLists(lists.map((list) => rangesOf(list.map(canonical))))
  return index.sets[index.find(address)] as readonly number[]
}

/** The naive way: every list asked by itself. */
function naively(lists: readonly (readonly string[])[], text: string): number[] {
  const family = text.includes(':') ? 'ipv6' : 'ipv4'
  return lists.flatMap((list, at) => {
    const block = new BlockList()
    for (const prefix of list) {
      const [address = '', bits] = canonical(prefix).split('/')
      if (address.includes(':') === (family === 'ipv6')) block.addSubnet(address, Number(bits), family)
    }
    return block.check(text, family) ? [at] : []
  })
}

// Few distinct bits, so that ranges meet, nest and repeat.
const octet = fc.constantFrom(0, 1, 127, 128, 254, 255)
const v4 = fc.tuple(octet, octet, octet, octet).map((octets) => octets.join('.'))
const group = fc.constantFrom('0', '1', '7fff', '8000', 'ffff')
const v6 = fc.array(group, { minLength: 8, maxLength: 8 }).map((groups) => `2001:${groups.slice(1).join(':')}`)
const prefix = fc.oneof(
  fc.tuple(v4, fc.integer({ min: 0, max: 32 })).map(([address, bits]) => `${address}/${bits}`),
  fc.tuple(v6, fc.integer({ min: 0, max: 128 })).map(([address, bits]) => `${address}/${bits}`),
)

describe('the index over all lists', () => {
  test('finds what a naive search of each list finds', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(prefix, { maxLength: 12 }), { minLength: 1, maxLength: 6 }),
        fc.array(fc.oneof(v4, v6), { minLength: 1, maxLength: 20 }),
        (lists, addresses) => {
          for (const address of addresses) expect(find(lists, address)).toEqual(naively(lists, address))
        },
      ),
      { numRuns: 500 },
    )
  })

  test.each([
    ['0.0.0.0', [0]],
    ['255.255.255.255', [0]],
    ['9.255.255.255', [0]],
    ['10.0.0.0', [0, 1]],
    ['10.255.255.255', [0, 1]],
    ['11.0.0.0', [0]],
    ['::', [2]],
    ['ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', [2]],
  ])('knows the edges: %s', (address, lists) => {
    expect(find([['0.0.0.0/0'], ['10.0.0.0/8', '10.0.0.0/8', '10.1.0.0/16'], ['::/0']], address)).toEqual(lists)
  })
})
