import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ensureInstallation } from '#accounts/ensure-installation.ts'
import { serveAnswer, serveAnswers } from '#brands/answers/serve-answers.ts'
import type { FoundBrand } from '#brands/find-brand.ts'
import type { AnswerListInput } from '#contract/account-api/index.ts'
import { addBrandWithRival, importRecords } from '../../support/brands.ts'
import { type FakeClock, fakeClock } from '../../support/clock.ts'
import { openTestControl, type TestControl } from '../../support/control.ts'
import { openTestEvidence, type TestEvidence } from '../../support/evidence.ts'

let opened: TestControl
let stored: TestEvidence
let clock: FakeClock
let ctx: { control: TestControl['control']; evidence: TestEvidence['store']; clock: FakeClock }
let brand: FoundBrand
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
})

const ANSWER = {
  source_tool: 'tool',
  external_id: 'a',
  question: 'Which bakery?',
  engine: 'chatgpt',
  state: 'answered',
  asked_at: '2026-10-20T05:00:00Z',
  text: 'Kornhaus, then Brotwerk. ([brotwerk.example](https://brotwerk.example/x))',
  citations: [{ url: 'https://brotwerk.example/x?utm_source=openai' }, { url: 'https://other.example/' }],
}

const load = (answers: readonly object[]) => importRecords(ctx, brand, answers)

const list = (input: Partial<AnswerListInput> = {}) => {
  const days = { from: '2026-10-01', to: '2026-11-22', limit: 50, ignored_parameters: [] }
  return serveAnswers({ ...ctx, brand }, { brandId: brand.id, ...days, ...input })
}
const ids = (found: Awaited<ReturnType<typeof list>>) => found.answers.map(({ source }) => source?.external_id)

