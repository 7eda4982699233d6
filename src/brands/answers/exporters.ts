/**
 * Converts saved exports of other tools into records of the form `spoor.answers/1`. Nothing is guessed: facts that a
 * tool does not export are null.
 */
import { COUNTRIES } from '#contract/countries.ts'
import type { AnswerExporter } from '#contract/vocabulary.ts'
import { amountAt, itemsAt, memberAt, objectsAt, textAt, textsAt } from '#json-members.ts'
import { engineOfElmo, surfaceOfElmo, textOfElmo } from './elmo-rows.ts'

/** A raw record; `context` is the file around it, `own_name` the name of the brand that it is imported for. */
type RecordMapping = (item: unknown, context: unknown, own_name: string) => Record<string, unknown>

export const EXPORTER_MAPPINGS: Readonly<Record<AnswerExporter, RecordMapping>> = {
  canonry: (item, context, own_name) => ({
    external_id: textAt(item, 'snapshotId'),
    question: textAt(item, 'query'),
    question_external_id: textAt(item, 'queryId'),
    asked_at: textAt(item, 'snapshotCreatedAt'),
    country: countryIn(textAt(item, 'location')) ?? countryIn(textAt(context, 'project', 'country')),
    engine: textAt(item, 'provider'),
    surface: 'api',
    model: textAt(item, 'model'),
    ...answeredOrFailed(textAt(item, 'answerText'), textAt(item, 'runStatus')),
    ...searchesOf(textsAt(item, 'searchQueries')),
    citations: textAt(item, 'captureStatus') === 'complete' ? listOrNull(item, 'citedUrls', linkTo) : null,
    sources: listOrNull(item, 'groundingSources', (source) => ({
      url: textAt(source, 'uri'),
      title: textAt(source, 'title'),
    })),
    reported_mentions: mentionsOf(item, { own: 'answerMentioned', rivals: 'competitorOverlap' }, own_name),
  }),
  elmo: (item, _context, own_name) => ({
    external_id: textAt(item, 'id'),
    question: textAt(item, 'value'),
    question_external_id: textAt(item, 'prompt_id'),
    asked_at: textAt(item, 'created_at'),
    tags: textsAt(item, 'tags'),
    engine: engineOfElmo(item),
    surface: surfaceOfElmo(item),
    model: textAt(item, 'version'),
    ...answeredOrFailed(textOfElmo(item), null),
    // `web_search_enabled` is a setting, and no evidence of a search.
    search_queries: textsAt(item, 'web_queries').includes('unavailable')
      ? null
      : listOrNull(item, 'web_queries', (query) => query),
    citations: listOrNull(item, 'citations', (citation) => ({
      url: textAt(citation, 'url'),
      position: oneBased(citation),
    })),
    reported_mentions: mentionsOf(item, { own: 'brand_mentioned', rivals: 'competitors_mentioned' }, own_name),
  }),
  profound: (item) => ({
    external_id: textAt(item, 'run_id'),
    question: textAt(item, 'prompt'),
    question_external_id: textAt(item, 'prompt_id'),
    asked_at: textAt(item, 'date') ?? textAt(item, 'created_at'),
    country: countryIn(textAt(item, 'region')),
    engine: textAt(item, 'model', 'name') ?? textAt(item, 'model'),
    surface: 'consumer_ui',
    model: textAt(item, 'model', 'name') ?? textAt(item, 'model'),
    text: textAt(item, 'response'),
    state: 'answered',
    ...searchesOf(textsAt(item, 'search_queries')),
    citations: listOrNull(item, 'citations', linkTo),
    reported_mentions: listOrNull(item, 'mentions', nameOnly),
    tags: textsAt(item, 'tags'),
    persona: textAt(item, 'persona'),
  }),
  peec: (item) => {
    const channel = textAt(item, 'model_channel', 'id') ?? textAt(item, 'model_channel') ?? textAt(item, 'model', 'id')
    const said = (role: string) =>
      textAt(
        objectsAt(item, 'messages').find((message) => message.role === role),
        'content',
      )
    return {
      external_id: textAt(item, 'id'),
      question: said('user'),
      question_external_id: textAt(item, 'prompt', 'id'),
      asked_at: textAt(item, 'date'),
      country: countryIn(textAt(item, 'country_code') ?? textAt(item, 'country')),
      engine: channel,
      surface: channel?.endsWith('-scraper') ? 'consumer_ui' : 'api',
      model: textAt(item, 'model', 'id'),
      text: said('assistant'),
      state: 'answered',
      ...searchesOf(textsAt(item, 'queries')),
      citations: Array.isArray(memberAt(item, 'sources'))
        ? objectsAt(item, 'sources').filter(isCited).map(linkTo)
        : null,
      sources: listOrNull(item, 'sources', linkTo),
      reported_mentions: listOrNull(item, 'brands_mentioned', nameOnly),
    }
  },
  otterly: (item) => {
    const engine = textAt(item, 'engine')
    const is_shown = memberAt(item, 'overviewAvailable') !== false
    return {
      external_id: textAt(item, 'runId'),
      question: textAt(item, 'prompt'),
      question_external_id: textAt(item, 'promptId'),
      asked_at: textAt(item, 'runDate'),
      country: countryIn(textAt(item, 'country'), { UK: 'GB' }),
      // From Google it exports only overviews.
      engine: engine === 'google' ? 'google_ai_overview' : engine,
      surface: 'consumer_ui',
      text: is_shown ? textAt(item, 'content') : null,
      state: is_shown ? 'answered' : 'refused',
      failure: is_shown ? null : { code: 'not_offered', message: 'The engine showed no AI answer.' },
      citations: listOrNull(item, 'citations', (citation) => ({
        url: textAt(citation, 'link'),
        position: memberAt(citation, 'rank'),
        title: textAt(citation, 'title'),
      })),
      reported_mentions: listOrNull(item, 'brandMentions', nameOnly),
    }
  },
  scrunch: (item, _context, own_name) => ({
    external_id: textAt(item, 'id'),
    question: textAt(item, 'prompt'),
    question_external_id: textAt(item, 'prompt_id'),
    asked_at: textAt(item, 'created_at'),
    asked_at_precision: 'day',
    country: countryIn(textAt(item, 'country')),
    engine: textAt(item, 'platform'),
    surface: 'consumer_ui',
    text: textAt(item, 'response_text'),
    state: 'answered',
    citations: listOrNull(item, 'citations', linkTo),
    // Its `brand_position` (top, middle, bottom) is not a rank.
    reported_mentions: mentionsOf(item, { own: 'brand_present', rivals: 'competitors' }, own_name),
    tags: textsAt(item, 'tags'),
    persona: textAt(item, 'persona_name'),
  }),
}

