/**
 * Text of strangers as our messages, titles, prompts and alerts show it: short, and without characters that change how
 * a reader sees the rest (rules 7).
 */

export const MAX_EXCERPT_CHARACTERS = 120

/** Control and format characters, direction marks among them, and ends of lines. Joiners stay: scripts need them. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/gu

/** `by`: what is shown in place of each character that is not seen. */
export const withoutUnseen = (text: string, by = ''): string => text.toWellFormed().replace(UNSEEN, by)

/** At most `max` characters, the last an ellipsis where any was cut. */
export function excerpt(text: string, max = MAX_EXCERPT_CHARACTERS): string {
  const characters = [...text.slice(0, 2 * max + 2)]
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : characters.join('')
}

/** What a person or a program gave, for a sentence. A sign stands for what is not seen, which may be what is wrong. */
export const quoted = (text: string): string => JSON.stringify(excerpt(withoutUnseen(text, '\ufffd')))

/** Whether every store keeps the text: PostgreSQL takes no NUL, and UTF-8 has no half of a surrogate pair. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')
