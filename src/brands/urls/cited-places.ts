/** The rows of a URL report for URLs and domains (account API 2.3). */
import { instantText } from '#clock.ts'
import type { UrlReport } from '#contract/account-api/index.ts'
import { ENGINES } from '#contract/vocabulary.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { ratioOf } from '../reports/ratio.ts'
import { type CitedFilter, citedByQuestion, citedPlaces, observedByQuestion } from './cited-pages.sql.ts'

export interface CitedPlaces {
  rows: CitedPlace[]
  total_count: number
  /** The number of all citations in the filter that are behind redirects. */
  opaque_citations: number
}

/** A row without crawler evidence. */
export interface CitedPlace extends Omit<CitedMembers, 'crawler' | 'url'> {
  /** A URL or a domain. */
  shown: string
}

type CitedMembers = Extract<UrlReport['rows'][number], { url: string }>

/** A piece of the rows, the most cited first. */
export async function readCitedPlaces(
  evidence: EvidenceStore,
  filter: CitedFilter,
  piece: { limit: number; offset: number },
): Promise<CitedPlaces> {
  const found = await evidence.all(citedPlaces(filter, piece))
  const places = found.map(({ place }) => place)
  const parts = places.length === 0 ? [] : await evidence.all(citedByQuestion(filter, places))
  const observed = await evidence.all(observedByQuestion(filter))
  const byPlace = Map.groupBy(parts, ({ place }) => place)
  return {
    rows: found.map((row) => {
      const own = new Map((byPlace.get(row.place) ?? []).map((part) => [part.question_id, part]))
      const clusters = (numerator: 'answers_citing' | 'citations', denominator: 'observed' | 'citations') =>
        observed.map((question) => {
          const part = own.get(question.question_id)
          return { numerator: part === undefined ? 0 : part[numerator], denominator: question[denominator] }
        })
      return {
        shown: row.shown,
        source: row.source,
        answers_citing: row.answers_citing,
        citations: row.citations,
        citation_rate: ratioOf(clusters('answers_citing', 'observed')),
        citation_share: ratioOf(clusters('citations', 'citations')),
        engines: ENGINES.filter((engine) => row.engines.includes(engine)),
        question_count: row.questions,
        first_cited_at: instantText(row.first_ms),
        last_cited_at: instantText(row.last_ms),
      }
    }),
    total_count: await totalOf(evidence, filter, found, piece.offset),
    opaque_citations: observed.reduce((sum, { opaque }) => sum + opaque, 0),
  }
}

/** The total number of rows for a piece past the end, which has no row. */
async function totalOf(
  evidence: EvidenceStore,
  filter: CitedFilter,
  found: readonly { total_rows: number }[],
  offset: number,
): Promise<number> {
  const [first] = found
  if (first !== undefined) return first.total_rows
  if (offset === 0) return 0
  const [again] = await evidence.all(citedPlaces(filter, { limit: 1, offset: 0 }))
  return again === undefined ? 0 : again.total_rows
}
