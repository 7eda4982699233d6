/** Scans of a double of every provider: what each response becomes, and that nothing is asked or paid twice. */
import type { RequestListener } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { removeBrand } from '#brands/brands.ts'
import { changeSettings } from '#brands/engines/settings.ts'
import { readPlanEngines } from '#brands/plan-engines.ts'
import { archiveOneQuestion, readQuestions } from '#brands/questions/questions.ts'
import { answerIdOf } from '#brands/scans/end-run.ts'
import { cancelScan } from '#brands/scans/end-scan.ts'
import { deleteOldPayloads, readPayloads } from '#brands/scans/payloads.ts'
import { runDueScans } from '#brands/scans/run-due.ts'
import { takeNextRun } from '#brands/scans/take-run.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#clock.ts'
import { ASKED_ENGINES } from '#contract/vocabulary.ts'
import type { ScanRunRow } from '#control/tables.ts'
import { inTurn } from '../../support/engine-double.ts'
import { openTestEvidence, type TestEvidence } from '../../support/evidence.ts'
import anthropic from '../engines/shapes/anthropic.json' with { type: 'json' }
import gemini from '../engines/shapes/gemini.json' with { type: 'json' }
import openai from '../engines/shapes/openai.json' with { type: 'json' }
import perplexity from '../engines/shapes/perplexity.json' with { type: 'json' }
import xai from '../engines/shapes/xai.json' with { type: 'json' }
import { KEY, openaiAnswer, openScanWorld, type ScanWorld } from './world.ts'

let stored: TestEvidence
let world: ScanWorld | undefined
beforeAll(async () => {
  stored = await openTestEvidence()
})
afterAll(() => stored.remove())
afterEach(async () => {
  await world?.opened.remove()
  world = undefined
})

async function open(answer: RequestListener): Promise<ScanWorld> {
  world = await openScanWorld(stored.store, { answer })
  return world
}

const outcome = ({ state, code, tries }: ScanRunRow) => [state, code, tries]

interface Shape {
  status: number
  headers?: Record<string, string>
  body?: unknown
  body_text?: string
}
const SHAPES: Record<(typeof ASKED_ENGINES)[number], Record<string, Shape>> = {
  chatgpt: openai.cases,
  claude: anthropic.cases as Record<string, Shape>,
  gemini: gemini.cases as Record<string, Shape>,
  perplexity: perplexity.cases as Record<string, Shape>,
  grok: xai.cases,
}

/** A response as a provider sends it, by the name of its shape; undefined: it never answers. */
const shape = (engine: keyof typeof SHAPES, name: string): Shape => {
  const { status, headers = {}, body, body_text } = SHAPES[engine][name] as Shape
  return { status, headers, body, ...(body_text === undefined ? {} : { text: body_text }) }
}

const HALF: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"status": "comp', () => response.destroy())
}

/** What a run of a scan becomes, with the number of its calls. `*`: as the engine is said to answer below. */
const KINDS: [
  kind: string,
  names: Partial<Record<string, string>> | string,
  becomes: [string, string | null, number],
][] = [
  ['success', 'success', ['answered', null, 1]],
  ['no search', 'success_without_search', ['answered', null, 1]],
  // Perplexity's refusals are plain text, and nothing is judged by words.
  ['refusal', { perplexity: '' }, ['refused', 'refused', 1]],
  ['cut answer', { perplexity: '' }, ['failed', 'incomplete', 1]],
  ['rate limit', 'rate_limited', ['failed', 'rate_limited', 4]],
  ['no credit', { chatgpt: 'no_credit', claude: 'billing' }, ['failed', 'no_credit', 1]],
  ['unknown model', { perplexity: '' }, ['failed', 'model_unknown', 1]],
]
const SHAPE_OF_KIND: Record<string, string> = {
  refusal: 'refusal',
  'cut answer': 'incomplete',
  'unknown model': 'model_unknown',
}

