import { describe, expect, test } from 'vitest'
import type { AnswerRecord } from '#brands/answers/answer-record.ts'
import { type ImportPlanInput, planImport, type StoredAnswer } from '#brands/answers/plan-import.ts'
import { type ReadRecord, readAnswerFile } from '#brands/answers/read-answer-file.ts'
import { utcDay } from '#days/utc-day.ts'

const NOW = Date.parse('2026-11-22T12:00:00Z')
const RECORD = {
  question: 'Which bakery?',
  engine: 'chatgpt',
  asked_at: '2026-11-20',
  state: 'answered',
  text: 'Brotwerk.',
}

function records(...changes: Record<string, unknown>[]): ReadRecord[] {
  const text = changes.map((change) => JSON.stringify({ ...RECORD, ...change })).join('\n')
  return [
    ...readAnswerFile({ bytes: Buffer.from(text), format: 'ndjson', exporter: null, brand_name: 'Brotwerk', now: NOW }),
  ]
}

/** A store that keeps what was planned. */
function fileImports() {
  const stored = new Map<string, StoredAnswer>()
  return async (changes: Record<string, unknown>[], more: Partial<ImportPlanInput> = {}) => {
    const plan = await planImport({
      brand_id: 'b',
      records: records(...changes),
      replaces: false,
      findStored: async () => stored,
      questionIdOf: ({ question }: AnswerRecord) => (question === RECORD.question ? 'q' : null),
      moved_to_new: new Set(),
      ...more,
    })
    for (const { answer_id, content_sha256, record } of plan.answers) {
      stored.set(answer_id, { content_sha256, day: utcDay(record.asked_at), revision: 1 })
    }
    return { ...plan.receipt, answers: plan.answers, kept: stored.size }
  }
}

const EXTERNAL = { source_tool: 'tool', external_id: 'x' }

describe('imports (account API 3)', () => {
  test('the same file twice changes nothing', async () => {
    const load = fileImports()
    const file = [{ run: 1 }, { run: 2 }, {}, {}, EXTERNAL]
    expect(await load(file)).toMatchObject({ records: 5, stored: 5, duplicates: 0, kept: 5 })
    expect(await load(file)).toMatchObject({ records: 5, stored: 0, duplicates: 5, kept: 5, answers: [] })
  })

  test('equal answers of one file are different runs, and a longer file adds only what is new', async () => {
    const load = fileImports()
    await load([{}])
    expect(await load([{}, {}])).toMatchObject({ stored: 1, duplicates: 1 })
  })

  test('other content of a known answer is refused, unless it replaces', async () => {
    const load = fileImports()
    await load([EXTERNAL])
    const other = [{ ...EXTERNAL, text: 'Kornhaus.' }]
    expect(await load(other)).toMatchObject({ stored: 0, refused: [{ place: 1, external_id: 'x', code: 'changed' }] })
    expect(await load(other, { replaces: true })).toMatchObject({ stored: 0, replaced: 1, kept: 1 })
    expect(await load(other)).toMatchObject({ duplicates: 1 })
  })

  test('the same id twice in a file is refused if its content differs', async () => {
    expect(await fileImports()([EXTERNAL, EXTERNAL, { ...EXTERNAL, text: 'y' }])).toMatchObject({
      stored: 1,
      duplicates: 1,
      refused: [{ place: 3, code: 'changed' }],
    })
  })

  test('brands and tools do not share answers', async () => {
    const load = fileImports()
    await load([EXTERNAL])
    expect(await load([EXTERNAL], { brand_id: 'c' })).toMatchObject({ stored: 1 })
    expect(await load([{ ...EXTERNAL, source_tool: 'other' }])).toMatchObject({ stored: 1 })
  })

  test('every record has its place in the receipt', async () => {
    const receipt = await fileImports()([{}, { engine: 'meta' }, { question: 'Which other?' }, { run: 3 }])
    expect(receipt.refused.map(({ place, code }) => [place, code])).toEqual([
      [2, 'unknown_engine'],
      [3, 'unknown_question'],
    ])
    expect(receipt.records).toBe(receipt.stored + receipt.replaced + receipt.duplicates + receipt.refused.length)
  })

  test('ids are UUIDs that any later import finds again', async () => {
    const [first] = (await fileImports()([EXTERNAL])).answers
    const [second] = (await fileImports()([{ run: 9 }, EXTERNAL])).answers.slice(1)
    expect(first?.answer_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(second?.answer_id).toBe(first?.answer_id)
  })
})
