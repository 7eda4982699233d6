/** The Responses protocol, which OpenAI defined and xAI and Perplexity follow: items of output, each with a type. */

import { amountAt, itemsAt, memberAt, objectsAt, textAt, textsAt } from '#json-members.ts'
import type { TextSpan } from '../mentions/masked-spans.ts'
import type { RawCitation } from './engine-answer.ts'

export interface ResponseText {
  text: string
  /** The parts of type `refusal`; null: none. */
  refusal: string | null
  cited: RawCitation[]
  cited_spans: TextSpan[]
}

/** All text of the message items, with its annotations. */
export function readResponseText(json: unknown): ResponseText {
  const found: ResponseText = { text: '', refusal: null, cited: [], cited_spans: [] }
  const messages = objectsAt(json, 'output').filter(({ type }) => type === 'message')
  for (const part of messages.flatMap((message) => objectsAt(message, 'content'))) {
    const refusal = part.type === 'refusal' ? textAt(part, 'refusal') : null
    if (refusal !== null) found.refusal = `${found.refusal === null ? '' : found.refusal}${refusal}`
    const text = part.type === 'output_text' ? textAt(part, 'text') : null
    if (text === null) continue
    readAnnotations(part, text, found)
    found.text += text
  }
  return found
}

function readAnnotations(part: unknown, text: string, found: ResponseText): void {
  for (const annotation of objectsAt(part, 'annotations')) {
    const url = annotation.type === 'url_citation' ? textAt(annotation, 'url') : null
    if (url === null) continue
    found.cited.push({ url, title: textAt(annotation, 'title') })
    const [start, end] = [amountAt(annotation, 'start_index'), amountAt(annotation, 'end_index')]
    // Offsets may count code points instead of UTF-16 units: those that do not lead to a mark are left out.
    if (start === null || end === null || end <= start || !/^[([]/.test(text.slice(start, end))) continue
    found.cited_spans.push({ from: found.text.length + start, to: found.text.length + end })
  }
}

export interface ResponseSearches {
  /** Whether a search was completed. */
  is_used: boolean
  /** How many were. */
  completed: number
  queries: string[]
  /** Null: searched, and the pages are not reported. */
  sources: RawCitation[] | null
}

/** The items of type `web_search_call`; older ones have `arguments` or only a query instead of an action. */
export function readSearches(json: unknown): ResponseSearches {
  const calls = objectsAt(json, 'output').filter(
    (item) => item.type === 'web_search_call' && [null, 'search'].includes(textAt(item, 'action', 'type')),
  )
  const completed = calls.filter(({ status }) => status === 'completed')
  const listed = completed.filter((call) => Array.isArray(memberAt(call, 'action', 'sources')))
  const sources = listed
    .flatMap((call) => objectsAt(call, 'action', 'sources'))
    .filter(({ type }) => type === 'url')
    .flatMap((source) => textAt(source, 'url') ?? [])
  return {
    is_used: completed.length > 0,
    completed: completed.length,
    queries: [...new Set(calls.flatMap(queriesOf))],
    sources: completed.length > 0 && listed.length === 0 ? null : sources.map((url) => ({ url, title: null })),
  }
}

function queriesOf(call: unknown): string[] {
  const several = textsAt(call, 'action', 'queries')
  if (several.length > 0) return several
  const one = textAt(call, 'action', 'query') ?? textAt(call, 'query') ?? queryInArguments(textAt(call, 'arguments'))
  return one === null ? [] : [one]
}

function queryInArguments(text: string | null): string | null {
  if (text === null) return null
  try {
    return textAt(JSON.parse(text), 'query')
  } catch {
    // Not JSON: the query is unknown, but there was a search.
    return null
  }
}

/** Tokens and searches of `usage`. */
export const tokensOf = (json: unknown) => ({
  input_tokens: amountAt(json, 'usage', 'input_tokens'),
  output_tokens: amountAt(json, 'usage', 'output_tokens'),
})

/** Whether a value has the form of a response at all. */
export const isResponse = (json: unknown): boolean =>
  textAt(json, 'status') !== null && Array.isArray(memberAt(json, 'output')) && itemsAt(json, 'output') !== undefined
