/**
 * Text of strangers as agents get it. Characters that are not shown but change what is read are replaced, each unit by
 * one unit, so that offsets into the text stay true (account API 6).
 */
import { hasControlCharacters } from '#names.ts'

/** Tag characters spell text that people do not see and models read. */
const HIDDEN = /[\u{e0000}-\u{e007f}]/u
const REPLACED = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u{e0000}-\u{e007f}\p{Cs}]/gu

/** The same JSON value with every string cleaned; line ends and tabs stay. */
export function cleanStrings<V>(value: V): V {
  return clean(value) as V
}

function clean(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(clean)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, clean(item)]))
}

function cleanText(text: string): string {
  if (!hasControlCharacters(text) && !HIDDEN.test(text) && text.isWellFormed()) return text
  return text.replace(REPLACED, (one) => (one === '\n' || one === '\t' ? one : '\u{fffd}'.repeat(one.length)))
}
