import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ensureInstallation } from '#accounts/ensure-installation.ts'
import { evaluateMentions } from '#brands/answers/evaluate-mentions.ts'
import { type StorableAnswer, storeEngineAnswers } from '#brands/answers/store-answers.ts'
import { addCompetitor, removeCompetitor } from '#brands/competitors.ts'
import type { FoundBrand } from '#brands/find-brand.ts'
import { serveReport } from '#brands/reports/serve-report.ts'
import type { BrandReportInput } from '#contract/account-api/index.ts'
import { type EvaluatedAnswer, evaluatePlainly, rounded } from '../../oracles/brands/evaluate.ts'
import { addBrandWithRival, importRecords } from '../../support/brands.ts'
import { type FakeClock, fakeClock } from '../../support/clock.ts'
import { openTestControl, type TestControl } from '../../support/control.ts'
import { openTestEvidence, type TestEvidence } from '../../support/evidence.ts'
import { seeded } from './histories.ts'

let opened: TestControl
let stored: TestEvidence
let clock: FakeClock
let ctx: { control: TestControl['control']; evidence: TestEvidence['store']; clock: FakeClock }
let brand: FoundBrand
let rival_id: string
let account_id: string
let made = 0

beforeAll(async () => {
  opened = await openTestControl()
  stored = await openTestEvidence()
  clock = fakeClock('2026-11-22T12:00:00Z')
  ctx = { control: opened.control, evidence: stored.store, clock }
  account_id = (await ensureInstallation(opened.control, clock)).account_id
})
afterAll(async () => {
  await stored.remove()
  await opened.remove()
})
beforeEach(async () => {
  const added = await addBrandWithRival(ctx, {
    account_id,
    brand: { name: `Brotwerk ${++made}`, aliases: ['Brotwerk'], domains: ['brotwerk.example'] },
    rival: { name: 'Kornhaus', domains: ['kornhaus.example'] },
  })
  brand = added.brand
  rival_id = added.rival_id
})

const load = async (answers: readonly Record<string, unknown>[]) => {
  const { refused } = await importRecords(
    ctx,
    brand,
    answers.map((answer, at) => ({ ...ANSWER, external_id: `${at}`, ...answer })),
  )
  expect(refused).toEqual([])
}
const ANSWER = {
  source_tool: 'tool',
  question: 'Which bakery?',
  engine: 'chatgpt',
  state: 'answered',
  text: 'Brotwerk',
  asked_at: '2026-11-10T05:00:00Z',
  citations: [],
}

const report = (input: Partial<BrandReportInput> = {}, evidence = stored.store) =>
  serveReport(
    { ...ctx, evidence, brand },
    {
      brandId: brand.id,
      from: '2026-11-01',
      to: '2026-11-22',
      interval: 'week',
      compare: 'none',
      ignored_parameters: [],
      ...input,
    },
  )

interface RandomAnswer extends EvaluatedAnswer {
  engine: string
  day: string
  record: Record<string, unknown>
}

/** Answers of two engines and many questions, with what a reader finds in their texts. */
function randomAnswers(count: number, seed: number): RandomAnswer[] {
  const below = seeded(seed)
  const texts = ['Nobody.', 'Brotwerk.', 'Kornhaus.', 'Brotwerk, then Kornhaus.', 'Kornhaus, then Brotwerk.']
  return Array.from({ length: count }, (_, at) => {
    const question = below(7)
    const text = texts[below(texts.length)] ?? ''
    const names = [...text.matchAll(/Brotwerk|Kornhaus/g)].map(([name]) => name === 'Brotwerk')
    const urls = [
      'https://brotwerk.example/a',
      'https://shop.brotwerk.example/',
      'https://kornhaus.example/',
      'https://x.example/',
    ]
    const cited = below(4) === 0 ? null : urls.filter(() => below(2) === 0)
    const engine = below(2) === 0 ? 'chatgpt' : 'claude'
    const day = `2026-11-${String(1 + below(21)).padStart(2, '0')}`
    const is_branded = question < 2
    return {
      question_id: `${question}`,
      is_branded,
      engine,
      day,
      mentions: names.map((is_own, index) => ({ is_own, position: index + 1, sentiment: 'unknown' })),
      citations: cited?.map((url) => ({ source: url.includes('brotwerk') ? 'own' : 'other' })) ?? null,
      record: {
        external_id: `${at}`,
        engine,
        text,
        asked_at: `${day}T05:00:00Z`,
        citations: cited?.map((url) => ({ url })) ?? null,
        question: is_branded ? `Is Brotwerk good? ${question}` : `Which bakery? ${question}`,
      },
    }
  })
}

