import type { RowValue } from '#evidence/rows/json-rows.ts'
import type { FoundBrand } from '../find-brand.ts'

/** The counted facts of an answer, which do not depend on the searched names. */
export interface AnswerToCount {
  day: string
  answer_id: string
  revision: number
  question_id: string
  engine: string
  surface: string
  model: string | null
  /** `YYYY-MM-DD hh:mm:ss.mmm` in UTC. */
  asked_at: string
  country: string | null
  country_applied: number | null
  state: string
  web_search: string
  citations_observed: number
  /** In the order of the answer. */
  citations: readonly CountedCitation[]
}

/** A page that the answer cites. */
interface CountedCitation {
  url: string
  domain: string
  resolved: string
}

/** A tracked brand that the answer names. */
interface CountedMention {
  id: string
  position: number
  sentiment: string
}

/** A row of `counted_answers`. */
export function countedRow(
  brand: Pick<FoundBrand, 'id' | 'account_id'>,
  mentions_version: number,
  answer: AnswerToCount,
  mentions: readonly CountedMention[],
): RowValue[] {
  const { day, answer_id, revision, question_id, engine, surface, model, asked_at, country, country_applied } = answer
  const citations = distinctPages(answer.citations)
  const own = mentions.find(({ id }) => id === brand.id)
  return [
    brand.account_id,
    brand.id,
    String(mentions_version),
    day,
    answer_id,
    String(revision),
    question_id,
    engine,
    surface,
    model,
    asked_at,
    country,
    country_applied,
    answer.state,
    answer.web_search,
    answer.citations_observed,
    citations.map(({ url }) => url),
    citations.map(({ domain }) => domain),
    citations.map(({ resolved }) => (resolved === 'redirect_opaque' ? 1 : 0)),
    ...(own === undefined ? [0, 'unknown'] : [own.position, own.sentiment]),
    mentions.map(({ id }) => id),
    mentions.map(({ position }) => position),
  ]
}

/**
 * A page once an answer, by whichever of its spellings comes first (account API 2.2): its URL without scheme, `www.`
 * and fragment. The page behind a redirect is unknown, so each redirect is a page of its own.
 */
function distinctPages(citations: readonly CountedCitation[]): CountedCitation[] {
  const pages = new Map<string, CountedCitation>()
  for (const citation of citations) {
    const { url, resolved } = citation
    const page = resolved === 'redirect_opaque' ? url : url.replace(/^https?:\/\/(?:www\.)?/, '').replace(/#.*$/s, '')
    if (!pages.has(page)) pages.set(page, citation)
  }
  return [...pages.values()]
}
