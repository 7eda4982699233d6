/** How events, properties and definitions may be called (spec 2.6). */
import { Refusal } from '#refusal.ts'
import { LONGEST_NAME } from './limits.ts'

const EVENT_NAME = /^[A-Za-z][A-Za-z0-9 _.-]{0,63}$/
const PROPERTY_KEY = /^[a-z][a-z0-9_.-]{0,47}$/

/** @throws Refusal invalid_input. */
export function checkEventName(given: string): string {
  if (EVENT_NAME.test(given)) return given
  throw new Refusal(
    'invalid_input',
    `"${shorten(given)}" is no event name: it begins with a letter and has at most 64 letters, digits, spaces and _ . -`,
  )
}

/** @throws Refusal invalid_input. */
export function checkPropertyKey(given: string): string {
  if (PROPERTY_KEY.test(given)) return given
  throw new Refusal(
    'invalid_input',
    `"${shorten(given)}" is no property key: it begins with a lower-case letter and has at most 48 of a-z 0-9 _ . -`,
  )
}

/** The name of a conversion or a funnel as it is kept, without spaces around it. @throws Refusal invalid_input. */
export function checkName(given: string, what: 'conversion' | 'funnel'): string {
  const name = plainName(given)
  if (isText(name) && VISIBLE.test(name)) return name
  throw new Refusal(
    'invalid_input',
    `The name of a ${what} has 1 to ${LONGEST_NAME} characters, some that can be seen, and no control characters.`,
  )
}

/** One spelling of what looks the same, so that a name finds its definition however it was typed (UAX 15, NFC). */
export const plainName = (given: string) => given.trim().normalize('NFC')

const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/** 1 to 64 characters, none of them a control character or half of one. */
export function isText(text: string): boolean {
  const length = [...text].length
  return length >= 1 && length <= LONGEST_NAME && text.isWellFormed() && !/\p{Cc}/u.test(text)
}

/** What a person typed, short enough for a sentence, and without what would steer a terminal (rules 7). */
export function shorten(text: string): string {
  const characters = [...text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{fffd}')]
  return characters.length > 100 ? `${characters.slice(0, 100).join('')}…` : characters.join('')
}
