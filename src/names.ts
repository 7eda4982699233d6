/** The one rule for what people call things: keys, sources, tokens, conversions, funnels, values of properties. */
import { quoted } from './foreign-text.ts'
import { Refusal } from './refusal.ts'

const MAX_NAME_CHARACTERS = 64

/** Control characters, line separators and direction marks: they make a name look like another one. */
const STEERING = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/** Without spaces around it, in one spelling of what looks the same, so that it is found (UAX 15, NFC). */
export const plainName = (given: string) => given.trim().normalize('NFC')

/**
 * A text without case. Upper case first: it joins what lower case keeps apart, for example ß and ss. The dotless ı of
 * Turkish stays itself, as in Unicode's case folding: its upper case is that of another letter.
 */
export const foldCase = (text: string): string => text.replace(/[^ı]+/g, (part) => part.toUpperCase().toLowerCase())

/** Whether a text can be a name: 1 to 64 characters, some visible, none that steers a terminal. */
export function isName(text: string): boolean {
  const length = [...text].length
  return length >= 1 && length <= MAX_NAME_CHARACTERS && text.isWellFormed() && VISIBLE.test(text) && !hasSteering(text)
}

/** Whether a text holds characters that are not shown but change what is shown. */
export const hasSteering = (text: string): boolean => STEERING.test(text)

/** A name as it is kept; `what` bears it, for example `a key`. @throws Refusal invalid_input. */
export function checkName(given: string, what: string): string {
  const name = plainName(given)
  if (isName(name)) return name
  throw new Refusal(
    'invalid_input',
    `${quoted(given)} cannot be the name of ${what}: give 1 to ${MAX_NAME_CHARACTERS} characters, some of them visible, and no control characters.`,
  )
}

/** A message as a terminal may show it: line ends stay, and every other character that would steer it is replaced. */
export const withoutSteering = (text: string): string =>
  text.replace(/[^\n]/gu, (one) => (hasSteering(one) ? '\u{fffd}' : one))
