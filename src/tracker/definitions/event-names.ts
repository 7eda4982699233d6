/** How events, properties and definitions may be called (spec 2.6). */
import { quoted } from '#foreign-text.ts'
import { Refusal } from '#refusal.ts'

const EVENT_NAME = /^[A-Za-z][A-Za-z0-9 _.-]{0,63}$/
const PROPERTY_KEY = /^[a-z][a-z0-9_.-]{0,47}$/

/** @throws Refusal invalid_input. */
export function checkEventName(given: string): string {
  if (EVENT_NAME.test(given)) return given
  throw new Refusal(
    'invalid_input',
    `${quoted(given)} is not an event name: give 1 to 64 letters, digits, spaces and _ . - that begin with a letter`,
  )
}

/** @throws Refusal invalid_input. */
export function checkPropertyKey(given: string): string {
  if (PROPERTY_KEY.test(given)) return given
  throw new Refusal(
    'invalid_input',
    `${quoted(given)} is not a property key: give 1 to 48 of a-z 0-9 _ . - that begin with a letter`,
  )
}
