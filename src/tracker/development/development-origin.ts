import { quoted } from '#foreign-text.ts'
import { Refusal } from '#refusal.ts'

const MAX_ORIGIN_LENGTH = 300

/** An origin as browsers send it. @throws Refusal invalid_input. */
export function readDevelopmentOrigin(given: string): string {
  const url = given.length > MAX_ORIGIN_LENGTH ? null : URL.parse(given)
  if (url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin
  throw new Refusal(
    'invalid_input',
    `${quoted(given)} is not an origin: give scheme, host and port, for example http://localhost:3000`,
  )
}
