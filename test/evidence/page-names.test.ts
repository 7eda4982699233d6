import { expect, test } from 'vitest'
import { PageMemory } from '#evidence/page-names.ts'

test('the cache of names is bounded, and short names stay in it longer', () => {
  const rememberedAfter = (pages: number, length: number): boolean => {
    const memory = new PageMemory()
    const first = memory.of('site', 'first')
    for (let at = 0; at < pages; at++) memory.of('site', String(at).padStart(length, '/'))
    return memory.of('site', 'first') === first
  }
  expect(rememberedAfter(16_000, 1_024)).toBe(true)
  expect(rememberedAfter(17_000, 1_024)).toBe(false)
  expect(rememberedAfter(99_000, 100)).toBe(true)
})
