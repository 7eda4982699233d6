import { isIP } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addressText,
  emptyAddress,
  isPrivate,
  isTruncated,
  parseAddress,
  parseV4Bytes,
} from '#crawlers/identity/address.ts'

const parsed = (text: string) => {
  const address = emptyAddress()
  return parseAddress(text, address) ? addressText(address) : null
}
const judged = (text: string, of: (address: ReturnType<typeof emptyAddress>) => boolean) => {
  const address = emptyAddress()
  if (!parseAddress(text, address)) throw new Error(`${text} is not an address`)
  return of(address)
}

describe('an address', () => {
  test.each([
    ['66.249.66.1', '66.249.66.1'],
    ['66.249.66.1:4711', '66.249.66.1'],
    ['255.255.255.255', '255.255.255.255'],
    ['2001:4860:4801::1', '2001:4860:4801:0:0:0:0:1'],
    ['2001:4860:4801:0:0:0:0:1', '2001:4860:4801:0:0:0:0:1'],
    ['[2001:db8::7]:443', '2001:db8:0:0:0:0:0:7'],
    ['::ffff:66.249.66.1', '66.249.66.1'],
    ['::FFFF:42f9:4201', '66.249.66.1'],
    ['::', '0:0:0:0:0:0:0:0'],
    ['1::', '1:0:0:0:0:0:0:0'],
  ])('%s is %s', (text, canonical) => expect(parsed(text)).toBe(canonical))

  test.each([
    ...['', '-', 'unknown', 'crawl.example.com', '1.2.3', '1.2.3.4.5', '1.2.3.256', '01.2.3.4', '1.2.3.xxx', '1..2.3'],
    ...[
      '1.2.3.4:',
      ':::',
      '1:2:3:4:5:6:7',
      '1::2::3',
      '12345::',
      '1:2:3:4:5:6:7:8:9',
      'fe80::1%eth0',
      '[1.2.3.4',
      '1:',
    ],
  ])('%s is none', (text) => expect(parsed(text)).toBeNull())

  test('of IPv4 alone is read from bytes as from text', () => {
    const almost = fc.stringMatching(/^[0-9.]{0,15}$/)
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), almost), fc.string(), (text, before) => {
        const address = emptyAddress()
        const bytes = Buffer.from(`${before}${text} -`)
        const start = Buffer.byteLength(before)
        const is_one = parseV4Bytes(bytes, start, start + text.length, address)
        expect(is_one ? addressText(address) : null).toBe(parsed(text))
        expect(parseV4Bytes(bytes, start, bytes.length, address)).toBe(false)
      }),
    )
  })

  test('of any family is read as the platform reads it', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        expect(isIP(text)).not.toBe(0)
        const canonical = parsed(text)
        expect(canonical).not.toBeNull()
        expect(parsed(canonical as string)).toBe(canonical)
      }),
      { numRuns: 2_000 },
    )
  })

  test.each([
    '10.1.2.3',
    '172.31.9.9',
    '192.168.0.7',
    '127.0.0.1',
    '169.254.1.1',
    '100.64.3.3',
    '0.1.2.3',
    '224.0.0.9',
    '255.1.1.1',
    '::1',
    'fe80::1',
    'fc00::7',
    'fd12::7',
    'ff02::1',
    '64:ff9b::808:808',
    '2002:808:808::1',
  ])('%s is not a public client', (text) => expect(judged(text, isPrivate)).toBe(true))
  test.each(['66.249.66.1', '172.32.0.1', '100.128.0.1', '198.20.0.1', '203.0.113.7', '2001:4860::1', '2a04:4e40::9'])(
    '%s is public',
    (text) => expect(judged(text, isPrivate)).toBe(false),
  )
  test.each(['66.249.66.0', '66.249.0.0', '2001:4860:4801:7::', '2001:4860::'])('%s looks cut', (text) =>
    expect(judged(text, isTruncated)).toBe(true),
  )
  test.each(['66.249.66.10', '2001:4860::1'])('%s is whole', (text) => expect(judged(text, isTruncated)).toBe(false))
})
