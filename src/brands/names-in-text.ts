/** Whether a text names a brand, as far as the kind of a question depends on it (account API 2.1). */

/** Scripts written without spaces: a name in them needs no boundary (account API 4). */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u
const WORD = /[\p{L}\p{N}\p{M}_]/u

/**
 * True when one of the names stands in the text as words of their own; compatibility forms and case make no
 * difference.
 */
export function isNamedIn(text: string, names: readonly string[]): boolean {
  const folded = foldText(text)
  return names.some((name) => hasName(folded, foldText(name)))
}

/** The form in which texts and names are compared: NFKC, without case. */
export const foldText = (text: string): string => text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')

function hasName(text: string, name: string): boolean {
  if (name === '') return false
  const needs_boundary = !UNSPACED.test(name)
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const before = [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? ''
    const after = String.fromCodePoint(text.codePointAt(at + name.length) ?? 0x20)
    if (!needs_boundary || !(WORD.test(before) || WORD.test(after))) return true
  }
  return false
}
