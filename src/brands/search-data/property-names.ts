/** How search engines name what they report about: a domain (Search Console alone), or a URL. */
import type { SearchSource } from '#contract/vocabulary.ts'
import { quoted } from '#foreign-text.ts'
import { Refusal } from '#refusal.ts'

const PROPERTY = /^(?:sc-domain:[a-z0-9.-]{1,253}|https?:\/\/[^\s?#]{1,2000})$/i
const OF_URL = 'https://www.example.com/'
export const PROPERTY_FORMS = `sc-domain:example.com or ${OF_URL}`

/** Whether the text can name a property. */
const isProperty = (text: string): boolean => PROPERTY.test(text)

/** @throws Refusal invalid_input. */
export function checkProperty(property: string): void {
  if (isProperty(property)) return
  throw new Refusal(
    'invalid_input',
    `${quoted(property)} is not a property of a search engine: write ${PROPERTY_FORMS}`,
  )
}

/** @throws Refusal invalid_input. */
export function checkPropertyOf({ source, property }: { source: SearchSource; property: string }): void {
  if (isProperty(property) && (source === 'google' || !/^sc-domain:/i.test(property))) return
  const forms = source === 'google' ? PROPERTY_FORMS : OF_URL
  throw new Refusal('invalid_input', `${quoted(property)} is not a property of ${source}: write ${forms}`)
}
