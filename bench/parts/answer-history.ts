/** A brand with many stored answers, generated and stored as an import stores them. */
import { createHash } from 'node:crypto'
import { type AnswersContext, type StorableAnswer, storeEngineAnswers } from '#brands/answers/store-answers.ts'
import { addBrand } from '#brands/brands.ts'
import { addCompetitor } from '#brands/competitors.ts'
import type { FoundBrand } from '#brands/find-brand.ts'
import { addPlanEngine } from '#brands/plan-engines.ts'
import { addQuestionBatch } from '#brands/questions/add-questions.ts'
import { DAY_MS } from '#clock.ts'
import type { Engine } from '#contract/vocabulary.ts'
import { utcDay } from '#days/utc-day.ts'

const AT_ONCE = 20_000
const QUESTIONS = 100
const RIVALS = ['Northwind', 'Zenith', 'Kornhaus', 'Mehlwerk']
const ENGINES: readonly Engine[] = ['chatgpt', 'claude', 'perplexity']
const FILLER = 'Several tools do this, and which one suits depends on what a team wants to measure. '.repeat(8)

/**
 * 100 questions, three engines whose models change once, four competitors; answers of about 750 characters with three
 * citations.
 */
export async function fillBrand(
  ctx: AnswersContext,
  account_id: string,
  { answers, days }: { answers: number; days: number },
): Promise<FoundBrand> {
  const name = `Exampla ${answers} ${days}`
  const names = { name, aliases: ['Exampla'], domains: ['exampla.example'] }
  const brand = await addBrand(ctx, { account_id, site_id: null, ...names })
  for (const rival of RIVALS) {
    const domains = [`${rival.toLowerCase()}.example`]
    await addCompetitor(ctx, { account_id, brand: brand.id, name: rival, aliases: [], domains })
  }
  await ctx.control.db.updateTable('accounts').set({ active_question_limit: 10_000 }).execute()
  const texts = Array.from({ length: QUESTIONS }, (_, at) => ({
    text: `Which tool is best? ${at}`,
    country: null,
    tags: [],
  }))
  const { created } = await addQuestionBatch(ctx, { brand, questions: texts })
  const question_ids = created.map(({ id }) => id)
  await ctx.control.transaction(async (trx) => {
    for (const engine of ENGINES) await addPlanEngine(trx, { account_id, engine, reason: 'has_answers' })
  })
  const first_ms = Date.parse(`${utcDay(ctx.clock.now())}T00:00:00Z`) - (days - 1) * DAY_MS
  // In the middle of the newest 30 days.
  const changed_at = ctx.clock.now() - 15 * DAY_MS
  const length_ms = ctx.clock.now() - first_ms
  for (let at = 0; at < answers; at += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, answers - at) }, (_, index) => at + index)
    const asked = (number: number) => first_ms + Math.floor((number / answers) * length_ms)
    await storeEngineAnswers(
      ctx,
      brand,
      some.map((number) => answer(number, { asked_at: asked(number), changed_at }, question_ids)),
    )
  }
  return brand
}

function answer(
  number: number,
  { asked_at, changed_at }: { asked_at: number; changed_at: number },
  question_ids: readonly string[],
): StorableAnswer {
  const digest = createHash('sha256').update(`${question_ids[0]} ${number}`).digest()
  const draw = (byte: number) => digest.readUInt8(byte) / 256
  const engine = ENGINES[number % ENGINES.length] as Engine
  const named = [...(draw(16) < 0.4 ? ['Exampla'] : []), ...RIVALS.filter((_, at) => draw(17 + at) < 0.4)]
  const hosts = [
    'reviews.example',
    ...(draw(22) < 0.3 ? ['exampla.example'] : []),
    ...(draw(23) < 0.5 ? ['northwind.example'] : []),
  ]
  return {
    answer_id: uuidOf(digest),
    content_sha256: digest.toString('hex'),
    source_tool: 'bench',
    external_id: `${number}`,
    question_id: question_ids[number % question_ids.length] as string,
    country: null,
    language: null,
    persona: null,
    engine,
    surface: 'api',
    provider: 'bench',
    model: `${engine}-${asked_at < changed_at ? 1 : 2}`,
    asked_at,
    asked_at_precision: 'instant',
    run: 1,
    failure: null,
    text_truncated: false,
    web_search: 'used',
    ...(draw(25) < 0.02
      ? { state: 'failed', text: null }
      : { state: 'answered', text: `${named.join(', ')}. ${FILLER}` }),
    search_queries: null,
    sources: null,
    reported_mentions: null,
    cost: null,
    cost_basis: null,
    country_applied: null,
    cited_spans: [],
    citations: hosts.map((domain, at) => ({
      url: `https://${domain}/page/${Math.floor(draw(26 + at) * 200)}`,
      domain,
      title: 'Compared',
      resolved: 'direct' as const,
      position: at + 1,
      span_count: 1,
    })),
  }
}

const uuidOf = (digest: Buffer): string =>
  digest.toString('hex').replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
