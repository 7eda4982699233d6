/** Things that are sent once and then named by number: both sides always mean the same (intake/batches/numbered.ts). */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NumberDecoder, NumberEncoder } from '#intake/batches/numbered.ts'

const lengthOf = ({ name }: { name: string }) => name.length
const LIMITS = { values: 5, characters: 100, lengthOf }

test('everything sent in any order is decoded correctly, and in full only once while it is remembered', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']
  fc.assert(
    fc.property(fc.array(fc.uniqueArray(fc.constantFrom(...names), { maxLength: 4 })), (batches) => {
      const things = new Map(names.map((name) => [name, { name }]))
      const encoder = new NumberEncoder<{ name: string }>(LIMITS)
      const decoder = new NumberDecoder<{ text: string }>()
      const known = new Map<string, { text: string }>()
      for (const batch of batches) {
        const reported = encoder.encode(
          new Set(batch.map((name) => things.get(name) as { name: string })),
          ({ name }) => name,
        )
        const decoded = decoder.decode(structuredClone(reported), (text) => ({ text }))
        expect(decoded.map(({ text }) => text)).toEqual(batch)
        for (const one of decoded) {
          if (!reported.fresh.includes(one.text)) expect(one).toBe(known.get(one.text))
          known.set(one.text, one)
        }
      }
    }),
  )
})

const report = (encoder: NumberEncoder<{ name: string }>, ...names: string[]) =>
  encoder.encode(new Set(names.map((name) => ({ name }))), ({ name }) => name)

test('a few long values are too many as well', () => {
  const encoder = new NumberEncoder({ values: 5, characters: 10, lengthOf })
  expect(report(encoder, 'a'.repeat(9)).edition).toBe(0)
  expect(report(encoder, 'b').edition).toBe(0)
  expect(report(encoder, 'c').edition).toBe(1)
  expect(report(encoder, 'd').edition).toBe(1)
})

test('after a message that did not arrive, the next one is decoded correctly', () => {
  const encoder = new NumberEncoder(LIMITS)
  const decoder = new NumberDecoder<string>()
  decoder.decode(report(encoder, 'a'), (name) => name)
  report(encoder, 'lost')
  encoder.reset()
  expect(decoder.decode(report(encoder, 'b', 'c'), (name) => name)).toEqual(['b', 'c'])
})
