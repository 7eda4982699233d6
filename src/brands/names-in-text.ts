/** Whether a text names a brand, as far as the kind of a question depends on it (account API 2.1). */
import { type BrandNames, trackedNames } from './brand-names.ts'
import { MentionFinder } from './mentions/find-mentions.ts'

/**
 * True when the name or an alias stands in the text as words of its own, by the rules for mentions in answers. A domain
 * alone names the brand in an answer but does not make a question branded; it is company for an alias that needs some.
 */
export function isNamedIn(text: string, brand: BrandNames): boolean {
  const found = new Set(
    finderOf(brand)
      .find(text)
      .map(({ id }) => id),
  )
  return found.has('name') || (found.has('name_with_company') && found.has('domain'))
}

/**
 * The finder that was used last: questions come in batches of one brand, and making a finder takes longer than a
 * search.
 */
let last: { key: string; finder: MentionFinder } | undefined

function finderOf(brand: BrandNames): MentionFinder {
  const [names, { domains }] = [trackedNames(brand), brand]
  const key = JSON.stringify([names, domains])
  if (last?.key === key) return last.finder
  const in_company = names.filter(({ company }) => company !== undefined).map(({ company: _, ...name }) => name)
  const finder = new MentionFinder([
    { id: 'name', names, domains: [] },
    { id: 'name_with_company', names: in_company, domains: [] },
    { id: 'domain', names: [], domains },
  ])
  last = { key, finder }
  return finder
}
