/** Scans of a double of every provider: what each response becomes. */
import type { RequestListener } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readPlanEngines } from '#brands/plan-engines.ts'
import { HOUR_MS } from '#clock.ts'
import { API_ENGINES, type ApiEngine } from '#contract/vocabulary.ts'
import type { ScanRunRow } from '#control/tables.ts'
import { inTurn } from '../../support/engine-double.ts'
import { openTestEvidence, type TestEvidence } from '../../support/evidence.ts'
import anthropic from '../engines/shapes/anthropic.json' with { type: 'json' }
import gemini from '../engines/shapes/gemini.json' with { type: 'json' }
import openai from '../engines/shapes/openai.json' with { type: 'json' }
import perplexity from '../engines/shapes/perplexity.json' with { type: 'json' }
import xai from '../engines/shapes/xai.json' with { type: 'json' }
import { openScanWorld, type ScanWorld } from './world.ts'

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
const SHAPES: Record<ApiEngine, Record<string, Shape>> = {
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
  test.each([...API_ENGINES])('%s', async (engine) => {
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
})