/** Providers whose protocol documents no response of a kind get one that means the same by its status alone. */
const UNDOCUMENTED: Record<string, Shape> = {
  'no credit': { status: 402, body: { error: { message: 'Payment required' } } },
  'unknown model': { status: 404, body: { error: { message: 'No such model' } } },
  'cut answer': {
    status: 200,
    body: { status: 'incomplete', output: [], incomplete_details: { reason: 'max_output_tokens' } },
  },
}

function responseOf(
  engine: keyof typeof SHAPES,
  kind: string,
  names: Partial<Record<string, string>> | string,
): Shape | null {
  if (typeof names === 'string') return shape(engine, names)
  const name = names[engine] ?? (kind === 'no credit' ? '' : SHAPE_OF_KIND[kind])
  return name === undefined || name === '' ? (UNDOCUMENTED[kind] ?? null) : shape(engine, name)
}

describe('every provider through a scan (account API 3)', () => {
  test.each([...ASKED_ENGINES])('%s', async (engine) => {
    let respond: RequestListener = () => undefined
    const { setUp, addBrand, start, run, runs, answers, clock, double, ctx, account_id } = await open((...of) =>
      respond(...of),
    )
    await setUp(engine)
    const scan = async (listener: RequestListener, becomes: [string, string | null, number], kind: string) => {
      respond = listener
      const brand = await addBrand([`Which bakery? (${kind})`], 'CH')
      const scan_id = await start(brand, [engine])
      for (;;) {
        await run()
        const [only] = await runs(scan_id)
        if (only?.state !== 'waiting') break
        clock.set(only.due_at)
      }
      const [only] = await runs(scan_id)
      expect(outcome(only as ScanRunRow), kind).toEqual(becomes)
      const [answer] = await answers(brand)
      expect(answer, kind).toMatchObject({ engine, state: becomes[0], code: becomes[1] ?? '', country: 'CH' })
      const given = engine === 'gemini' || engine === 'grok' ? '0' : '1'
      expect(answer?.applied, kind).toBe(given)
      clock.advance(2 * HOUR_MS)
      return answer
    }
    for (const [kind, names, becomes] of KINDS) {
      const response = responseOf(engine, kind, names)
      if (response !== null) await scan(inTurn(response), becomes, kind)
    }
    const html = { status: 200, headers: { 'content-type': 'text/html' }, text: '<html><body>Sorry' }
    await scan(inTurn(html), ['failed', 'unreadable', 1], 'HTML error page')
    await scan(HALF, ['failed', 'unreadable', 1], 'half a body')
    ctx.timeout_ms = 100
    const hung = await scan(() => undefined, ['failed', 'timeout', 2], 'hang')
    // It may have been billed.
    expect(hung).toMatchObject({ basis: 'estimated' })
    const month = await ctx.control.db.selectFrom('engine_months').selectAll().executeTakeFirstOrThrow()
    expect(month.calls).toBe(double.requests.filter(({ url }) => !url.includes('count_tokens')).length)
    expect(month.reserved_micros).toBe(0)
    const calls = await ctx.control.db.selectFrom('engine_calls').selectAll().execute()
    expect(calls.reduce((sum, { cost_micros }) => sum + Number(cost_micros), 0)).toBe(month.spent_micros)
    expect(await readPlanEngines(ctx.control.db, account_id)).toEqual([{ engine, basis: 'both' }])
  })

  test('an engine without accepted terms, key or switch is not asked', async () => {
    const { setUp, addBrand, start, runs, run, double, ctx, account_id } = await open(inTurn({ status: 200, body: {} }))
    await setUp('gemini', { terms_accepted_at: null })
    await setUp('grok', { is_enabled: 0 })
    await setUp('claude', { sealed_key: null })
    const brand = await addBrand(['Which?'])
    expect(await runs(await start(brand, ['gemini', 'grok', 'claude']))).toEqual([])
    await setUp('chatgpt')
    const scan = await start(brand, ['chatgpt'])
    await ctx.control.transaction((trx) => changeSettings(trx, { account_id, engine: 'chatgpt' }, { is_enabled: 0 }))
    expect(await run()).toBe(0)
    expect((await runs(scan)).map(outcome)).toEqual([['not_run', 'engine_off', 0]])
    expect(double.requests).toEqual([])
  })

  test('a rejected key ends the scan of its engine and of no other', async () => {
    const { setUp, addBrand, start, run, runs, ctx, answers } = await open((request, response) => {
      const is_openai = request.url?.includes('/responses') === true
      inTurn(is_openai ? shape('chatgpt', 'error') : shape('claude', 'success'))(request, response)
    })
    await setUp('chatgpt', { at_once: 1 })
    await setUp('claude')
    const brand = await addBrand(['One?', 'Two?', 'Three?'])
    const scan = await start(brand, ['chatgpt', 'claude'])
    await run()
    expect((await runs(scan)).map(({ engine, state, code }) => [engine, state, code]).sort()).toEqual([
      ['chatgpt', 'failed', 'bad_key'],
      ['chatgpt', 'not_run', 'bad_key'],
      ['chatgpt', 'not_run', 'bad_key'],
      ['claude', 'answered', null],
      ['claude', 'answered', null],
      ['claude', 'answered', null],
    ])
    const settings = await ctx.control.db.selectFrom('engine_settings').select(['engine', 'fault']).execute()
    expect(settings.find(({ engine }) => engine === 'chatgpt')?.fault).toBe('bad_key')
    expect(settings.find(({ engine }) => engine === 'claude')?.fault).toBeNull()
    const ended = await ctx.control.db.selectFrom('scans').select('state').executeTakeFirstOrThrow()
    expect(ended.state).toBe('ended')
    expect(await answers(brand)).toHaveLength(4)
    const { questions } = await readQuestions(ctx.control.db, brand.id, {
      ...{ filter: { status: 'all', kind: null, country: null }, limit: 10, offset: 0 },
    })
    expect(questions).toHaveLength(3)
  })

  test('what a provider says of waiting holds for every question of the account', async () => {
    const { setUp, addBrand, start, run, runs, clock, double } = await open(
      inTurn(shape('chatgpt', 'rate_limited'), openaiAnswer('Kornhaus, then Brotwerk.')),
    )
    await setUp('chatgpt', { at_once: 1 })
    const scan = await start(await addBrand(['One?', 'Two?']), ['chatgpt'])
    await run()
    expect(double.requests).toHaveLength(1)
    clock.advance(6_999)
    expect(await run()).toBe(0)
    clock.advance(1)
    await run()
    expect((await runs(scan)).map(({ state }) => state)).toEqual(['answered', 'answered'])
    expect(double.requests).toHaveLength(3)
  })
})

