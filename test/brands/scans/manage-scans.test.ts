/** Engines and scans as people steer them, up to what reaches the evidence. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addPlanEngine, readPlanEngines } from '#brands/plan-engines.ts'
import { endAnswerRetention } from '#brands/scans/answer-retention.ts'
import { DAY_MS } from '#clock.ts'
import type { ManagementInput, ManagementOperationId } from '#contract/management-api/index.ts'
import { checkEngines, readEngines } from '#health/engines.ts'
import type { OperatorContext } from '#surfaces/operator/operations.ts'
import { runOperation } from '#surfaces/operator/operations.ts'
import { inTurn } from '../../support/engine-double.ts'
import { openTestEvidence, type TestEvidence } from '../../support/evidence.ts'
import { KEY, openaiAnswer, openScanWorld, type ScanWorld } from './world.ts'

let stored: TestEvidence
let world: ScanWorld
let requested: number
let respond: Parameters<typeof inTurn>[0]
beforeAll(async () => {
  stored = await openTestEvidence()
})
afterAll(() => stored.remove())
beforeEach(async () => {
  respond = openaiAnswer('Kornhaus is fine. Brotwerk is better.')
  requested = 0
  world = await openScanWorld(stored.store, { answer: (...of) => inTurn(respond)(...of) })
})
afterEach(() => world.opened.remove())

function manage<Id extends ManagementOperationId>(id: Id, input: ManagementInput<Id>) {
  const { ctx, account_id } = world
  const services = {
    ...ctx,
    account_id,
    is_clock_simulated: false,
    scanSoon: () => requested++,
    crawlers: async () => ({ evidence: stored.store }),
  }
  return runOperation(services as unknown as OperatorContext, id, input)
}

const health = () => checkEngines({ control: world.ctx.control, clock: world.clock })

describe('engines', () => {
  test('a key switches an engine on, is stored encrypted, and is deleted with it', async () => {
    const { engines } = await manage('engine.list', {})
    expect(engines.map(({ engine, obstacle }) => [engine, obstacle])).toEqual([
      ['chatgpt', 'off'],
      ['claude', 'off'],
      ['gemini', 'off'],
      ['perplexity', 'off'],
      ['grok', 'off'],
    ])
    expect(await manage('engine.set_key', { engine: 'claude', api_key: ` ${KEY}\n` })).toMatchObject({
      obstacle: null,
      has_key: true,
      is_enabled: true,
      month: { calls: 0, budget_calls: 1_000, spent_micros: 0, budget_micros: 10_000_000, has_room: true },
    })
    expect(await world.opened.contents()).not.toContain(KEY)
    expect(await manage('engine.disable', { engine: 'claude' })).toMatchObject({ obstacle: 'off', has_key: true })
    await manage('engine.remove', { engine: 'claude' })
    const after = await manage('engine.list', {})
    expect(after.engines.find(({ engine }) => engine === 'claude')).toMatchObject({ has_key: false })
  })

  test('an engine that is only imported leaves the plan, too', async () => {
    const { account_id } = world
    const { db } = world.ctx.control
    await addPlanEngine(db, { account_id, engine: 'copilot', reason: 'has_answers' })
    expect(await manage('engine.remove', { engine: 'copilot' })).toEqual({ engine: 'copilot' })
    expect((await readPlanEngines(db, account_id)).map(({ engine }) => engine)).not.toContain('copilot')
  })

  test('what is not a key, a model or an address is refused without showing a key', async () => {
    await expect(manage('engine.set_key', { engine: 'claude', api_key: 'two words' })).rejects.toThrow('not an API key')
    const configured = manage('engine.configure', { engine: 'claude', base_url: 'ftp://example.com' })
    await expect(configured).rejects.toThrow('"ftp://example.com" cannot be a base URL')
    await expect(manage('engine.configure', { engine: 'claude', model: 'a b' })).rejects.toThrow('cannot be a model')
    await expect(manage('engine.accept_terms', { engine: 'claude' })).rejects.toMatchObject({ kind: 'invalid_input' })
  })

  test('Gemini waits for its terms', async () => {
    await manage('engine.set_key', { engine: 'gemini', api_key: KEY })
    await expect(manage('engine.test', { engine: 'gemini' })).rejects.toMatchObject({ kind: 'forbidden' })
    expect(await manage('engine.accept_terms', { engine: 'gemini' })).toMatchObject({ obstacle: null })
  })

  test('a test asks without a search and counts', async () => {
    await expect(manage('engine.test', { engine: 'chatgpt' })).rejects.toMatchObject({ kind: 'conflict' })
    await world.setUp('chatgpt')
    expect(await manage('engine.test', { engine: 'chatgpt' })).toMatchObject({ state: 'answered', cost_micros: 10_450 })
    expect(world.double.requests[0]?.body).not.toHaveProperty('tools')
    await manage('engine.budget', { engine: 'chatgpt', calls: 1 })
    await expect(manage('engine.test', { engine: 'chatgpt' })).rejects.toMatchObject({ kind: 'limit_reached' })
    expect((await health()).map(({ code }) => code)).toEqual(['engine_budget_used'])
  })

  test('a key that is refused is found by the doctor until a new one is given', async () => {
    await world.setUp('chatgpt')
    respond = { status: 401, body: { error: { message: 'no' } } }
    const brand = await world.addBrand(['One?'])
    await manage('scan.start', { brand: brand.id, runs: 1 })
    await world.run()
    expect((await health()).map(({ code }) => code)).toEqual(['engine_key_rejected'])
    expect(await readEngines({ control: world.ctx.control, clock: world.clock })).toMatchObject([
      { engine: 'chatgpt', fault: 'bad_key', waiting: 0, failed: 1 },
    ])
    await manage('engine.set_key', { engine: 'chatgpt', api_key: KEY })
    expect((await health()).map(({ code }) => code)).toEqual(['scan_failing'])
  })
})

describe('scans', () => {
  test('start, show what became of each run, and are scheduled', async () => {
    const brand = await world.addBrand(['One?', 'Two?'])
    await expect(manage('scan.start', { brand: brand.id, runs: 1 })).rejects.toThrow('Nothing can be asked')
    await world.setUp('chatgpt')
    const started = await manage('scan.start', { brand: brand.id, runs: 2, engines: ['chatgpt'] })
    expect(started).toMatchObject({ state: 'running', engines: [{ waiting: 4 }], estimate_micros: 4 * 35_750 })
    expect(requested).toBe(1)
    await expect(manage('scan.start', { brand: brand.id, runs: 1 })).rejects.toThrow('runs already')
    await world.run()
    const schedule = await manage('scan.schedule', { brand: brand.id, hour: 23, runs: 3 })
    expect(schedule).toMatchObject({ hour: 23, runs: 3, is_paused: false })
    expect(await manage('scan.schedule', { brand: brand.id, is_paused: true })).toMatchObject({
      hour: 23,
      next_at: null,
    })
    expect(await manage('scan.list', { brand: brand.id, limit: 5 })).toMatchObject({
      schedule: { hour: 23, is_paused: true },
      scans: [{ state: 'ended', engines: [{ engine: 'chatgpt', answered: 4, failed: 0, codes: [] }] }],
    })
    expect(await manage('scan.schedule', { brand: brand.id, hour: null })).toMatchObject({ hour: null })
    expect(await manage('scan.cancel', { brand: brand.id })).toEqual({ cancelled: [] })
  })

  test('a running scan is cancelled', async () => {
    await world.setUp('chatgpt')
    const brand = await world.addBrand(['One?'])
    const { id } = await manage('scan.start', { brand: brand.id, runs: 1 })
    expect(await manage('scan.cancel', { brand: brand.id })).toEqual({ cancelled: [id] })
    expect(await world.run()).toBe(0)
    const { scans } = await manage('scan.list', { brand: brand.id, limit: 5 })
    expect(scans).toMatchObject([{ state: 'cancelled', engines: [{ not_run: 1, codes: [{ code: 'cancelled' }] }] }])
  })
})

describe('sentiment', () => {
  test('is judged only by an engine to which texts may go, in one call for each answer', async () => {
    await expect(manage('engine.sentiment', { engine: 'claude', accepts_sending: false })).rejects.toMatchObject({
      kind: 'invalid_input',
    })
    await world.setUp('chatgpt')
    await world.setUp('perplexity')
    await manage('engine.sentiment', { engine: 'perplexity', accepts_sending: true })
    const brand = await world.addBrand(['One?'])
    await manage('scan.start', { brand: brand.id, runs: 1, engines: ['chatgpt'] })
    const judged = {
      id: 'r',
      status: 'completed',
      model: 'sonar',
      usage: { cost: { total_cost: 0.001 } },
      output: [{ type: 'message', content: [{ type: 'output_text', text: '1: positive\n2: mixed', annotations: [] }] }],
    }
    const answered = openaiAnswer('Kornhaus is fine. Brotwerk is better.')
    let asked = 0
    respond = {
      status: 200,
      get body() {
        return asked++ === 0 ? answered.body : judged
      },
    }
    await world.run()
    expect(world.double.requests).toHaveLength(2)
    expect(JSON.stringify(world.double.requests[1]?.body)).toContain('Kornhaus is fine.')
    expect(world.double.requests[1]?.body).not.toHaveProperty('tools')
    const [answer] = await world.answers(brand)
    expect(answer?.mentions).toBe("[(0,'mixed'),(1,'positive')]")
    await world.run()
    expect(world.double.requests).toHaveLength(2)
  })
})

test('answers, scans and calls end with the retention of their brand', async () => {
  await world.setUp('chatgpt')
  const brand = await world.addBrand(['One?'])
  await manage('scan.start', { brand: brand.id, runs: 1 })
  await world.run()
  expect(await manage('brand.retention', { brand: brand.id })).toMatchObject({ retention_days: 400 })
  await expect(manage('brand.retention', { brand: brand.id, days: 0 })).rejects.toMatchObject({ kind: 'invalid_input' })
  await manage('brand.retention', { brand: brand.id, days: 30 })
  world.clock.advance(30 * DAY_MS)
  expect(await endAnswerRetention(world.ctx)).toBe(0)
  expect(await world.answers(brand)).toHaveLength(1)
  world.clock.advance(DAY_MS)
  expect(await endAnswerRetention(world.ctx)).toBe(1)
  expect(await world.answers(brand)).toEqual([])
  expect(await manage('scan.list', { brand: brand.id, limit: 5 })).toMatchObject({ scans: [] })
})
