import { describe, expect, test } from 'vitest'
import { readConfig } from '#config.ts'
import { addressesIn, isNeverPermitted, isPermitted } from '#outgoing/addresses.ts'

const { allow_networks: nothing } = readConfig({})
const everything = readConfig({ SPOOR_ALLOW_NETWORKS: '0.0.0.0/0,::/0' }).allow_networks

describe('without permission', () => {
  test.each([
    ...['93.184.216.34', '8.8.8.8', '100.63.255.255', '100.128.0.1', '172.15.255.255', '172.32.0.1', '223.255.255.255'],
    ...['2606:4700::6810:84e5', '2a00:1450:4001:80b::200e', '2001:4860:4860::8888'],
  ])('the public address %s is asked', (address) => {
    expect(isPermitted(address, nothing)).toBe(true)
  })

  test.each([
    ...['0.0.0.0', '0.1.2.3', '10.1.2.3', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.255.255.255'],
    ...['169.254.1.1', '172.16.0.1', '172.31.255.255', '192.0.0.8', '192.0.2.1', '192.168.1.1', '198.18.0.1'],
    ...['198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
    ...['::', '::1', 'fe80::1', 'fec0::1', 'fc00::1', 'fd12:3456::1', 'ff02::1', '2001:db8::1', '3fff::1', '100::1'],
    ...[
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '::ffff:7f00:1',
      '0:0:0:0:0:ffff:a00:1',
      '::127.0.0.1',
      '::ffff:0:127.0.0.1',
    ],
    ...['64:ff9b::7f00:1', '64:ff9b:1::a00:1', '2002:7f00:1::1', '2002:a00:1::', '2001:0:4136:e378::', 'fe80::1%eth0'],
    ...['2a00:1450::5efe:a00:1', '2a00:1450::200:5efe:7f00:1', 'localhost', ''],
    // Addresses that ipaddr.js calls unicast, and spellings that only it takes for an address.
    ...['::7f00:1', '100:0:0:1::1', '168.63.129.16', '127.1', '0x7f.1', '0177.0.0.1', '2130706433', '0', 'garbage'],
  ])('%s is not', (address) => {
    expect(isPermitted(address, nothing)).toBe(false)
  })
})

describe('with permission for every network', () => {
  test.each(['10.0.0.1', '127.0.0.1', '::1', 'fd12::1', '64:ff9b::808:808', '::ffff:10.0.0.1', '2002:a00:1::1'])(
    '%s is asked',
    (address) => {
      expect(isPermitted(address, everything)).toBe(true)
    },
  )

  test.each([
    ...['169.254.169.254', '169.254.170.2', '168.63.129.16', '100.100.100.200', '192.0.0.192', '0.0.0.0', '224.0.0.1'],
    ...[
      'fd00:ec2::254',
      'fd00:ec2:0::23',
      'fd20:ce::254',
      '::',
      'ff02::1',
      '::ffff:169.254.169.254',
      '64:ff9b::a9fe:a9fe',
    ],
    ...['2002:a9fe:a9fe::1', '2001:0:a9fe:a9fe::1', '2001:0:1:2:0:0:5601:5601', '::a9fe:a9fe', 'fe80::a9fe:a9fe'],
  ])('%s is still not', (address) => {
    expect(isNeverPermitted(address)).toBe(true)
    expect(isPermitted(address, everything)).toBe(false)
  })
})

test('an allowed prefix that carries IPv4 opens no IPv4 network', () => {
  const nat64 = readConfig({ SPOOR_ALLOW_NETWORKS: '64:ff9b::/96' }).allow_networks
  expect(isPermitted('64:ff9b::808:808', nat64)).toBe(true)
  expect(isPermitted('64:ff9b::a00:1', nat64)).toBe(false)
})

test('both addresses of Teredo are seen, the client’s inverted', () => {
  expect(addressesIn('2001:0:4136:e378:8000:63bf:3fff:fdd2')).toEqual([
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '65.54.227.120',
    '192.0.2.45',
  ])
})
