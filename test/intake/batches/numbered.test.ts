/** Things that are told once and then named by number: both sides always mean the same (intake/batches/numbered.ts). */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NumberDecoder, NumberEncoder } from '#intake/batches/numbered.ts'

const lengthOf = ({ name }: { name: string }) => name.length
const MOST = { things: 5, characters: 100, lengthOf }

test('whatever is told in whatever order is heard as it was meant, and in full once only while it is remembered', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']
  fc.assert(
    fc.property(fc.array(fc.uniqueArray(fc.constantFrom(...names), { maxLength: 4 })), (batches) => {
      const things = new Map(names.map((name) => [name, { name }]))
      const teller = new NumberEncoder<{ name: string }>(MOST)
      const hearer = new NumberDecoder<{ text: string }>()
      const known = new Map<string, { text: string }>()
      for (const batch of batches) {
        const told = teller.encode(
          new Set(batch.map((name) => things.get(name) as { name: string })),
          ({ name }) => name,
        )
        const heard = hearer.decode(structuredClone(told), (text) => ({ text }))
        expect(heard.map(({ text }) => text)).toEqual(batch)
        for (const one of heard) {
          if (!told.fresh.includes(one.text)) expect(one).toBe(known.get(one.text))
          known.set(one.text, one)
        }
      }
    }),
  )
})

const tell = (teller: NumberEncoder<{ name: string }>, ...names: string[]) =>
  teller.encode(new Set(names.map((name) => ({ name }))), ({ name }) => name)

test('few long things are too many as well', () => {
  const teller = new NumberEncoder({ things: 5, characters: 10, lengthOf })
  expect(tell(teller, 'a'.repeat(9)).edition).toBe(0)
  expect(tell(teller, 'b').edition).toBe(0)
  expect(tell(teller, 'c').edition).toBe(1)
  expect(tell(teller, 'd').edition).toBe(1)
})

test('after a telling that did not arrive the next one is heard as it was meant', () => {
  const teller = new NumberEncoder(MOST)
  const hearer = new NumberDecoder<string>()
  hearer.decode(tell(teller, 'a'), (name) => name)
  tell(teller, 'lost')
  teller.forget()
  expect(hearer.decode(tell(teller, 'b', 'c'), (name) => name)).toEqual(['b', 'c'])
})
