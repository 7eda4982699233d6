/** Values whose form the service prescribes, checked before the installation is used. */
import { normalizeEmail } from '#accounts/email.ts'
import { COUNTRIES } from '#contract/countries.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { quoted } from '#foreign-text.ts'
import { coversRange } from '#intake/import/import-options.ts'
import { localZone } from '#intake/log/time.ts'
import { checkName, isName, plainName } from '#names.ts'
import { normalizeHost, rootDomain } from '#sites/root-domain.ts'
import { checkServerName } from '#sources/server-name.ts'
import { checkEventName, checkPropertyKey } from '#tracker/definitions/event-names.ts'
import { BadUsage, judgedBy } from '../bad-usage.ts'

export const readDomain = judgedBy(rootDomain)
export const readEmail = judgedBy(normalizeEmail)
export const readEventName = judgedBy(checkEventName)
export const readPropertyKey = judgedBy(checkPropertyKey)
export const readCovers = judgedBy(coversRange)

export const readTimezone = judgedBy((text: string) => {
  localZone(text)
  return text
})

/** Reads the name of a server. */
export const readServer = (option: '--server' | '--into') =>
  judgedBy((text: string) => {
    checkServerName(text, option)
    return text
  })

/** @param what what the name belongs to, for example `a key`. */
export const readNameOf = (what: string) => judgedBy((text: string) => checkName(text, what))

/** Reads a host name. */
export function readHostName(text: string): string {
  const host = normalizeHost(text)
  if (host !== null) return host
  throw new BadUsage(`${quoted(text)} is not a host name: give one such as www.example.com`)
}

/** Reads an http or https URL. */
export function readWebUrl(text: string): string {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text
  throw new BadUsage(`${quoted(text)} is not an http or https URL: give one such as https://www.example.com/pricing`)
}

/** Reads a day, `YYYY-MM-DD`. */
export function readUtcDay(text: string): string {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? dayStart(text) : Number.NaN
  if (!Number.isNaN(at) && utcDay(at) === text) return text
  throw new BadUsage(`${quoted(text)} is not a day: give a UTC day such as 2026-03-01`)
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether a text is an id. */
export const isId = (text: string): boolean => UUID.test(text)

/** @param listed the command that shows ids, without the name of the program. */
export const readId =
  (listed: string) =>
  (text: string): string => {
    if (isId(text)) return text
    throw new BadUsage(`${quoted(text)} is not an id: give one that spoor ${listed} shows`)
  }

const MAX_QUESTION_CHARACTERS = 300

/** Reads the text of a question. */
export function readQuestionText(text: string): string {
  const length = [...plainName(text)].length
  if (length >= 1 && length <= MAX_QUESTION_CHARACTERS) return text
  throw new BadUsage(`the question has ${length} characters: give 1 to ${MAX_QUESTION_CHARACTERS}`)
}

/** Reads a country code. */
export function readCountry(text: string): string {
  if (COUNTRIES.has(text)) return text
  throw new BadUsage(`${quoted(text)} is not a country: give a code of ISO 3166-1 alpha-2 in capitals, such as DE`)
}

/** Reads a tag. */
export function readTag(text: string): string {
  if (isName(plainName(text))) return text
  throw new BadUsage(`${quoted(text)} is not a tag: give 1 to 64 visible characters`)
}

const MAX_REASON_CHARACTERS = 500

/** Reads a reason. */
export function readReason(text: string): string {
  if (text.length <= MAX_REASON_CHARACTERS) return text
  throw new BadUsage(`the reason has ${text.length} characters; at most ${MAX_REASON_CHARACTERS} are allowed`)
}