describe('what is stored of an answer', () => {
  test('its mentions, cost and sealed raw form, which ends with its question', async () => {
    const { setUp, addBrand, start, run, runs, answers, ctx, opened, clock } = await open(
      inTurn(openaiAnswer('Kornhaus, then Brotwerk.')),
    )
    await setUp('chatgpt')
    const brand = await addBrand(['Which?'])
    const scan = await start(brand, ['chatgpt'])
    await run()
    // 1,000 tokens in, 100 out, one search: 250 + 200 + 10,000 millionths.
    expect(await answers(brand)).toMatchObject([
      {
        ...{ state: 'answered', text: 'Kornhaus, then Brotwerk.', cost: '10450', basis: 'estimated', run: '1' },
        mentions: "[(0,'unknown'),(1,'unknown')]",
      },
    ])
    const [only] = (await runs(scan)) as [ScanRunRow]
    const place = { brand_id: brand.id, answer_id: answerIdOf(only) }
    const [kept] = await readPayloads(ctx, place)
    expect(JSON.parse(String(kept?.parts[0]))).toMatchObject({ id: 'resp_1' })
    expect(await opened.contents()).not.toContain(KEY)
    expect(only.pending_answer).toBeNull()
    // Files are of the machine's time.
    clock.set(Date.now())
    expect(await deleteOldPayloads(ctx)).toBe(0)
    clock.advance(30 * DAY_MS + MINUTE_MS)
    expect(await deleteOldPayloads(ctx)).toBe(1)
    expect(await readPayloads(ctx, place)).toEqual([])
  })

  test('runs are told apart, and an archived question is not asked any more', async () => {
    const { setUp, addBrand, start, run, runs, answers, ctx, double } = await open(inTurn(openaiAnswer('Brotwerk.')))
    await setUp('chatgpt')
    const brand = await addBrand(['One?', 'Two?'])
    const scan = await start(brand, ['chatgpt'], 2)
    const [first] = (await runs(scan)) as [ScanRunRow]
    await archiveOneQuestion(ctx, { brand, question_id: first.question_id })
    await run()
    expect((await runs(scan)).map(({ state, code }) => [state, code])).toEqual([
      ['not_run', 'archived'],
      ['not_run', 'archived'],
      ['answered', null],
      ['answered', null],
    ])
    expect((await answers(brand)).map((answer) => answer.run)).toEqual(['1', '2'])
    expect(double.requests).toHaveLength(2)
  })
})

