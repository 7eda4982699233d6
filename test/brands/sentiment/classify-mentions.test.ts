/** Stored mentions are classified when a person agreed to the price, and never twice (account API 4). */
import Type from 'typebox'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { evaluateMentions } from '#brands/answers/evaluate-mentions.ts'
import { editBrand } from '#brands/brands.ts'
import { beginCall, endCall, interruptedEnd } from '#brands/engines/budget.ts'
import { perplexity } from '#brands/engines/perplexity.ts'
import { findSettings } from '#brands/engines/settings.ts'
import type { FoundBrand } from '#brands/find-brand.ts'
import { classifyMentions } from '#brands/sentiment/classify-mentions.ts'
import type { ManagementInput, ManagementOperationId } from '#contract/management-api/index.ts'
import { rows, uuid } from '#evidence/sql.ts'
import { type OperatorContext, runOperation } from '#surfaces/operator/operations.ts'
import { importRecords } from '../../support/brands.ts'
import { inTurn } from '../../support/engine-double.ts'
import { openTestEvidence, type TestEvidence } from '../../support/evidence.ts'
import { openScanWorld, type ScanWorld } from '../scans/world.ts'

let stored: TestEvidence
let world: ScanWorld
let brand: FoundBrand
let said: { text: string; dollars: number }
beforeAll(async () => {
  stored = await openTestEvidence()
})
afterAll(() => stored.remove())
beforeEach(async () => {
  said = { text: '1: mixed\n2: positive', dollars: 0.001 }
  const body = () => ({
    id: 'r',
    status: 'completed',
    model: 'sonar',
    usage: { cost: { total_cost: said.dollars } },
    output: [{ type: 'message', content: [{ type: 'output_text', text: said.text, annotations: [] }] }],
  })
  world = await openScanWorld(stored.store, { answer: (...of) => inTurn({ status: 200, body: body() })(...of) })
  await world.setUp('perplexity')
  brand = await world.addBrand(['One?'])
})
afterEach(() => world.opened.remove())

function manage<Id extends ManagementOperationId>(id: Id, input: ManagementInput<Id>) {
  const { ctx, account_id } = world
  const services = {
    ...ctx,
    account_id,
    is_clock_simulated: false,
    classifySoon: () => {},
    crawlers: async () => ({ evidence: stored.store }),
  }
  return runOperation(services as unknown as OperatorContext, id, input)
}

const choose = () => manage('engine.sentiment', { engine: 'perplexity', accepts_sending: true })
const plan = () => manage('answers.classification', { brand: brand.id })
const classify = (at_most_micros: number) => manage('answers.classify', { brand: brand.id, at_most_micros })
const work = () => classifyMentions(world.ctx, new AbortController().signal)

/** Answers of the last days that name both, by their engines. */
async function load(...engines: string[]): Promise<void> {
  const answers = engines.map((engine, at) => ({
    source_tool: 'tool',
    external_id: `${at}`,
    question: 'One?',
    engine,
    state: 'answered',
    run: 1,
    asked_at: `2026-11-1${at}T05:00:00Z`,
    text: 'Kornhaus is fine. Brotwerk is better.',
    citations: [],
  }))
  await importRecords(world.ctx, brand, answers, { create_questions: 'none' })
}

/** What counts of each answer, newest first: the tone about the brand, and about everybody named. */
async function readTones(): Promise<[string, string][]> {
  const found = await stored.store.all(
    rows(Type.Object({ own: Type.String(), all: Type.String() }))`
      SELECT toString(own_sentiment) AS own, toString(tones) AS all
      FROM spoor.counted_answers AS counted FINAL
      INNER JOIN (
        SELECT answer_id, groupArray(toString(sentiment)) AS tones
        FROM (SELECT * FROM spoor.answer_mentions FINAL WHERE brand_id = ${uuid(brand.id)} ORDER BY answer_id, position)
        GROUP BY answer_id) AS named ON named.answer_id = counted.answer_id
      WHERE brand_id = ${uuid(brand.id)} ORDER BY day DESC`,
  )
  return found.map(({ own, all }) => [own, all])
}

const CLASSIFIED = ['positive', "['mixed','positive']"]
const OPEN = ['unknown', "['unknown','unknown']"]

test('the price is shown first, and an engine must be chosen, can be asked and is agreed to', async () => {
  await load('chatgpt', 'claude', 'gemini', 'copilot')
  expect(await plan()).toMatchObject({ engine: null, answers: 2, left_out: 2, estimate_micros: 0, last: null })
  await expect(classify(0)).rejects.toMatchObject({ kind: 'conflict' })
  await choose()
  const { engine, estimate_micros, at_most_micros } = await plan()
  expect([engine, at_most_micros]).toEqual(['perplexity', 2 * estimate_micros])
  expect(estimate_micros).toBeGreaterThan(0)
  await expect(classify(estimate_micros - 1)).rejects.toMatchObject({ kind: 'conflict' })
  expect(await work()).toBe(0)
  expect(world.double.requests).toEqual([])
})

