/** Things that are told once and then named by number: both sides always mean the same (intake/http/told.ts). */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Hearer, Teller } from '#intake/http/told.ts'

const MOST = 5

test('whatever is told in whatever order is heard as it was meant, and in full once only while it is remembered', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']
  fc.assert(
    fc.property(fc.array(fc.uniqueArray(fc.constantFrom(...names), { maxLength: 4 })), (batches) => {
      const things = new Map(names.map((name) => [name, { name }]))
      const teller = new Teller<{ name: string }>(MOST)
      const hearer = new Hearer<{ text: string }>()
      const known = new Map<string, { text: string }>()
      for (const batch of batches) {
        const told = teller.tell(new Set(batch.map((name) => things.get(name) as { name: string })), ({ name }) => name)
        const heard = hearer.hear(structuredClone(told), (text) => ({ text }))
        expect(heard.map(({ text }) => text)).toEqual(batch)
        for (const one of heard) {
          if (!told.fresh.includes(one.text)) expect(one).toBe(known.get(one.text))
          known.set(one.text, one)
        }
      }
    }),
  )
})