describe('budgets', () => {
  test('two workers never ask twice and never exceed a budget', async () => {
    const answer = inTurn(openaiAnswer('Brotwerk.'))
    const { setUp, addBrand, start, runs, double, opened, contextOf, ctx, answers } = await open(answer)
    // Room for ten calls in calls; money is no limit.
    await setUp('chatgpt', { budget_calls: 10, at_once: 10 })
    const brand = await addBrand(Array.from({ length: 15 }, (_, index) => `Which ${index}?`))
    const scan = await start(brand, ['chatgpt'])
    const other = contextOf(await opened.open())
    const { signal } = new AbortController()
    await Promise.all([runDueScans(ctx, signal), runDueScans(other, signal)])
    const states = (await runs(scan)).map(({ state, code }) => `${state} ${code}`)
    expect(states.filter((state) => state === 'answered null')).toHaveLength(10)
    expect(states.filter((state) => state === 'not_run budget_used')).toHaveLength(5)
    expect(double.requests).toHaveLength(10)
    const asked = double.requests.map(({ body }) => (body as { input: string }).input)
    expect(new Set(asked).size).toBe(10)
    const month = await ctx.control.db.selectFrom('engine_months').selectAll().executeTakeFirstOrThrow()
    expect(month).toMatchObject({ calls: 10, reserved_micros: 0, spent_micros: 104_500, greatest_micros: 10_450 })
    expect(await answers(brand)).toHaveLength(10)
  })

  test('money that running calls may cost is set aside, and no more is spent', async () => {
    const { setUp, addBrand, start, runs, run, double, ctx } = await open(inTurn(openaiAnswer('Brotwerk.')))
    // A typical answer is expected to cost 35,750 millionths, and four times that is set aside.
    await setUp('chatgpt', { budget_micros: 150_000, at_once: 10 })
    const scan = await start(await addBrand(Array.from({ length: 20 }, (_, index) => `Which ${index}?`)), ['chatgpt'])
    await run()
    const month = await ctx.control.db.selectFrom('engine_months').selectAll().executeTakeFirstOrThrow()
    expect(month.spent_micros).toBe(10_450 * double.requests.length)
    expect(month.spent_micros).toBeLessThanOrEqual(150_000)
    expect((await runs(scan)).filter(({ code }) => code === 'budget_used')).toHaveLength(20 - double.requests.length)
  })

  test('no more calls of an engine run side by side than are allowed, over all processes', async () => {
    let open_now = 0
    let most = 0
    const waiting: (() => void)[] = []
    const { setUp, addBrand, start, opened, contextOf, ctx, runs } = await open((request, response) => {
      most = Math.max(most, ++open_now)
      const answer = () => {
        open_now--
        inTurn(openaiAnswer('Brotwerk.'))(request, response)
      }
      waiting.push(answer)
    })
    await setUp('chatgpt', { at_once: 2 })
    const scan = await start(await addBrand(['1?', '2?', '3?', '4?', '5?']), ['chatgpt'])
    const other = contextOf(await opened.open())
    const { signal } = new AbortController()
    const all = Promise.all([runDueScans(ctx, signal), runDueScans(other, signal)])
    let answered = 0
    while (answered < 5) {
      await expect.poll(() => waiting.length).toBeGreaterThan(0)
      waiting.shift()?.()
      answered++
    }
    await all
    // A worker that found no room has gone; the next round asks what is left.
    await runDueScans(ctx, signal)
    expect(most).toBe(2)
    expect((await runs(scan)).every(({ state }) => state === 'answered')).toBe(true)
  })
})

