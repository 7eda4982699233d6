import { expect, test } from 'vitest'
import { isNameEdge } from '#brands/mentions/boundaries.ts'

/**
 * Characters of each class of UAX 29 that can stand beside a name; apostrophes, hyphens, underscores and Hangul have
 * rules of our own.
 */
const CHARACTERS = [
  ...'aZ9é.,:;·!ñЖδשא״٣ب\u0301\u00ad\u200b\n(/＿｡０Ａ²½ªʼ՟٬\u2024',
  ...['\u{1F3FB}', '𝐀', '\u{10000}', 'ﬁ'],
]

test('words begin and end where UAX 29 says, as the Unicode library judges it', () => {
  const segmenter = new Intl.Segmenter('en', { granularity: 'word' })
  let seed = 7
  const below = (count: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % count
  }
  const wrong: string[] = []
  for (let round = 0; round < 10_000; round++) {
    const characters = Array.from({ length: 2 + below(6) }, () => CHARACTERS[below(CHARACTERS.length)] as string)
    const text = characters.join('')
    const boundaries = new Set([...segmenter.segment(text)].map(({ index }) => index)).add(text.length)
    let at = 0
    for (const character of ['', ...characters]) {
      at += character.length
      if (isNameEdge(text, at) !== boundaries.has(at)) wrong.push(`${JSON.stringify(text)} at ${at}`)
    }
  }
  expect(wrong).toEqual([])
})

test.each(["a'b", 'a’b', 'a-b'])('%j has a boundary on both sides of its middle', (text) => {
  expect([isNameEdge(text, 1), isNameEdge(text, 2)]).toEqual([true, true])
})

test.each([
  ['_a_', 1, true],
  ['__a__', 2, true],
  ['x_a', 2, false],
  ['a_x', 1, false],
])('underscores of %j at %i are emphasis: %s', (text, at, expected) => {
  expect(isNameEdge(text, at)).toBe(expected)
})
