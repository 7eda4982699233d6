import { expect, test } from 'vitest'
import { ValueCache } from '#derived/value-cache.ts'

test('the least recently used values make room for new ones', () => {
  const cache = new ValueCache(100)
  cache.set('a', 'A', 40)
  cache.set('b', 'B', 40)
  expect(cache.get('a')).toBe('A')
  cache.set('c', 'C', 40)
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['A', undefined, 'C'])
  expect(cache.bytes).toBe(80)
})

test('a value replaces the one with the same key, and a value that is too large is not cached', () => {
  const cache = new ValueCache(100)
  cache.set('a', 'A', 60)
  cache.set('a', 'AA', 90)
  expect([cache.get('a'), cache.bytes]).toEqual(['AA', 90])
  cache.set('b', 'B', 101)
  expect([cache.get('a'), cache.get('b')]).toEqual(['AA', undefined])
  cache.set('a', 'AAA', 101)
  expect([cache.get('a'), cache.bytes]).toEqual([undefined, 0])
})

test('concurrent calls for one key share one read, whose value is cached unless it is outdated by then', async () => {
  const cache = new ValueCache(100)
  let reads = 0
  const read = (key: string, isStillValid: boolean) =>
    cache.getOrRead(key, { read: async () => ++reads, bytesOf: () => 10, isStillValid: async () => isStillValid })
  expect(await Promise.all([read('a', true), read('a', true), read('a', true)])).toEqual([1, 1, 1])
  expect(await read('a', true)).toBe(1)
  expect(await read('b', false)).toBe(2)
  expect(await read('b', true)).toBe(3)
})

test('a read that fails is repeated by the next caller', async () => {
  const cache = new ValueCache(100)
  const of = { bytesOf: () => 10, isStillValid: async () => true }
  const broken = () => cache.getOrRead('a', { ...of, read: () => Promise.reject(new Error('busy')) })
  await expect(Promise.all([broken(), broken()])).rejects.toThrow('busy')
  expect(await cache.getOrRead('a', { ...of, read: async () => 'A' })).toBe('A')
})

test('one version of a key is cached, and each version is read once at a time', async () => {
  const cache = new ValueCache(100)
  const asked: string[] = []
  const read = (version: string) =>
    cache.getOrRead('a', {
      version,
      read: async () => asked.push(version),
      bytesOf: () => 10,
      isStillValid: async () => true,
    })
  expect(await Promise.all([read('one'), read('one'), read('two')])).toEqual([1, 1, 2])
  expect(await read('two')).toBe(2)
  expect(await read('one')).toBe(3)
  expect([asked, cache.bytes]).toEqual([['one', 'two', 'one'], 10])
})