describe('restarts', () => {
  test('a call without an end is interrupted, counts, and is not made again', async () => {
    const { setUp, addBrand, start, run, runs, ctx, clock, double, answers } = await open(
      inTurn(openaiAnswer('Brotwerk.')),
    )
    await setUp('chatgpt')
    const brand = await addBrand(['Which?'])
    const scan = await start(brand, ['chatgpt'])
    // The process ends after it stored what it was about to ask.
    expect(await takeNextRun(ctx.control, clock.now())).not.toBeNull()
    await run()
    expect((await runs(scan)).map(outcome)).toEqual([['asking', null, 1]])
    clock.advance(10 * MINUTE_MS)
    await run()
    expect((await runs(scan)).map(outcome)).toEqual([['failed', 'interrupted', 1]])
    expect(double.requests).toEqual([])
    expect(await answers(brand)).toMatchObject([{ state: 'failed', code: 'interrupted', basis: 'estimated' }])
    const month = await ctx.control.db.selectFrom('engine_months').selectAll().executeTakeFirstOrThrow()
    expect(month).toMatchObject({ calls: 1, reserved_micros: 0, spent_micros: 35_750 })
    await run()
    expect(double.requests).toEqual([])
  })

  test('a service that stops while it asks leaves an interrupted call', async () => {
    const { setUp, addBrand, start, runs, ctx, double } = await open(() => undefined)
    await setUp('chatgpt')
    const scan = await start(await addBrand(['Which?']), ['chatgpt'])
    const stopping = new AbortController()
    const stopped = expect(runDueScans(ctx, stopping.signal)).rejects.toThrow('stopped')
    await expect.poll(() => double.requests.length).toBe(1)
    stopping.abort(new Error('stopped'))
    await stopped
    expect((await runs(scan)).map(outcome)).toEqual([['failed', 'interrupted', 1]])
  })

  test('an answer that was paid for reaches the evidence after a crash between the stores', async () => {
    const { setUp, addBrand, start, run, runs, ctx, answers, double } = await open(inTurn(openaiAnswer('Brotwerk.')))
    await setUp('chatgpt')
    const brand = await addBrand(['Which?'])
    const scan = await start(brand, ['chatgpt'])
    const failing = { ...ctx.evidence, insert: () => Promise.reject(new Error('the disk is full')) }
    await runDueScans({ ...ctx, evidence: failing as typeof ctx.evidence }, new AbortController().signal)
    expect(await answers(brand)).toEqual([])
    expect((await runs(scan)).map(outcome)).toEqual([['answered', null, 1]])
    await run()
    expect(await answers(brand)).toMatchObject([{ state: 'answered', text: 'Brotwerk.' }])
    await run()
    expect(await answers(brand)).toHaveLength(1)
    expect(double.requests).toHaveLength(1)
  })

  test('a cancelled scan asks nothing more, and a removed brand takes its scans with it', async () => {
    const { setUp, addBrand, start, run, runs, ctx, clock, double, account_id } = await open(
      inTurn(shape('chatgpt', 'overloaded')),
    )
    await setUp('chatgpt', { at_once: 1 })
    const brand = await addBrand(['One?', 'Two?'])
    const scan = await start(brand, ['chatgpt'])
    await run()
    await ctx.control.transaction((trx) => cancelScan(trx, { id: scan }, clock.now()))
    clock.advance(HOUR_MS)
    expect(await run()).toBe(0)
    expect((await runs(scan)).every(({ state, code }) => state === 'failed' && code === 'overloaded')).toBe(true)
    expect(double.requests).toHaveLength(2)
    await removeBrand(ctx, { account_id, brand: brand.id })
    expect(await runs(scan)).toEqual([])
  })
})
