import { instantText } from '#clock.ts'
import type { BrandAnswer } from '#contract/account-api/index.ts'
import type { FoundBrand } from '../find-brand.ts'
import { citationsOf, mentionsOf, type StoredAnswerRow } from './read-answers.sql.ts'
import type { AnswersContext } from './store-answers.ts'
import { readTrackedNames } from './tracked-brands.ts'

/** Answers as surface B shows them, with their citations and mentions, in the order given (account API 2.1). */
export async function describeAnswers(
  { control, evidence }: Pick<AnswersContext, 'control' | 'evidence'>,
  brand: FoundBrand,
  mentions_version: number,
  answers: readonly StoredAnswerRow[],
): Promise<BrandAnswer[]> {
  if (answers.length === 0) return []
  const citations = Map.groupBy(await evidence.all(citationsOf(brand, answers)), partKey)
  const mentions = Map.groupBy(await evidence.all(mentionsOf(brand, mentions_version, answers)), partKey)
  const { brands } = await readTrackedNames(control.db, brand)
  const names = new Map(brands.map(({ id, names }) => [id, names[0]?.text ?? '']))
  const rivals = brands.filter(({ id }) => id !== brand.id).flatMap(({ domains }) => domains)
  const questions = await readQuestionTexts(control, brand, answers)
  return answers.flatMap((answer) => {
    const question = questions.get(answer.question_id)
    // Answers of a removed question are not shown.
    if (question === undefined) return []
    const cited = (citations.get(partKey(answer)) ?? []).map(({ position, url, domain, title, resolved }) => ({
      position,
      url,
      domain,
      title,
      resolved: resolved as Citation['resolved'],
      source: sourceOf(domain, brand.domains, rivals),
    }))
    const named = (mentions.get(partKey(answer)) ?? []).flatMap((mention) => {
      const name = names.get(mention.tracked_id)
      return name === undefined ? [] : [describeMention(brand, name, mention)]
    })
    return [
      {
        ...describeStored(answer),
        question,
        mentions: named,
        citations: answer.citations_observed === 1 ? cited : null,
      },
    ]
  })
}

type Citation = NonNullable<BrandAnswer['citations']>[number]
type Mention = BrandAnswer['mentions'][number]

const partKey = ({ answer_id, revision }: { answer_id: string; revision: number }) => `${answer_id} ${revision}`

function describeStored(answer: StoredAnswerRow): Omit<BrandAnswer, 'question' | 'mentions' | 'citations'> {
  const {
    answer_id: id,
    provider,
    model,
    language,
    persona,
    run,
    state,
    failure_code,
    source_tool,
    external_id,
  } = answer
  const { cost_micros, cost_currency, cost_basis } = answer
  return {
    id,
    engine: answer.engine as BrandAnswer['engine'],
    surface: answer.surface as BrandAnswer['surface'],
    provider,
    model,
    language,
    persona,
    run,
    asked_at: instantText(answer.asked_ms),
    asked_at_precision: answer.asked_at_precision as BrandAnswer['asked_at_precision'],
    country_applied: answer.country_applied === null ? null : answer.country_applied === 1,
    state: state as BrandAnswer['state'],
    failure: failure_code === null ? null : { code: failure_code, message: answer.failure_message ?? failure_code },
    web_search: answer.web_search as BrandAnswer['web_search'],
    text: answer.shown,
    text_truncated: answer.is_cut === 1,
    citations_observed: answer.citations_observed === 1,
    reported_mentions: listIn(answer.reported_mentions),
    retrieved: listIn<Citation>(answer.retrieved)?.map(({ url, domain, title }) => ({ url, domain, title })) ?? null,
    search_queries: listIn(answer.search_queries),
    cost:
      cost_micros === null || cost_currency === null || cost_basis === null
        ? null
        : { amount_micros: cost_micros, currency: cost_currency, basis: cost_basis as 'imported' },
    source: source_tool === null && external_id === null ? null : { tool: source_tool, external_id },
  }
}

const listIn = <T>(json: string | null): T[] | null => (json === null ? null : (JSON.parse(json) as T[]))

const describeMention = (
  brand: FoundBrand,
  name: string,
  mention: { tracked_id: string; position: number; text_offset: number; occurrences: number; sentiment: string },
): Mention => {
  const { tracked_id, position, text_offset: offset, occurrences, sentiment } = mention
  const is_own = tracked_id === brand.id
  const ids = { brand_id: is_own ? tracked_id : null, competitor_id: is_own ? null : tracked_id }
  return { ...ids, name, is_own, position, offset, occurrences, sentiment: sentiment as Mention['sentiment'] }
}

/** Own domains take precedence over those of competitors; subdomains belong to a domain. */
function sourceOf(host: string, own: readonly string[], rivals: readonly string[]): Citation['source'] {
  const isBelow = (domain: string) => host === domain || host.endsWith(`.${domain}`)
  if (own.some(isBelow)) return 'own'
  return rivals.some(isBelow) ? 'competitor' : 'other'
}

async function readQuestionTexts(
  { db }: AnswersContext['control'],
  brand: FoundBrand,
  answers: readonly StoredAnswerRow[],
): Promise<Map<string, BrandAnswer['question']>> {
  const ids = [...new Set(answers.map(({ question_id }) => question_id))]
  const rows = await db
    .selectFrom('questions')
    .select(['id', 'text', 'country'])
    .where('brand_id', '=', brand.id)
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}