describe('the brand report (account API 2.2)', () => {
  test('has the metrics of a plain evaluation, in total, by engine and by period', async () => {
    const answers = randomAnswers(400, 3)
    await load(answers.map(({ record }) => record))
    const found = await report()
    const evaluated = (of: RandomAnswer[]) => rounded(evaluatePlainly(of, true))
    expect(rounded(found.metrics)).toEqual(evaluated(answers))
    expect(found.by_engine.map(({ engine }) => engine)).toEqual(['chatgpt', 'claude'])
    for (const { engine, metrics, runs } of found.by_engine) {
      const of = answers.filter((answer) => answer.engine === engine)
      expect(rounded(metrics)).toEqual(evaluated(of))
      expect(runs.answered).toBe(of.length)
    }
    expect(found.series.filter(({ engine }) => engine === null).map(({ from, to }) => [from, to])).toEqual([
      ['2026-11-01', '2026-11-01'],
      ['2026-11-02', '2026-11-08'],
      ['2026-11-09', '2026-11-15'],
      ['2026-11-16', '2026-11-22'],
    ])
    for (const { from, to, engine, metrics } of found.series) {
      const of = answers.filter(
        ({ day, ...answer }) => day >= from && day <= to && (engine === null || answer.engine === engine),
      )
      expect(rounded(metrics), `${engine} ${from}`).toEqual(evaluated(of))
    }
    const lost = answers.filter(({ mentions }) => mentions.length > 0 && mentions.every(({ is_own }) => !is_own))
    expect(found.missed.reduce((sum, row) => sum + row.answers, 0)).toBe(lost.length)
    expect(found.missed.every(({ competitors }) => competitors[0]?.id === rival_id)).toBe(true)
    const others = answers.map((answer) => ({
      ...answer,
      mentions: answer.mentions.map((mention) => ({ ...mention, is_own: !mention.is_own })),
    }))
    const { visibility, share_of_voice, average_position } = evaluated(others) as Record<string, unknown>
    expect(rounded(found.competitors)).toEqual([
      { id: rival_id, name: 'Kornhaus', visibility, share_of_voice, average_position },
    ])
    expect(found.meta).toMatchObject({
      contract_version: 'brand-report/v1',
      questions: { asked: 7, active: 7, archived_asked: 0 },
      runs: { answered: 400, refused: 0, failed: 0, scheduled_not_run: 0, country_not_applied: 0 },
      completeness: { state: 'complete', gaps: [], limitations: [] },
    })
    const branded = await report({ branded: true })
    expect(rounded(branded.metrics)).toEqual(evaluated(answers.filter(({ is_branded }) => is_branded)))
  })

  test('days of imported failures and days without a run are not_asked, today is so far', async () => {
    await load([
      { asked_at: '2026-11-18T05:00:00Z' },
      { asked_at: '2026-11-19T05:00:00Z', state: 'failed', text: null },
      { asked_at: '2026-11-21T05:00:00Z', text: 'Nobody.' },
    ])
    const { series, meta } = await report({ from: '2026-11-18', interval: 'day', engines: ['chatgpt'] })
    const total = series.filter(({ engine }) => engine === null)
    expect(total.map(({ state }) => state)).toEqual(['answered', 'not_asked', 'not_asked', 'answered', 'so_far'])
    expect(total.map(({ metrics }) => metrics.visibility.value)).toEqual([1, null, null, 0, null])
    expect(meta.completeness).toEqual({ state: 'partial', gaps: [], limitations: ['one_question'] })
  })

  test('a share that rests on one question says so, also if others rest on several', async () => {
    const limitations = async () => (await report()).meta.completeness.limitations
    const unseen = { citations: null }
    await load([unseen, { ...unseen, question: 'Is Brotwerk good?' }])
    const { metrics } = await report()
    expect([metrics.visibility.clusters, metrics.share_of_voice?.clusters]).toEqual([2, 1])
    expect(await limitations()).toEqual(['one_question'])
    await load([{ ...unseen, external_id: 'more', question: 'Which bakery is open?' }])
    expect(await limitations()).toEqual([])
  })

  test('without any answer nothing is known, and without competitors there is no share of voice', async () => {
    await removeCompetitor(ctx, { account_id, brand: brand.id, competitor: rival_id })
    const { metrics, meta, by_engine, comparison } = await report({ compare: 'previous' })
    expect(metrics).toMatchObject({ visibility: { value: null, denominator: 0 }, share_of_voice: null })
    expect(meta.completeness.state).toBe('unknown')
    expect(by_engine.every(({ runs }) => runs.answered === 0)).toBe(true)
    expect(comparison).toMatchObject({
      window: { from: '2026-10-10', to: '2026-10-31' },
      verdicts: { visibility: 'not_comparable' },
      reason: 'few_questions',
    })
  })

  test('the window before is compared question by question; a new model makes it incomparable', async () => {
    const questions = ['a', 'b', 'c', 'd', 'e', 'f']
    const run = (day: string, text: string, model: string) =>
      questions.flatMap((name) =>
        [1, 2, 3, 4].map((run) => ({
          external_id: `${day} ${name} ${run} ${model}`,
          question: `Which bakery ${name}?`,
          run,
          model,
          asked_at: `${day}T0${run}:00:00Z`,
          text,
        })),
      )
    await load([...run('2026-10-20', 'Nobody.', 'm'), ...run('2026-11-10', 'Brotwerk.', 'm')])
    const compared = await report({ compare: 'previous' })
    expect(compared.comparison).toMatchObject({
      metrics: { visibility: { value: 0, denominator: 24 } },
      verdicts: { visibility: 'higher' },
    })
    expect(compared.by_engine[0]?.comparison?.verdicts.visibility).toBe('higher')
    await load(run('2026-11-11', 'Brotwerk.', 'n'))
    const changed = await report({ compare: 'previous' })
    expect(changed.comparison).toMatchObject({ verdicts: { visibility: 'not_comparable' }, reason: 'model_changed' })
    expect(changed.by_engine[0]?.models.map(({ model, answers }) => [model, answers])).toEqual([
      ['m', 24],
      ['n', 24],
    ])
  })

  test('answers without the country of the filter are counted separately', async () => {
    await load([{ country: 'CH' }])
    const { id } = await opened.control.db
      .selectFrom('questions')
      .select('id')
      .where('brand_id', '=', brand.id)
      .executeTakeFirstOrThrow()
    const answer: StorableAnswer = {
      answer_id: '00000000-0000-4000-8000-000000000009',
      question_id: id,
      content_sha256: 'a'.repeat(64),
      source_tool: null,
      external_id: null,
      country: 'CH',
      language: null,
      persona: null,
      engine: 'gemini',
      surface: 'api',
      provider: 'google',
      model: 'g',
      asked_at: Date.parse('2026-11-11'),
      run: 1,
      failure: null,
      asked_at_precision: 'instant',
      state: 'answered',
      text: 'Kornhaus',
      text_truncated: false,
      web_search: 'used',
      search_queries: null,
      citations: null,
      sources: null,
      reported_mentions: null,
      cost: null,
      cost_basis: null,
      country_applied: false,
      cited_spans: [],
    }
    await storeEngineAnswers(ctx, brand, [answer])
    const of_country = await report({ country: 'CH' })
    expect(of_country.meta.runs).toMatchObject({ answered: 1, country_not_applied: 1 })
    expect(of_country.metrics.visibility).toMatchObject({ numerator: 1, denominator: 1 })
    expect((await report()).metrics.visibility).toMatchObject({ numerator: 1, denominator: 2 })
  })

  test('while answers are to be searched for changed names, the report says so', async () => {
    await load([{ text: 'Brotwerk and Zenith' }, { external_id: 'b', question: 'Which shop?' }])
    const limitations = async () => (await report()).meta.completeness.limitations
    expect(await limitations()).toEqual([])
    const rival = { name: 'Zenith', aliases: [], domains: [] }
    await addCompetitor(ctx, { account_id, brand: brand.id, ...rival })
    expect(await limitations()).toEqual(['names_changed'])
    await evaluateMentions(ctx, brand, new AbortController().signal)
    expect(await limitations()).toEqual([])
  })

  test('no competitor has a share over 1 of answers that are stored while they are read', async () => {
    await load([{ text: 'Kornhaus' }])
    let has_loaded = false
    const evidence = new Proxy(stored.store, {
      get(store, name) {
        const member: unknown = Reflect.get(store, name, store)
        if (typeof member !== 'function') return member
        if (name !== 'all') return member.bind(store)
        return async (...asked: unknown[]) => {
          const found: Record<string, unknown>[] = await member.apply(store, asked)
          // One more answer after the first statement that counts them.
          const is_first = !has_loaded && found.some((row) => 'tracked_id' in row || 'parts' in row)
          has_loaded ||= is_first
          if (is_first) await load([{ text: 'Kornhaus', external_id: 'meanwhile' }])
          return found
        }
      },
    })
    const { competitors } = await report({}, evidence)
    expect(has_loaded).toBe(true)
    expect(competitors[0]?.visibility.value).toBeLessThanOrEqual(1)
  })

  test('answers of a removed question are in no count', async () => {
    await load([{}, { external_id: 'b', question: 'Which shop?' }])
    await opened.control.db.deleteFrom('questions').where('text', '=', 'Which shop?').execute()
    const { meta, metrics } = await report()
    expect([meta.runs.answered, meta.questions.asked, metrics.visibility.denominator]).toEqual([1, 1, 1])
  })

  test('nor in those of the previous window, in which only it may have been asked', async () => {
    const before = { external_id: 'b', question: 'Which shop?', asked_at: '2026-10-20T01:00:00Z' }
    await load([{}, { external_id: 'c', asked_at: '2026-10-20T01:00:00Z' }, before])
    const compared = async () => (await report({ compare: 'previous' })).comparison?.metrics.visibility.denominator
    expect(await compared()).toBe(2)
    await opened.control.db.deleteFrom('questions').where('text', '=', 'Which shop?').execute()
    expect(await compared()).toBe(1)
  })

  test('a filter leaves the questions that it is about, also where there are more than a list of a statement holds', async () => {
    await load([{}, { external_id: 'b', question: 'Is Brotwerk good?' }])
    const question = {
      brand_id: brand.id,
      country: null,
      tags: '[]',
      is_branded: 0 as const,
      created_at: clock.now(),
      archived_at: clock.now(),
    }
    const archived = Array.from({ length: 10_001 }, (_, at) => ({
      ...question,
      id: randomUUID(),
      text: `Which bakery? ${at}`,
      identity: `${at}`.padStart(64, '0'),
    }))
    for (let at = 0; at < archived.length; at += 1_000) {
      await opened.control.db
        .insertInto('questions')
        .values(archived.slice(at, at + 1_000))
        .execute()
    }
    const { meta, metrics } = await report({ branded: false })
    expect([meta.runs.answered, meta.questions.asked, metrics.visibility.denominator]).toEqual([1, 1, 1])
  })
})
