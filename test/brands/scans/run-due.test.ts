/** Scans of doubles of providers: nothing is asked or paid twice, and no budget is exceeded. */
import type { RequestListener } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { serveAnswers } from '#brands/answers/serve-answers.ts'
import { removeBrand } from '#brands/brands.ts'
import { readMonth } from '#brands/engines/budget.ts'
import { changeSettings, findSettings } from '#brands/engines/settings.ts'
import { archiveOneQuestion, readQuestions } from '#brands/questions/questions.ts'
import { cancelScan } from '#brands/scans/end-scan.ts'
import { answerIdOf } from '#brands/scans/finish-run.ts'
import { deleteOldPayloads, readPayloads } from '#brands/scans/payloads.ts'
import { runDueScans } from '#brands/scans/run-due.ts'
import { takeNextRun } from '#brands/scans/take-run.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#clock.ts'
import type { ScanRunRow } from '#control/tables.ts'
import { inTurn } from '../../support/engine-double.ts'
import { openTestEvidence, type TestEvidence } from '../../support/evidence.ts'
import anthropic from '../engines/shapes/anthropic.json' with { type: 'json' }
import openai from '../engines/shapes/openai.json' with { type: 'json' }
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

/** A response of a provider, by the name of its shape. */
const shape = (engine: 'chatgpt' | 'claude', name: 'error' | 'success' | 'rate_limited' | 'overloaded') =>
  (engine === 'chatgpt' ? openai : anthropic).cases[name]

