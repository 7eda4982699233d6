/** Checks the settings that people enter for an engine. */
import { quoted } from '#foreign-text.ts'
import { Refusal } from '#refusal.ts'

/** One word of visible ASCII, as headers require. @throws Refusal invalid_input, without the key in its message. */
export function readApiKey(given: string): string {
  const key = given.trim()
  if (/^[\x21-\x7e]{8,512}$/.test(key)) return key
  throw new Refusal('invalid_input', 'that is not an API key: give the key alone, as its provider shows it')
}

/** @throws Refusal invalid_input */
export function readModel(given: string): string {
  const model = given.trim()
  if (/^[\w.:/@-]{1,128}$/.test(model)) return model
  throw new Refusal(
    'invalid_input',
    `${quoted(given)} cannot be a model: give its name as the provider lists it, up to 128 letters, digits and ._:/@-`,
  )
}

/** Without a slash at the end. @throws Refusal invalid_input */
export function readBaseUrl(given: string): string {
  const url = URL.parse(given.trim())
  const is_plain = url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (url !== null && is_plain && /^https?:$/.test(url.protocol)) return url.href.replace(/\/+$/, '')
  throw new Refusal(
    'invalid_input',
    `${quoted(given)} cannot be a base URL: give an http or https address without user, query and fragment`,
  )
}
