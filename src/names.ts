/** The one rule for what people call things: keys, sources, tokens, conversions, funnels, values of properties. */
import { quoted } from './foreign-text.ts'
import { Refusal } from './refusal.ts'

const MAX_NAME_CHARACTERS = 64

/** Control characters, line separators and direction marks: they make a name look like another one. */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const EACH_CONTROL_CHARACTER = new RegExp(CONTROL_CHARACTERS, 'gu')
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/** A name without spaces around it, in NFC, so that names that look the same are equal (UAX 15). */
export const plainName = (given: string) => given.trim().normalize('NFC')

/**
 * A text without case. Upper case first: it joins what lower case keeps apart, for example ß and ss. The dotless ı of
 * Turkish stays itself, as in Unicode's case folding: its upper case is that of another letter.
 */
export const foldCase = (text: string): string => text.replace(/[^ı]+/g, (part) => part.toUpperCase().toLowerCase())

/** Whether any character of a text can be seen. */
export const isVisible = (text: string): boolean => VISIBLE.test(text)

/** Whether a text can be a name: 1 to 64 characters, some visible, no control characters. */
export function isName(text: string): boolean {
  const length = [...text].length
  return (
    length >= 1 &&
    length <= MAX_NAME_CHARACTERS &&
    text.isWellFormed() &&
    isVisible(text) &&
    !hasControlCharacters(text)
  )
}

/** Whether a text holds characters that are not shown but change what is shown. */
export const hasControlCharacters = (text: string): boolean => CONTROL_CHARACTERS.test(text)

/** A name as it is stored; `what` has it, for example `a key`. @throws Refusal invalid_input. */
export function checkName(given: string, what: string): string {
  const name = plainName(given)
  if (isName(name)) return name
  throw new Refusal(
    'invalid_input',
    `${quoted(given)} cannot be the name of ${what}: give 1 to ${MAX_NAME_CHARACTERS} characters, some of them visible, and no control characters.`,
  )
}

/** A message as a terminal may show it: line ends stay, and every other control character is replaced. */
export const withoutControlCharacters = (text: string): string =>
  text.replace(EACH_CONTROL_CHARACTER, (one) => (one === '\n' ? one : '\u{fffd}'))

/**
 * What a person deletes must be what they named by typing. Left out, nothing is compared: the command line asks by
 * itself, and the dashboard's API requires a name.
 * @throws Refusal conflict.
 */
export function refuseOtherName(name: string, typed_name: string | undefined): void {
  if (typed_name === undefined || typed_name.trim() === name) return
  throw new Refusal(
    'conflict',
    `${quoted(typed_name)} is not the name of what would be deleted: type ${quoted(name)}. Nothing was deleted.`,
  )
}