describe('scans (account API 3)', () => {
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
      filter: { status: 'all', kind: null, country: null },
      limit: 10,
      offset: 0,
    })
    expect(questions).toHaveLength(3)
  })

  test('what waited for another try when its engine failed for good is a failed answer too', async () => {
    const { setUp, addBrand, start, run, runs, clock, answers } = await open(
      inTurn(shape('chatgpt', 'overloaded'), shape('chatgpt', 'error')),
    )
    await setUp('chatgpt', { at_once: 1 })
    const brand = await addBrand(['One?', 'Two?', 'Three?'], 'CH')
    const scan = await start(brand, ['chatgpt'])
    await run()
    clock.advance(MINUTE_MS)
    await run()
    expect((await runs(scan)).map(outcome).sort()).toEqual([
      ['failed', 'bad_key', 1],
      ['failed', 'overloaded', 1],
      ['not_run', 'bad_key', 0],
    ])
    const failed = (await answers(brand)).map(({ state, code, country }) => [state, code, country]).sort()
    expect(failed).toEqual([
      ['failed', 'bad_key', 'CH'],
      ['failed', 'overloaded', 'CH'],
    ])
  })

  test('a provider’s request to wait applies to every question of the account', async () => {
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

  test('a request to wait for longer than a question is tried again applies to the other questions', async () => {
    const tooMany = { ...shape('chatgpt', 'rate_limited'), headers: { 'retry-after': '7200' } }
    const { setUp, addBrand, start, run, runs, clock, double } = await open(inTurn(tooMany, openaiAnswer('Brotwerk.')))
    await setUp('chatgpt', { at_once: 1 })
    const scan = await start(await addBrand(['One?', 'Two?']), ['chatgpt'])
    await run()
    expect((await runs(scan)).map(outcome).sort()).toEqual([
      ['failed', 'rate_limited', 1],
      ['waiting', null, 0],
    ])
    clock.advance(2 * HOUR_MS - 1)
    expect(await run()).toBe(0)
    expect(double.requests).toHaveLength(1)
    clock.advance(1)
    await run()
    expect((await runs(scan)).map(({ state }) => state).sort()).toEqual(['answered', 'failed'])
  })

  test.each([
    ['for a day', '9000000000000000s', DAY_MS],
    ['to the next millisecond', '4000.0748s', 4_000_075],
  ])('a request of Gemini to wait is believed %s', async (_how, retryDelay, wait_ms) => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay }]
    const { setUp, addBrand, start, run, clock, account_id, ctx } = await open(
      inTurn({ status: 429, body: { error: { code: 429, message: 'Wait.', status: 'RESOURCE_EXHAUSTED', details } } }),
    )
    await setUp('gemini', { at_once: 1 })
    await start(await addBrand(['One?', 'Two?']), ['gemini'])
    await run()
    const settings = await findSettings(ctx.control.db, { account_id, engine: 'gemini' })
    expect(settings?.paused_until).toBe(clock.now() + wait_ms)
  })

  test('a call that timed out is made again once, whatever the second one meets', async () => {
    const { setUp, addBrand, start, run, runs, clock, double } = await open(
      inTurn({ status: 408, body: {} }, shape('chatgpt', 'overloaded')),
    )
    await setUp('chatgpt')
    const scan = await start(await addBrand(['One?']), ['chatgpt'])
    for (let round = 0; round < 4; round++) {
      await run()
      clock.advance(10 * MINUTE_MS)
    }
    expect((await runs(scan)).map(outcome)).toEqual([['failed', 'overloaded', 2]])
    expect(double.requests).toHaveLength(2)
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
        state: 'answered',
        text: 'Kornhaus, then Brotwerk.',
        cost: '10450',
        basis: 'estimated',
        run: '1',
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

  test('an answer without a visible character is empty', async () => {
    const { setUp, addBrand, start, run, answers } = await open(inTurn(openaiAnswer('\u200b\n\u2060')))
    await setUp('chatgpt')
    const brand = await addBrand(['Which?'])
    await start(brand, ['chatgpt'])
    await run()
    expect(await answers(brand)).toMatchObject([{ state: 'refused', code: 'empty' }])
  })

  test('half of a character is replaced, so that it stops neither this answer nor the next scans', async () => {
    const { setUp, addBrand, start, run, runs, answers } = await open(
      inTurn(openaiAnswer('Kornhaus \ud83c, then Brotwerk.')),
    )
    await setUp('chatgpt')
    const brand = await addBrand(['Which?'])
    const scan = await start(brand, ['chatgpt'])
    await run()
    expect(await answers(brand)).toMatchObject([
      { state: 'answered', text: 'Kornhaus \ufffd, then Brotwerk.', mentions: "[(0,'unknown'),(1,'unknown')]" },
    ])
    expect((await runs(scan)).map(({ pending_answer }) => pending_answer)).toEqual([null])
  })

  test.each([
    ['usage', { usage: { input_tokens: 2 ** 64 - 1, output_tokens: 100 } }],
    ['searches', { tool_usage: { web_search: { num_requests: 2 ** 50 } } }],
  ])('%s that no call can have costs its estimate, and stops no later scan', async (_name, change) => {
    const answer = openaiAnswer('Brotwerk.')
    const { setUp, addBrand, start, run, runs, answers, account_id, ctx } = await open(
      inTurn({ ...answer, body: { ...answer.body, ...change } }, answer),
    )
    await setUp('chatgpt')
    const brand = await addBrand(['Which?'])
    const scans = [await start(brand, ['chatgpt']), await start(brand, ['chatgpt'])]
    await run()
    for (const scan of scans) expect((await runs(scan)).map(outcome)).toEqual([['answered', null, 1]])
    // That of a typical answer: 15,000 tokens in, 1,000 out, three searches.
    expect((await answers(brand)).map(({ cost }) => cost).sort()).toEqual(['10450', '35750'])
    const { spent_micros } = await readMonth(ctx.control.db, { account_id, engine: 'chatgpt' }, '2026-11')
    expect(spent_micros).toBe(10_450 + 35_750)
  })

  test('runs have numbers, and an archived question is no longer asked', async () => {
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

  test('half of a character within a list of an answer is replaced, too', async () => {
    const { status, body } = openaiAnswer('Brotwerk.')
    const searched = {
      type: 'web_search_call',
      status: 'completed',
      action: { type: 'search', queries: ['bread \ud83c'], sources: [] },
    }
    const { setUp, addBrand, start, run, ctx } = await open(
      inTurn({ status, body: { ...body, output: [searched, ...body.output] } }),
    )
    await setUp('chatgpt')
    const brand = await addBrand(['Which?'])
    await start(brand, ['chatgpt'])
    await run()
    const asked = { from: '2026-11-20', to: '2026-11-20', limit: 1, ignored_parameters: [], brandId: brand.id }
    const { answers } = await serveAnswers({ ...ctx, brand }, asked)
    expect(answers[0]?.search_queries).toEqual(['bread \ufffd'])
  })
})

describe('sentiment', () => {
  const judgement = {
    status: 200,
    body: {
      type: 'message',
      model: 'claude-haiku-4-5',
      stop_reason: 'end_turn',
      content: [{ type: 'text', text: '1: positive\n2: mixed' }],
      usage: { input_tokens: 100, output_tokens: 10 },
    },
  }

  test('keeps the sentiment of answers that end together', async () => {
    const judging: (() => void)[] = []
    const { setUp, addBrand, start, run, ctx, account_id, answers, double } = await open(async (request, response) => {
      const is_judged = request.url?.includes('/messages') === true
      const reply = () => inTurn(is_judged ? judgement : openaiAnswer('Kornhaus, then Brotwerk.'))(request, response)
      const asked = double.requests.filter(({ url }) => url.includes('/responses')).length
      if (is_judged) return void judging.push(reply)
      // The second answer comes while the first is being judged.
      if (asked === 2) await expect.poll(() => judging.length).toBe(1)
      reply()
    })
    await setUp('chatgpt', { at_once: 2 })
    await setUp('claude')
    const accepted = { account_id, engine: 'claude', accepted_at: 1 }
    await ctx.control.db.insertInto('sentiment_settings').values(accepted).execute()
    const brand = await addBrand(['One?', 'Two?'])
    await start(brand, ['chatgpt'])
    const done = run()
    const { db } = ctx.control
    const pending = async () =>
      (await db.selectFrom('scan_runs').select('run').where('pending_answer', 'is not', null).execute()).length
    await expect.poll(pending).toBe(2)
    judging.shift()?.()
    // Either the other waits for the first, or it is judged at the same time: then the first is stored before.
    await expect.poll(() => judging.length).toBe(1)
    await expect.poll(() => answers(brand)).toHaveLength(1)
    judging.shift()?.()
    await done
    const all = "[(0,'mixed'),(1,'positive'),(0,'mixed'),(1,'positive')]"
    expect((await answers(brand)).map(({ mentions }) => mentions)).toEqual([all, all])
    expect(double.requests).toHaveLength(4)
  })

  test('is kept where the answer cannot be stored at once', async () => {
    const { setUp, addBrand, start, run, ctx, account_id, answers, double } = await open((request, response) => {
      const is_judged = request.url?.includes('/messages') === true
      inTurn(is_judged ? judgement : openaiAnswer('Kornhaus, then Brotwerk.'))(request, response)
    })
    await setUp('chatgpt')
    await setUp('claude')
    const accepted = { account_id, engine: 'claude', accepted_at: 1 }
    await ctx.control.db.insertInto('sentiment_settings').values(accepted).execute()
    const brand = await addBrand(['One?'])
    await start(brand, ['chatgpt'])
    const failing = { ...ctx.evidence, insert: () => Promise.reject(new Error('the disk is full')) }
    await runDueScans({ ...ctx, evidence: failing as typeof ctx.evidence }, new AbortController().signal)
    expect(await answers(brand)).toEqual([])
    await run()
    expect(await answers(brand)).toMatchObject([{ mentions: "[(0,'mixed'),(1,'positive')]" }])
    expect(double.requests).toHaveLength(2)
  })

  test('counts among the calls of its engine that run at the same time', async () => {
    let open_now = 0
    let most = 0
    const waiting: (() => void)[] = []
    const { setUp, addBrand, start, run, ctx, account_id, answers, double } = await open((request, response) => {
      most = Math.max(most, ++open_now)
      const is_judged = JSON.stringify(double.requests.at(-1)?.body).includes('Classify')
      const text = is_judged ? '1: positive\n2: mixed' : 'Kornhaus, then Brotwerk.'
      waiting.push(() => {
        open_now--
        inTurn(openaiAnswer(text))(request, response)
      })
    })
    await setUp('chatgpt', { at_once: 2 })
    const accepted = { account_id, engine: 'chatgpt', accepted_at: 1 }
    await ctx.control.db.insertInto('sentiment_settings').values(accepted).execute()
    const brand = await addBrand(['1?', '2?', '3?', '4?', '5?', '6?'])
    await start(brand, ['chatgpt'])
    let is_done = false
    const all = run()
      .then(run)
      .finally(() => {
        is_done = true
      })
    await expect.poll(() => waiting.length).toBe(2)
    while (!is_done) {
      await expect.poll(() => waiting.length > 0 || is_done).toBe(true)
      waiting.shift()?.()
    }
    await all
    expect(most).toBe(2)
    const found = await answers(brand)
    expect(found).toHaveLength(6)
    expect(found[0]?.mentions).not.toContain('unknown')
    expect(double.requests).toHaveLength(12)
  })

  test('an engine that asked to wait judges nothing until then, and is asked no question', async () => {
    const tooMany = { status: 429, headers: { 'retry-after': '60' }, body: {} }
    const { setUp, addBrand, start, run, ctx, account_id, clock, double } = await open((request, response) => {
      const is_judged = request.url?.includes('/messages') === true
      inTurn(is_judged ? tooMany : openaiAnswer('Kornhaus, then Brotwerk.'))(request, response)
    })
    await setUp('chatgpt', { at_once: 1 })
    await setUp('claude')
    const accepted = { account_id, engine: 'claude', accepted_at: 1 }
    await ctx.control.db.insertInto('sentiment_settings').values(accepted).execute()
    await start(await addBrand(['One?', 'Two?']), ['chatgpt'])
    await run()
    const sent = () => double.requests.filter(({ url }) => url.includes('/messages')).length
    expect(sent()).toBe(1)
    await start(await addBrand(['Three?']), ['claude'])
    clock.advance(59_999)
    expect(await run()).toBe(0)
    clock.advance(1)
    expect(await run()).toBe(1)
    expect(sent()).toBe(2)
  })
})

describe('budgets', () => {
  test('two workers never ask twice and never exceed a budget', async () => {
    const answer = inTurn(openaiAnswer('Brotwerk.'))
    const { setUp, addBrand, start, runs, double, openOther, ctx, answers } = await open(answer)
    // Room for ten calls in calls; money does not limit them.
    await setUp('chatgpt', { budget_calls: 10, at_once: 10 })
    const brand = await addBrand(Array.from({ length: 15 }, (_, index) => `Which ${index}?`))
    const scan = await start(brand, ['chatgpt'])
    const other = await openOther()
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

  test('what running calls have set aside is waited for, and the budget is used as far as it goes', async () => {
    const { setUp, addBrand, start, runs, run, double, ctx } = await open(inTurn(openaiAnswer('Brotwerk.')))
    // The first call sets aside 143,000 millionths and costs 10,450; then 41,800 are set aside for each.
    await setUp('chatgpt', { budget_micros: 150_000, at_once: 2 })
    const scan = await start(await addBrand(Array.from({ length: 8 }, (_, index) => `Which ${index}?`)), ['chatgpt'])
    await run()
    expect((await runs(scan)).map(({ state }) => state)).toEqual(Array.from({ length: 8 }, () => 'answered'))
    expect(double.requests).toHaveLength(8)
    const month = await ctx.control.db.selectFrom('engine_months').selectAll().executeTakeFirstOrThrow()
    expect(month).toMatchObject({ calls: 8, reserved_micros: 0, spent_micros: 83_600 })
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

  test('no more calls of an engine run at the same time than are allowed, over all processes', async () => {
    let open_now = 0
    let most = 0
    const waiting: (() => void)[] = []
    const { setUp, addBrand, start, openOther, ctx, runs } = await open((request, response) => {
      most = Math.max(most, ++open_now)
      const answer = () => {
        open_now--
        inTurn(openaiAnswer('Brotwerk.'))(request, response)
      }
      waiting.push(answer)
    })
    await setUp('chatgpt', { at_once: 2 })
    const scan = await start(await addBrand(['1?', '2?', '3?', '4?', '5?']), ['chatgpt'])
    const other = await openOther()
    const { signal } = new AbortController()
    const all = Promise.all([runDueScans(ctx, signal), runDueScans(other, signal)])
    let answered = 0
    // None is answered before as many run as may.
    await expect.poll(() => waiting.length).toBe(2)
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

describe('long scans', () => {
  test('the scan of another brand that is due meanwhile begins on its day', async () => {
    let asked = 0
    const answer = inTurn(openaiAnswer('Brotwerk.'))
    const { setUp, addBrand, start, run, runs, ctx, clock, double } = await open((request, response) => {
      // The first question is answered only after the other scan was due, and after midnight.
      if (asked++ === 0) clock.advance(13 * HOUR_MS)
      answer(request, response)
    })
    await setUp('chatgpt')
    const [first, second] = [await addBrand(['Which?']), await addBrand(['Another?'])]
    const schedule = { brand_id: second.id, hour: 23, runs: 1, is_paused: 0, since: clock.now() } as const
    await ctx.control.db.insertInto('scan_schedules').values(schedule).execute()
    await start(first, ['chatgpt'])
    expect(await run()).toBe(2)
    expect(double.requests).toHaveLength(2)
    const due = await ctx.control.db.selectFrom('scans').selectAll().where('brand_id', '=', second.id).execute()
    expect(due).toMatchObject([{ day: '2026-11-20', cause: 'schedule', state: 'ended' }])
    expect((await runs(due[0]?.id ?? '')).map(outcome)).toEqual([['answered', null, 1]])
  })

  test('a run asks nothing more before its job is broken off, and the next one goes on', async () => {
    const answer = inTurn(openaiAnswer('Brotwerk.'))
    const { setUp, addBrand, start, run, clock } = await open((request, response) => {
      clock.advance(23 * HOUR_MS)
      answer(request, response)
    })
    await setUp('chatgpt', { at_once: 1 })
    await start(await addBrand(['One?', 'Two?']), ['chatgpt'])
    expect(await run()).toBe(1)
    expect(await run()).toBe(1)
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

  test('a cancelled scan asks nothing more, and a removed brand removes its scans', async () => {
    const { setUp, addBrand, start, run, runs, answers, ctx, clock, double, account_id } = await open(
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
    expect((await answers(brand)).map(({ state, code }) => [state, code])).toEqual([
      ['failed', 'overloaded'],
      ['failed', 'overloaded'],
    ])
    expect(double.requests).toHaveLength(2)
    await removeBrand(ctx, { account_id, brand: brand.id })
    expect(await runs(scan)).toEqual([])
  })
})