/** Members in which tools list their answers. */
const LISTS = ['records', 'data', 'answers', 'results', 'items', 'responses', 'chats']

/** The answers of a saved export: a list, an object around one, or a single answer. */
export function itemsOfExport(json: unknown): unknown[] {
  if (Array.isArray(json)) return json
  const name = LISTS.find((list) => Array.isArray(memberAt(json, list)))
  return name === undefined ? [json] : itemsAt(json, name)
}

function answeredOrFailed(text: unknown, status: string | null): Record<string, unknown> {
  if (text !== null && text !== '') return { state: 'answered', text }
  return { state: 'failed', text: null, failure: { code: 'incomplete', message: status } }
}

/** An empty list may mean that there was no search, or that the tool does not know. */
const searchesOf = (queries: readonly string[]): Record<string, unknown> =>
  queries.length > 0 ? { web_search: 'used', search_queries: queries } : { web_search: 'unknown', search_queries: null }

const listOrNull = <T>(item: unknown, name: string, of: (each: unknown) => T): T[] | null =>
  Array.isArray(memberAt(item, name)) ? itemsAt(item, name).map(of) : null

const linkTo = (item: unknown) =>
  typeof item === 'string'
    ? { url: item }
    : { url: textAt(item, 'url') ?? textAt(item, 'link'), title: textAt(item, 'title') }

const nameOnly = (item: unknown) => ({ name: typeof item === 'string' ? item : textAt(item, 'name') })

/** For tools that report only whether the brand is named; null if they do not report it. */
function mentionsOf(item: unknown, names: { own: string; rivals: string }, own_name: string): unknown[] | null {
  const own = flagAt(item, names.own)
  const rivals = listOrNull(item, names.rivals, (rival) => ({ ...nameOnly(rival), own: false }))
  if (own === null && rivals === null) return null
  return [...(own === true ? [{ name: own_name, own }] : []), ...(rivals ?? [])]
}

/** True or false, which CSV has as text. */
function flagAt(item: unknown, name: string): boolean | null {
  const value = memberAt(item, name)
  if (typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value.toLowerCase() : ''
  return text === 'true' || text === 'false' ? text === 'true' : null
}

const isCited = (source: unknown) => Number(amountAt(source, 'citationCount')) > 0

/** `citation_index` counts from 0. */
function oneBased(citation: unknown): number | null {
  const index = memberAt(citation, 'citation_index')
  return typeof index === 'number' ? index + 1 : null
}

/** A code of ISO 3166-1; names of markets and regions are not guessed. */
function countryIn(text: string | null, other: Readonly<Record<string, string>> = {}): string | null {
  const code = text === null ? '' : text.trim().toUpperCase()
  const country = Object.hasOwn(other, code) ? (other[code] as string) : code
  return COUNTRIES.has(country) ? country : null
}
