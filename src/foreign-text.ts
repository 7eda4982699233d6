/**
 * Text from outside as messages, titles, prompts and alerts show it: short, and without characters that change how the
 * rest is displayed (rules 7).
 */

export const MAX_EXCERPT_CHARACTERS = 120

/** Control and format characters, direction marks among them, and ends of lines. Joiners stay: scripts need them. */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/gu

/** Replaces each invisible character by `by`. */
export const withoutInvisible = (text: string, by = ''): string => text.toWellFormed().replace(INVISIBLE, by)

/** At most `max` characters, the last an ellipsis where any was cut. */
export function excerpt(text: string, max = MAX_EXCERPT_CHARACTERS): string {
  const characters = [...text.slice(0, 2 * max + 2)]
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : characters.join('')
}

/** A given text as a sentence quotes it. U+FFFD replaces invisible characters, because they may be what is wrong. */
export const quoted = (text: string): string => JSON.stringify(excerpt(withoutInvisible(text, '\ufffd')))

/** A given JSON value as a sentence quotes it. Lists and objects are named by their kind: they may be of any depth. */
export function quotedValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' && value !== null ? 'an object' : quoted(String(value))
}

/** Whether every store keeps the text: PostgreSQL takes no NUL, and UTF-8 has no half of a surrogate pair. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')
