/** The names that events and properties may have (spec 2.6). */
import { quoted } from '#foreign-text.ts'
import { Refusal } from '#refusal.ts'

const EVENT_NAME = /^[A-Za-z][A-Za-z0-9 _.-]{0,63}$/
const PROPERTY_KEY = /^[a-z][a-z0-9_.-]{0,47}$/

/** Returns the name if it is valid. @throws Refusal invalid_input. */
export function checkEventName(given: string): string {
  if (EVENT_NAME.test(given)) return given
  throw new Refusal(
    'invalid_input',
    `${quoted(given)} is not an event name: give 1 to 64 of the characters A-Z a-z 0-9 _ . - and spaces, beginning with a letter`,
  )
}

/** Returns the key if it is valid. @throws Refusal invalid_input. */
export function checkPropertyKey(given: string): string {
  if (PROPERTY_KEY.test(given)) return given
  throw new Refusal(
    'invalid_input',
    `${quoted(given)} is not a property key: give 1 to 48 of the characters a-z 0-9 _ . -, beginning with a letter`,
  )
}
