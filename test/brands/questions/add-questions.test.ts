import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ensureInstallation } from '#accounts/ensure-installation.ts'
import { addBrand } from '#brands/brands.ts'
import type { FoundBrand } from '#brands/find-brand.ts'
import { addQuestionBatch, addQuestionBatchOnce } from '#brands/questions/add-questions.ts'
import { describeQuestions } from '#brands/questions/describe-question.ts'
import { KeyedBatches } from '#brands/questions/keyed-batches.ts'
import { recordQuestionRun } from '#brands/questions/question-runs.ts'
import { archiveOneQuestion, readQuestions, removeQuestion } from '#brands/questions/questions.ts'
import { type FakeClock, fakeClock } from '../../support/clock.ts'
import { openTestControl, type TestControl } from '../../support/control.ts'

let store: TestControl
let clock: FakeClock
let ctx: { control: TestControl['control']; clock: FakeClock; keyed_batches: KeyedBatches }
let brand: FoundBrand
beforeEach(async () => {
  store = await openTestControl()
  clock = fakeClock('2026-03-01T12:00:20Z')
  ctx = { control: store.control, clock, keyed_batches: new KeyedBatches() }
  const { account_id } = await ensureInstallation(store.control, clock)
  brand = await addBrand(ctx, { account_id, site_id: null, name: 'Acme', aliases: [], domains: [] })
})
afterEach(() => store.remove())

const add = (texts: string[], key?: string) => {
  const batch = { brand, questions: texts.map((text) => ({ text })) }
  return key === undefined ? addQuestionBatch(ctx, batch) : addQuestionBatchOnce(ctx, { ...batch, key })
}
const all = { filter: { status: 'all', kind: null, country: null }, limit: 200, offset: 0 } as const
const stored = async () => (await readQuestions(store.control.db, brand.id, all)).questions
const limit = (active_question_limit: number) =>
  store.control.db.updateTable('accounts').set({ active_question_limit }).execute()

describe('adding questions (account API 2.4)', () => {
  test('the same text in another case, form or with blanks is one question; another country makes two', async () => {
    const first = await add(['Caf\u00e9?'])
    const again = await add([' CAFE\u0301? '])
    expect(again).toMatchObject({ created: [], rejected: [{ index: 0, existing_id: first.created[0]?.id }] })
    const german = await addQuestionBatch(ctx, {
      brand,
      questions: [{ text: 'Café?', country: 'DE' }],
    })
    expect(german.created).toHaveLength(1)
  })

  test('an archived question is not added again; it can be restored', async () => {
    const { created } = await add(['a'])
    const id = String(created[0]?.id)
    await archiveOneQuestion(ctx, { brand, question_id: id })
    expect(await add(['A'])).toMatchObject({ created: [], rejected: [{ code: 'invalid', existing_id: id }] })
    expect(await removeQuestion(ctx, { brand, question_id: id.toUpperCase() })).toMatchObject({ text: 'a' })
    expect((await add(['A'])).created).toHaveLength(1)
  })

  test('twenty batches at once never pass the limit of the account', async () => {
    await limit(7)
    await Promise.allSettled(Array.from({ length: 20 }, (_, n) => add([`question ${n}`, `other ${n}`])))
    expect(await stored()).toHaveLength(7)
  })

  test.each([' ', '\u200b\u2060', '\u{e0041}'])('a fault in one item adds none (%j)', async (text) => {
    await expect(add(['a', text])).rejects.toMatchObject({
      faults: [{ path: ['questions', 1, 'text'], code: 'invalid' }],
    })
    expect(await stored()).toEqual([])
  })
})

describe('an idempotency key (account API 2.4)', () => {
  test('requests at once add once; the others repeat the answer', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => add(['a', 'b'], 'key')))
    expect(await stored()).toHaveLength(2)
    expect(answers.filter((answer) => ctx.keyed_batches.isReplay(answer))).toHaveLength(7)
    for (const answer of answers) expect(answer).toEqual(answers[0])
  })

  test('a refusal is not kept, so that the second of two at once is carried out', async () => {
    await limit(0)
    const refused = add(['a'], 'key')
    const second = refused.catch(() => limit(1)).then(() => add(['a'], 'key'))
    await expect(refused).rejects.toMatchObject({ kind: 'limit_reached' })
    expect(ctx.keyed_batches.isReplay(await second)).toBe(false)
  })

  test('the second request waits for 10 seconds and is then a conflict', async () => {
    const held = Promise.withResolvers<void>()
    const started = Promise.withResolvers<void>()
    const holding = store.control.transaction(async () => {
      started.resolve()
      await held.promise
    })
    await started.promise
    const first = add(['a'], 'key')
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    try {
      const second = add(['a'], 'key')
      const refused = expect(second).rejects.toMatchObject({ kind: 'conflict' })
      await vi.advanceTimersByTimeAsync(10_000)
      await refused
    } finally {
      vi.useRealTimers()
    }
    held.resolve()
    await holding
    expect((await first).created).toHaveLength(1)
    expect(ctx.keyed_batches.isReplay(await add(['a'], 'key'))).toBe(true)
  })

  test('belongs to its brand, and is deleted after 72 hours', async () => {
    await add(['a'], 'key')
    const other = await addBrand(ctx, { ...brand, site_id: null, name: 'Other', aliases: [], domains: [] })
    const elsewhere = await addQuestionBatchOnce(ctx, { brand: other, questions: [{ text: 'b' }], key: 'key' })
    expect(ctx.keyed_batches.isReplay(elsewhere)).toBe(false)
    await expect(add(['b'], 'key')).rejects.toMatchObject({ faults: [{ path: ['Idempotency-Key'], code: 'invalid' }] })
    clock.advance(72 * 3_600_000)
    expect((await add(['b'], 'key')).created).toHaveLength(1)
    expect(await store.control.db.selectFrom('question_batches').select('key').execute()).toHaveLength(1)
  })
})

test('the newest run of each engine is shown, in the order of the engines', async () => {
  const { created } = await add(['a'])
  const question_id = String(created[0]?.id)
  const { db } = store.control
  const run = (engine: string, asked_at: number, state: 'answered' | 'failed') =>
    recordQuestionRun(db, { question_id, engine, asked_at, state })
  await run('grok', 2_000, 'answered')
  await run('chatgpt', 1_000, 'answered')
  await run('chatgpt', 3_000, 'failed')
  await run('chatgpt', 2_000, 'answered')
  const [question] = await describeQuestions(db, await stored())
  expect(question?.last_asked).toEqual([
    { engine: 'chatgpt', asked_at: '1970-01-01T00:00:03.000Z', state: 'failed' },
    { engine: 'grok', asked_at: '1970-01-01T00:00:02.000Z', state: 'answered' },
  ])
})
