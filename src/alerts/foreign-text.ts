/**
 * Text that strangers may have written, as alerts show it: short, and without characters that change how a reader sees
 * it (rules 7).
 */

const MAX_CHARACTERS = { excerpt: 120, sentence: 1_000 } as const
/** Control and format characters, bidi marks among them, and separators of lines. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** `sentence`: our own words around an excerpt that was cut before, such as the title of an issue. */
export function quoteStranger(text: string, length: keyof typeof MAX_CHARACTERS = 'excerpt'): string {
  const characters = [...text.toWellFormed().replace(UNSEEN, '')]
  const max = MAX_CHARACTERS[length]
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : characters.join('')
}
