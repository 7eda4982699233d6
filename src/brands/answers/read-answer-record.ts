/** Converts a raw record of the form `spoor.answers/1` into an answer, or reports its fault. */
import { COUNTRIES } from '#contract/countries.ts'
import { SENTIMENTS } from '#contract/vocabulary.ts'
import { quoted } from '#foreign-text.ts'
import { memberAt } from '#json-members.ts'
import { hasControlCharacters, isName, isVisible, plainName } from '#names.ts'
import { type CitedPage, citedPage, followedPage } from '../engines/citation-url.ts'
import { FAILED_ANSWER_CODES, REFUSED_ANSWER_CODES } from '../engines/engine-answer.ts'
import { refuseTag } from '../questions/question-forms.ts'
import { type AnswerRecord, type ImportedCitation, RecordFault, type ReportedMention } from './answer-record.ts'
import { engineNamed } from './engine-names.ts'
import {
  askedAtField,
  choiceField,
  listField,
  requiredText,
  textField,
  textsField,
  truthField,
  wholeField,
} from './record-fields.ts'

const MAX_QUESTION_LENGTH = 300
const MAX_TEXT_LENGTH = 200_000
const MAX_URL_LENGTH = 4_096
/** Of runs, and of marks of one citation. The store keeps 32 bits, also of the marks of a thousand citations. */
const MAX_COUNT = 1_000_000
/** Those of an engine, and those of a scan. */
const FAILURES = [...FAILED_ANSWER_CODES, 'interrupted', 'budget_used'] as const
/** Recognizes a web page that was saved instead of an answer. */
const HTML_PAGE = /^\s*(?:<!doctype html|<html[\s>])/i

/** @throws RecordFault. */
export function readAnswerRecord(raw: unknown, { now }: { now: number }): AnswerRecord {
  const state = choiceField(raw, 'state', ['answered', 'refused', 'failed'] as const, null)
  if (state === null) throw new RecordFault('missing', 'state is missing: give answered, refused or failed.')
  const text = readText(raw, state)
  return {
    source_tool: textField(raw, 'source_tool'),
    external_id: textField(raw, 'external_id'),
    question: readQuestion(raw),
    question_external_id: textField(raw, 'question_external_id'),
    country: readCountry(raw),
    language: textField(raw, 'language'),
    tags: readTags(raw),
    persona: textField(raw, 'persona'),
    engine: readEngine(raw),
    surface: choiceField(raw, 'surface', ['consumer_ui', 'api', 'import'] as const, 'import'),
    provider: textField(raw, 'provider'),
    model: textField(raw, 'model'),
    ...askedAtField(raw, now),
    run: wholeField(raw, 'run', 1, MAX_COUNT),
    state,
    failure: readFailure(raw, state),
    text,
    text_truncated: truthField(raw, 'text_truncated') ?? false,
    web_search: choiceField(raw, 'web_search', ['used', 'not_used', 'unknown'] as const, 'unknown'),
    search_queries: textsField(raw, 'search_queries'),
    citations: readCitations(raw),
    sources: listField(raw, 'sources')?.flatMap((source) => readPage(source) ?? []) ?? null,
    reported_mentions: listField(raw, 'reported_mentions')?.map(readReportedMention) ?? null,
    cost: readCost(memberAt(raw, 'cost')),
    usage: readUsage(memberAt(raw, 'usage')),
  }
}

function readQuestion(raw: unknown): string {
  const question = plainName(requiredText(raw, 'question', MAX_QUESTION_LENGTH))
  if (!isVisible(question)) throw new RecordFault('missing', 'question is missing: give it in every record.')
  if (!hasControlCharacters(question)) return question
  throw new RecordFault('invalid', `question is ${quoted(question)}: leave out control characters and line ends.`)
}

/** The tags of the question, by the rule that holds where questions are added. */
function readTags(raw: unknown): string[] {
  const tags = (textsField(raw, 'tags') ?? []).map(plainName)
  const refused = tags.find((tag) => !isName(tag))
  if (refused === undefined) return tags
  throw new RecordFault('invalid', refuseTag(refused))
}

