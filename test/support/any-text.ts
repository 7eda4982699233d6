/** Random text of any characters. */
import fc from 'fast-check'

const SURROGATES = { from: 0xd800, count: 0x800 }
const LAST = 0x10ffff

/**
 * One character of Unicode, assigned or not, and no half of a surrogate pair. The `unit: 'binary'` of fast-check means
 * the same, but keeps a map of all 1.1 million of them in each process: a second of work, and 80 MB that every
 * collection of garbage goes through.
 */
const character = fc.integer({ min: 0, max: LAST - SURROGATES.count }).map(
  (number) => String.fromCodePoint(number < SURROGATES.from ? number : number + SURROGATES.count),
  (text) => {
    if (typeof text !== 'string' || [...text].length !== 1 || !text.isWellFormed()) throw new Error('not a character')
    const point = text.codePointAt(0) as number
    return point < SURROGATES.from ? point : point - SURROGATES.count
  },
)

/** Text of any characters; the lengths count characters. */
export function anyText(lengths: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ unit: character, ...lengths })
}
