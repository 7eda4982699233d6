import { expect, test } from 'vitest'
import { KeptValues } from '#derived/kept-values.ts'

test('the least recently used values make room for new ones', () => {
  const kept = new KeptValues(100)
  kept.set('a', 'A', 40)
  kept.set('b', 'B', 40)
  expect(kept.get('a')).toBe('A')
  kept.set('c', 'C', 40)
  expect([kept.get('a'), kept.get('b'), kept.get('c')]).toEqual(['A', undefined, 'C'])
  expect(kept.bytes).toBe(80)
})

test('a value replaces the one with the same key, and a value that is too large is not kept', () => {
  const kept = new KeptValues(100)
  kept.set('a', 'A', 60)
  kept.set('a', 'AA', 90)
  expect([kept.get('a'), kept.bytes]).toEqual(['AA', 90])
  kept.set('b', 'B', 101)
  expect([kept.get('a'), kept.get('b')]).toEqual(['AA', undefined])
  kept.set('a', 'AAA', 101)
  expect([kept.get('a'), kept.bytes]).toEqual([undefined, 0])
})

test('those who ask for the same wait for one read, whose value is kept unless it is outdated by then', async () => {
  const kept = new KeptValues(100)
  let reads = 0
  const recall = (key: string, isStillSo: boolean) =>
    kept.recall(key, { read: async () => ++reads, bytesOf: () => 10, isStillSo: async () => isStillSo })
  expect(await Promise.all([recall('a', true), recall('a', true), recall('a', true)])).toEqual([1, 1, 1])
  expect(await recall('a', true)).toBe(1)
  expect(await recall('b', false)).toBe(2)
  expect(await recall('b', true)).toBe(3)
})

test('a read that fails is repeated by the next caller', async () => {
  const kept = new KeptValues(100)
  const of = { bytesOf: () => 10, isStillSo: async () => true }
  const broken = () => kept.recall('a', { ...of, read: () => Promise.reject(new Error('busy')) })
  await expect(Promise.all([broken(), broken()])).rejects.toThrow('busy')
  expect(await kept.recall('a', { ...of, read: async () => 'A' })).toBe('A')
})

test('of a key one version is kept, and each version is read once at a time', async () => {
  const kept = new KeptValues(100)
  const asked: string[] = []
  const recall = (version: string) =>
    kept.recall('a', {
      version,
      read: async () => asked.push(version),
      bytesOf: () => 10,
      isStillSo: async () => true,
    })
  expect(await Promise.all([recall('one'), recall('one'), recall('two')])).toEqual([1, 1, 2])
  expect(await recall('two')).toBe(2)
  expect(await recall('one')).toBe(3)
  expect([asked, kept.bytes]).toEqual([['one', 'two', 'one'], 10])
})