function readEngine(raw: unknown): AnswerRecord['engine'] {
  const name = requiredText(raw, 'engine')
  const engine = engineNamed(name)
  if (engine !== null) return engine
  throw new RecordFault('unknown_engine', `engine is ${quoted(name)}, which is not an engine that Spoor knows.`)
}

function readCountry(raw: unknown): string | null {
  const country = textField(raw, 'country')
  if (country === null || COUNTRIES.has(country)) return country
  throw new RecordFault(
    'invalid',
    `country is ${quoted(country)}: give a code of ISO 3166-1 alpha-2 in capitals, or null.`,
  )
}

function readText(raw: unknown, state: AnswerRecord['state']): string | null {
  const text = textField(raw, 'text', MAX_TEXT_LENGTH)
  if (state === 'answered' && (text === null || !isVisible(text))) {
    throw new RecordFault('missing', 'text is missing, and state is "answered": give the text, or another state.')
  }
  if (text !== null && HTML_PAGE.test(text)) {
    throw new RecordFault('invalid', 'text is a page of HTML: give the text of the answer.')
  }
  return text
}

function readFailure(raw: unknown, state: AnswerRecord['state']): AnswerRecord['failure'] {
  if (state === 'answered') return null
  const failure = memberAt(raw, 'failure')
  const code =
    state === 'refused'
      ? choiceField(failure, 'code', REFUSED_ANSWER_CODES, 'refused')
      : choiceField(failure, 'code', FAILURES, 'incomplete')
  return { code, message: textField(failure, 'message') ?? code }
}

/** Each URL once, by its position if it has one. Only http(s) URLs can be cited. */
function readCitations(raw: unknown): ImportedCitation[] | null {
  const items = listField(raw, 'citations')
  if (items === null) return null
  const ordered = items
    .map((item, index) => ({ item, order: wholeField(item, 'position', 1) ?? index + 1 }))
    .sort((a, b) => a.order - b.order)
  const pages = new Map<string, ImportedCitation>()
  for (const { item } of ordered) {
    const page = readPage(item)
    if (page === null) continue
    const span_count = wholeField(item, 'count', 1, MAX_COUNT) ?? 1
    const known = pages.get(page.url)
    if (known !== undefined) known.span_count += span_count
    else pages.set(page.url, { position: pages.size + 1, ...page, span_count })
  }
  return [...pages.values()]
}

function readPage(item: unknown): CitedPage | null {
  const url = requiredText(item, 'url', MAX_URL_LENGTH)
  const title = textField(item, 'title')
  // Behind a redirect only the domain may be known.
  const page = citedPage(url, title) ?? null
  if (page === null) return null
  const target = textField(item, 'resolved_url', MAX_URL_LENGTH)
  if (target !== null) return followedPage(page, target)
  if (page.resolved === 'direct') return page
  const named = citedPage(url, textField(item, 'domain') ?? title)
  return named === null ? page : { ...named, title }
}

const readReportedMention = (item: unknown): ReportedMention => ({
  name: requiredText(item, 'name'),
  own: truthField(item, 'own'),
  position: wholeField(item, 'position', 1),
  count: wholeField(item, 'count', 0),
  sentiment: choiceField(item, 'sentiment', SENTIMENTS, 'unknown'),
})

function readCost(raw: unknown): AnswerRecord['cost'] {
  const [amount_micros, currency] = [wholeField(raw, 'amount_micros'), textField(raw, 'currency')]
  if (amount_micros === null) return null
  if (currency !== null && /^[A-Z]{3}$/.test(currency)) return { amount_micros, currency }
  throw new RecordFault(
    'invalid',
    `cost.currency is ${quoted(String(currency))}: give a code of ISO 4217, for example USD.`,
  )
}

function readUsage(raw: unknown): AnswerRecord['usage'] {
  const [input_tokens, output_tokens] = [wholeField(raw, 'input_tokens'), wholeField(raw, 'output_tokens')]
  const searches = wholeField(raw, 'searches')
  return input_tokens === null && output_tokens === null && searches === null
    ? null
    : { input_tokens, output_tokens, searches }
}
