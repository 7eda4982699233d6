/** The result of asking an engine, in the same form for all engines (account API 3). */
import { isVisible } from '#names.ts'
import type { TextSpan } from '../mentions/masked-spans.ts'
import { type CitedPage, citedPage } from './citation-url.ts'

/** Why an answer is refused: the provider refused it, or it is empty. */
export const REFUSED_ANSWER_CODES = ['refused', 'empty', 'not_offered'] as const
export type RefusedAnswerCode = (typeof REFUSED_ANSWER_CODES)[number]
/** Why there is no answer. */
export const FAILED_ANSWER_CODES = [
  'bad_key',
  'no_credit',
  'bad_request',
  'rate_limited',
  'model_unknown',
  'overloaded',
  'timeout',
  'incomplete',
  'unreadable',
] as const
export type FailedAnswerCode = (typeof FAILED_ANSWER_CODES)[number]

export interface EngineCitation extends CitedPage {
  /** By first occurrence, from 1. */
  position: number
  /** How often the answer cites it. */
  span_count: number
}

/** When the same question may be sent again within the hour. */
export interface RetryAdvice {
  /** The most tries in all, including this one: 1 (no retry), 2 (it may have been billed) or 4. */
  max_tries: 1 | 2 | 4
  /** The wait that the provider requests, milliseconds; null: none. */
  wait_ms: number | null
}

export interface EngineUsage {
  input_tokens: number | null
  output_tokens: number | null
  /** Searches that the provider bills. */
  searches: number | null
}

/** The result that an adapter reads from one response; a failed one may still have `raw` and `model`. */
export interface EngineAnswer {
  state: 'answered' | 'refused' | 'failed'
  failure: { code: RefusedAnswerCode | FailedAnswerCode; message: string } | null
  text: string | null
  /** Spans of citation marks in the text, which are not words of the engine. */
  cited_spans: readonly TextSpan[]
  web_search: 'used' | 'not_used' | 'unknown'
  /** Null: not reported. */
  search_queries: readonly string[] | null
  /** Each URL once; null: not observed. */
  citations: readonly EngineCitation[] | null
  /** Found by the search and not cited; null: not reported. */
  retrieved: readonly CitedPage[] | null
  model: string | null
  usage: EngineUsage
  /** The billed cost; null if the provider does not report it. */
  cost: { amount_micros: number; currency: string } | null
  retry: RetryAdvice
}

export const NEVER: RetryAdvice = { max_tries: 1, wait_ms: null }
export const NO_USAGE: EngineUsage = { input_tokens: null, output_tokens: null, searches: null }

/** The content of a response with an answer. */
export type FoundAnswer = Pick<EngineAnswer, 'web_search' | 'search_queries' | 'model' | 'usage' | 'cost'> & {
  text: string
  cited_spans?: readonly TextSpan[]
  /** In the order of the text, repeats included; null: not observed. */
  cited: readonly RawCitation[] | null
  /** Null: not reported. */
  retrieved: readonly RawCitation[] | null
}

export interface RawCitation {
  url: string
  title: string | null
}

/** An answer; without any text it counts as refused, because nothing was answered. */
export function answered({ cited, retrieved, cited_spans = [], ...found }: FoundAnswer): EngineAnswer {
  const citations = cited === null ? null : countCitations(cited)
  const cited_urls = new Set(citations === null ? [] : citations.map(({ url }) => url))
  const is_empty = !isVisible(found.text)
  return {
    ...found,
    state: is_empty ? 'refused' : 'answered',
    failure: is_empty ? { code: 'empty', message: 'The answer has no text.' } : null,
    cited_spans,
    citations,
    retrieved:
      retrieved === null
        ? null
        : countCitations(retrieved)
            .filter(({ url }) => !cited_urls.has(url))
            .map(asPage),
    retry: NEVER,
  }
}

/** A refusal by the provider, with its text instead of an answer. */
export function refusedAnswer(found: FoundAnswer, message: string): EngineAnswer {
  return { ...answered(found), state: 'refused', failure: { code: 'refused', message } }
}

/** A failure: nothing of the response is used, so everything is unknown. */
export function failedAnswer(
  code: FailedAnswerCode,
  message: string,
  {
    retry = NEVER,
    model = null,
    usage = NO_USAGE,
    cost = null,
  }: Partial<Pick<EngineAnswer, 'retry' | 'model' | 'usage' | 'cost'>> = {},
): EngineAnswer {
  return {
    state: 'failed',
    failure: { code, message },
    text: null,
    cited_spans: [],
    web_search: 'unknown',
    search_queries: null,
    citations: null,
    retrieved: null,
    model,
    usage,
    cost,
    retry,
  }
}

/** Each page once, by first occurrence; a later title replaces a missing one. */
function countCitations(cited: readonly RawCitation[]): EngineCitation[] {
  const pages = new Map<string, EngineCitation>()
  for (const { url, title } of cited) {
    const page = citedPage(url, title)
    if (page === null) continue
    const known = pages.get(page.url)
    if (known === undefined) pages.set(page.url, { position: pages.size + 1, ...page, span_count: 1 })
    else {
      known.span_count += 1
      known.title ??= title
    }
  }
  return [...pages.values()]
}

const asPage = ({ url, domain, title, resolved }: EngineCitation): CitedPage => ({ url, domain, title, resolved })
