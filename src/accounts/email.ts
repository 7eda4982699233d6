import { domainToASCII } from 'node:url'
import { quoted } from '#foreign-text.ts'
import { hasControlCharacters } from '#names.ts'
import { Refusal } from '#refusal.ts'

/**
 * An e-mail address as it is stored and compared, one per person of the installation: lower case as a whole, because no
 * provider distinguishes `Ada@` from `ada@`, its domain in punycode.
 * @throws Refusal invalid_input.
 */
export function normalizeEmail(text: string): string {
  const given = text.trim().normalize('NFC').toLowerCase()
  const at = given.lastIndexOf('@')
  const local = given.slice(0, Math.max(at, 0))
  const domain = domainToASCII(given.slice(at + 1))
  const email = `${local}@${domain}`
  // Names of hosts lose tabs and line ends on their way to punycode.
  if (hasControlCharacters(given) || !LOCAL.test(local) || !DOMAIN.test(domain) || email.length > 254) {
    throw new Refusal('invalid_input', `${quoted(given)} is not an e-mail address: give one such as name@example.com.`)
  }
  return email
}

/** The same; null: the text is not an address. */
export function emailOrNull(text: string): string | null {
  try {
    return normalizeEmail(text)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

const LOCAL = /^[^\s\p{C}"(),:;<>@[\\\]]{1,64}$/u
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