describe('answers of a brand (account API 2.1)', () => {
  test('answers with the same instant are in the order of their ids, on one page and on several', async () => {
    await load(Array.from({ length: 12 }, (_, at) => ({ ...ANSWER, external_id: `same ${at}` })))
    const sorted = (await list()).answers.map(({ id }) => id)
    expect(sorted).toEqual([...sorted].sort())
    const pieces: string[] = []
    let cursor: string | null = null
    do {
      const piece = await list({ limit: 5, ...(cursor === null ? {} : { cursor }) })
      pieces.push(...piece.answers.map(({ id }) => id))
      cursor = piece.next_cursor
    } while (cursor !== null)
    expect(pieces).toEqual(sorted)
  })

  test('show what was asked, said, named and cited, and the list shortens the text', async () => {
    await load([{ ...ANSWER, text: `Kornhaus, then Brotwerk. ${'x'.repeat(600)}`, search_queries: [] }])
    const { answers, next_cursor } = await list()
    expect(next_cursor).toBeNull()
    expect(answers).toMatchObject([
      {
        engine: 'chatgpt',
        surface: 'import',
        asked_at: '2026-10-20T05:00:00.000Z',
        state: 'answered',
        question: { text: 'Which bakery?', country: null },
        text_truncated: true,
        search_queries: [],
        retrieved: null,
        mentions: [
          { name: 'Kornhaus', is_own: false, brand_id: null, position: 1, offset: 0, sentiment: 'unknown' },
          { name: brand.name, is_own: true, brand_id: brand.id, competitor_id: null, position: 2, offset: 15 },
        ],
        citations: [
          { position: 1, url: 'https://brotwerk.example/x', source: 'own', resolved: 'direct' },
          { position: 2, url: 'https://other.example/', source: 'other' },
        ],
        citations_observed: true,
        source: { tool: 'tool', external_id: 'a' },
        cost: null,
      },
    ])
    expect(answers[0]?.text).toHaveLength(500)
    const whole = await serveAnswer({ ...ctx, brand }, { answerId: answers[0]?.id ?? '' })
    expect(whole).toMatchObject({ text_truncated: false, mentions: answers[0]?.mentions })
    expect(whole.text).toHaveLength(625)
  })

  test('come newest first, in pieces that a cursor continues', async () => {
    await load(
      ['a', 'b', 'c', 'd', 'e'].map((external_id, at) => ({ ...ANSWER, external_id, asked_at: `2026-11-1${at}` })),
    )
    const first = await list({ limit: 2 })
    expect(ids(first)).toEqual(['e', 'd'])
    const second = await list({ limit: 2, cursor: first.next_cursor ?? '' })
    expect(ids(second)).toEqual(['c', 'b'])
    const third = await list({ limit: 2, cursor: second.next_cursor ?? '' })
    expect([ids(third), third.next_cursor]).toEqual([['a'], null])
    await expect(list({ limit: 2, cursor: first.next_cursor ?? '', status: 'failed' })).rejects.toMatchObject({
      faults: [{ code: 'invalid_cursor' }],
    })
  })

  test('answers of a removed question are in no piece, and the count is that of the answers', async () => {
    await load(
      ['a', 'b', 'c', 'd', 'e'].map((external_id, at) => ({
        ...ANSWER,
        external_id,
        asked_at: `2026-11-1${at}`,
        question: at > 1 ? 'Removed?' : 'Kept?',
      })),
    )
    await opened.control.db.deleteFrom('questions').where('text', '=', 'Removed?').execute()
    const first = await list({ limit: 1 })
    expect([ids(first), first.returned_count, first.next_cursor === null]).toEqual([['b'], 1, false])
    const second = await list({ limit: 1, cursor: first.next_cursor ?? '' })
    expect([ids(second), second.next_cursor]).toEqual([['a'], null])
  })

  test('answers of one instant are each shown once', async () => {
    await load(['a', 'b', 'c', 'd'].map((external_id) => ({ ...ANSWER, external_id })))
    const first = await list({ limit: 3 })
    const second = await list({ limit: 3, cursor: first.next_cursor ?? '' })
    expect([...ids(first), ...ids(second)].sort()).toEqual(['a', 'b', 'c', 'd'])
  })

  test('every filter keeps what it names, and unknown values are in neither half', async () => {
    await load([
      ANSWER,
      { ...ANSWER, external_id: 'b', engine: 'claude', text: 'Nobody.', citations: [], country: 'CH' },
      {
        ...ANSWER,
        external_id: 'c',
        engine: 'claude',
        text: 'Brotwerk',
        citations: null,
        question: 'Is Brotwerk good?',
      },
      { ...ANSWER, external_id: 'd', state: 'failed', text: null, citations: null, asked_at: '2026-11-20' },
    ])
    const [branded] = (await list({ branded: true })).answers
    const found = async (input: Partial<AnswerListInput>) => ids(await list(input)).sort()
    expect(await found({})).toEqual(['a', 'b', 'c', 'd'])
    expect(await found({ engines: ['claude'] })).toEqual(['b', 'c'])
    expect(await found({ country: 'CH' })).toEqual(['b'])
    expect(await found({ country: 'none' })).toEqual(['a', 'c', 'd'])
    expect(await found({ status: 'failed' })).toEqual(['d'])
    expect(await found({ mentioned: true })).toEqual(['a', 'c'])
    expect(await found({ mentioned: false })).toEqual(['b'])
    expect(await found({ cited: true })).toEqual(['a'])
    expect(await found({ cited: false })).toEqual(['b'])
    expect(await found({ branded: true })).toEqual(['c'])
    expect(await found({ branded: false })).toEqual(['a', 'b', 'd'])
    expect(await found({ question_id: branded?.question.id ?? '' })).toEqual(['c'])
    expect(await found({ from: '2026-11-20' })).toEqual(['d'])
  })

  test('runs without an answer are in neither half, whatever they cite', async () => {
    await load([
      ANSWER,
      { ...ANSWER, external_id: 'b', state: 'failed' },
      { ...ANSWER, external_id: 'c', state: 'refused', citations: [] },
    ])
    expect(ids(await list()).sort()).toEqual(['a', 'b', 'c'])
    for (const name of ['cited', 'mentioned']) {
      expect(ids(await list({ [name]: true }))).toEqual(['a'])
      expect(ids(await list({ [name]: false }))).toEqual([])
    }
  })

  test('an unknown answer or question is not found', async () => {
    const unknown = '00000000-0000-4000-8000-000000000001'
    await expect(serveAnswer({ ...ctx, brand }, { answerId: unknown })).rejects.toMatchObject({ kind: 'not_found' })
    await expect(list({ question_id: unknown })).rejects.toMatchObject({ kind: 'not_found' })
  })

  test('a brand without domains has no answer that cites it', async () => {
    await load([ANSWER])
    brand = { ...brand, domains: [] }
    expect(ids(await list({ cited: true }))).toEqual([])
  })
})