test('one call for each answer that may be sent; its result counts, and a repeat makes no call', async () => {
  await load('chatgpt', 'gemini', 'claude')
  await choose()
  await classify(1_000_000)
  await expect(classify(1_000_000)).rejects.toMatchObject({ kind: 'conflict' })
  expect(await work()).toBe(2)
  expect(await readTones()).toEqual([CLASSIFIED, OPEN, CLASSIFIED])
  expect(world.double.requests).toHaveLength(2)
  expect(JSON.stringify(world.double.requests[0]?.body)).toContain('Kornhaus is fine.')
  const last = { state: 'ended', code: 'done', answers: 2, asked: 2, classified: 2, spent_micros: 2_000 }
  expect(await plan()).toMatchObject({ answers: 0, left_out: 1, last })
  expect(await work()).toBe(0)
  await expect(classify(1_000_000)).rejects.toMatchObject({ kind: 'conflict' })
})

test('a free place of the engine is waited for, and no answer is left out', async () => {
  const { ctx, account_id, setUp } = world
  await load('chatgpt', 'claude')
  await setUp('perplexity', { at_once: 1 })
  await choose()
  await classify(1_000_000)
  const row = await findSettings(ctx.control.db, { account_id, engine: 'perplexity' })
  if (row === null) throw new Error('the engine is set up')
  const place = { purpose: 'test', scan_id: null, question_id: null, run_engine: null, run: null, try: 1 } as const
  const now = ctx.clock.now()
  const call = await ctx.control.transaction((trx) => beginCall(trx, { adapter: perplexity, row, place, now }))
  if (typeof call === 'string') throw new Error('the budget has room')
  expect(await work()).toBe(0)
  await ctx.control.transaction((trx) => endCall(trx, call, interruptedEnd(call, now)))
  expect(await work()).toBe(2)
  expect(await readTones()).toEqual([CLASSIFIED, CLASSIFIED])
})

test('labels survive new names, which are waited for', async () => {
  await load('chatgpt', 'claude')
  await choose()
  await classify(1_000_000)
  brand = await editBrand(world.ctx, { account_id: world.account_id, brand: brand.id, aliases: ['Brotwerk', 'fine'] })
  expect(await work()).toBe(0)
  await evaluateMentions(world.ctx, brand, new AbortController().signal)
  expect(await work()).toBe(2)
  brand = await editBrand(world.ctx, { account_id: world.account_id, brand: brand.id, aliases: ['Brotwerk'] })
  await evaluateMentions(world.ctx, brand, new AbortController().signal)
  await evaluateMentions(world.ctx, brand, new AbortController().signal)
  expect(await readTones()).toEqual([CLASSIFIED, CLASSIFIED])
})

test('nothing more is asked once the agreed price would be passed', async () => {
  await load('chatgpt', 'claude', 'chatgpt', 'claude')
  await choose()
  said.dollars = 1
  await classify((await plan()).estimate_micros)
  // Two at once: what the first ones cost is known after them.
  expect(await work()).toBe(2)
  expect((await plan()).last).toMatchObject({ code: 'price_reached', asked: 2, spent_micros: 2_000_000 })
  expect(await readTones()).toEqual([CLASSIFIED, CLASSIFIED, OPEN, OPEN])
})

test('an answer without a result is not sent again by the same classification, even after a crash', async () => {
  await load('chatgpt')
  await choose()
  said.text = 'I would rather not.'
  await classify(1_000_000)
  expect(await work()).toBe(1)
  expect((await plan()).last).toMatchObject({ code: 'done', asked: 1, classified: 0 })
  const { db } = world.ctx.control
  await db.updateTable('classifications').set({ state: 'running', after_day: null, ended_at: null }).execute()
  expect(await work()).toBe(0)
  expect(world.double.requests).toHaveLength(1)
})

test('it is cancelled, and a budget without room ends it', async () => {
  await load('chatgpt')
  await choose()
  await classify(1_000_000)
  expect(await manage('answers.classify_cancel', { brand: brand.id })).toEqual({ was_running: true })
  expect(await manage('answers.classify_cancel', { brand: brand.id })).toEqual({ was_running: false })
  expect(await work()).toBe(0)
  await manage('engine.budget', { engine: 'perplexity', calls: 0 })
  world.clock.advance(1)
  await classify(1_000_000)
  expect(await work()).toBe(0)
  expect((await plan()).last).toMatchObject({ state: 'ended', code: 'budget_used', asked: 0 })
})

test('answers of a removed question are not sent, nor in the price', async () => {
  await choose()
  await load('chatgpt')
  await classify((await plan()).at_most_micros)
  await world.ctx.control.db.deleteFrom('questions').where('brand_id', '=', brand.id).execute()
  expect(await plan()).toMatchObject({ answers: 0, estimate_micros: 0 })
  expect(await work()).toBe(0)
})
