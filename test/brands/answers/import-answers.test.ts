import Type from 'typebox'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ensureInstallation } from '#accounts/ensure-installation.ts'
import { countAnswers, eraseRemovedAnswers } from '#brands/answers/erase-answers.ts'
import { evaluateMentions } from '#brands/answers/evaluate-mentions.ts'
import type { AnswerImportInput } from '#brands/answers/import-answers.ts'
import { readMentionVersion } from '#brands/answers/mention-version.ts'
import { editBrand, removeBrand } from '#brands/brands.ts'
import type { FoundBrand } from '#brands/find-brand.ts'
import { readPlanEngines } from '#brands/plan-engines.ts'
import { describeQuestions } from '#brands/questions/describe-question.ts'
import { readQuestions } from '#brands/questions/questions.ts'
import { Fragment } from '#evidence/fragment.ts'
import { readMigrations } from '#evidence/migrate.ts'
import { count, rows, sql, uint64, uuid } from '#evidence/sql.ts'
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

const load = (answers: readonly object[], more: Partial<AnswerImportInput> = {}) =>
  importRecords(ctx, brand, answers, more)

/** The evidence store, of which some members are others. */
const evidenceThat = (memberOf: (name: string | symbol, member: unknown) => unknown): TestEvidence['store'] =>
  new Proxy(stored.store, {
    get(store, name) {
      const member: unknown = Reflect.get(store, name, store)
      return memberOf(name, typeof member === 'function' ? member.bind(store) : member)
    },
  })

/** What counts: the newest revision of each answer, its citations and its mentions of the version in force. */
async function readStored() {
  const of = sql`brand_id = ${uuid(brand.id)}`
  const answers = await stored.store.all(
    rows(Type.Object({ text: Type.Union([Type.String(), Type.Null()]), engine: Type.String(), revision: count() }))`
      SELECT text, toString(engine) AS engine, revision FROM spoor.answers FINAL WHERE ${of} ORDER BY asked_at, text`,
  )
  const citations = await stored.store.all(
    rows(Type.Object({ url: Type.String(), revision: count() }))`
      SELECT url, revision FROM spoor.answer_citations FINAL WHERE ${of} ORDER BY url, revision`,
  )
  const mentions = await stored.store.all(
    rows(Type.Object({ own: count(), position: count(), offset: count(), occurrences: count(), version: count() }))`
      SELECT toUInt64(is_own) AS own, toUInt64(position) AS position, toUInt64(answer_mentions.offset) AS offset,
        toUInt64(occurrences) AS occurrences, mentions_version AS version
      FROM spoor.answer_mentions FINAL WHERE ${of} ORDER BY answer_mentions.position, revision`,
  )
  return { answers, citations, mentions }
}

/** What reports count of each answer. */
const readCounted = () =>
  stored.store.all(
    rows(Type.Object({ line: Type.String(), versions: Type.String() }))`
      SELECT formatRow('JSONEachRow', day, answer_id, question_id, engine, surface, model, asked_at, country, country_applied,
          state, web_search, citations_observed, arraySort(arrayZip(cited_urls, cited_domains, cited_opaque)), own_position, own_sentiment,
          arraySort(arrayZip(tracked_ids, tracked_positions))) AS line,
        toString(arraySort(groupUniqArray(mentions_version))) AS versions
      FROM spoor.counted_answers FINAL WHERE brand_id = ${uuid(brand.id)} GROUP BY line ORDER BY line`,
  )

describe('imports of answers (account API 3)', () => {
  test('store answers with citations and mentions, and the same file again changes nothing', async () => {
    const file = [ANSWER, { ...ANSWER, external_id: 'b', asked_at: '2026-11-20', text: 'None.', citations: null }]
    expect(await load(file)).toMatchObject({ records: 2, stored: 2, questions_created_active: 1 })
    const before = await readStored()
    expect(before.answers).toHaveLength(2)
    expect(before.citations.map(({ url }) => url)).toEqual(['https://brotwerk.example/x', 'https://other.example/'])
    // The link is a mark of a citation: its domain is not a mention.
    expect(before.mentions).toEqual([
      { own: 0, position: 1, offset: 0, occurrences: 1, version: 1 },
      { own: 1, position: 2, offset: 15, occurrences: 1, version: 1 },
    ])
    clock.set('2026-11-22T13:00:00Z')
    expect(await load(file)).toMatchObject({ stored: 0, duplicates: 2, questions_created_active: 0 })
    expect(await readStored()).toEqual(before)
  })

  test('engines are added to the plan, and questions get their last time', async () => {
    await load([ANSWER, { ...ANSWER, external_id: 'b', engine: 'copilot', state: 'failed', text: null }])
    expect(await readPlanEngines(opened.control.db, account_id)).toContainEqual({
      engine: 'copilot',
      basis: 'imported',
    })
    const runs = await opened.control.db
      .selectFrom('question_runs')
      .innerJoin('questions', 'questions.id', 'question_runs.question_id')
      .select(['engine', 'state'])
      .where('brand_id', '=', brand.id)
      .orderBy('engine')
      .execute()
    expect(runs).toEqual([
      { engine: 'chatgpt', state: 'answered' },
      { engine: 'copilot', state: 'failed' },
    ])
  })

  test('a replaced answer has a new state of its question', async () => {
    const describeLastRun = async () => {
      const filter = { status: 'all' as const, kind: null, country: null }
      const { questions } = await readQuestions(opened.control.db, brand.id, { filter, limit: 1, offset: 0 })
      return (await describeQuestions(opened.control.db, questions))[0]?.last_asked
    }
    const asked = { engine: 'chatgpt', asked_at: '2026-10-20T05:00:00.000Z' }
    await load([{ ...ANSWER, state: 'failed', text: null }])
    expect(await describeLastRun()).toEqual([{ ...asked, state: 'failed' }])
    await load([ANSWER], { replaces: true })
    expect(await describeLastRun()).toEqual([{ ...asked, state: 'answered' }])
  })

  test('other content is refused, or replaces the answer on request', async () => {
    await load([ANSWER])
    const other = [{ ...ANSWER, text: 'Nobody.', citations: [] }]
    expect(await load(other)).toMatchObject({ refused: [{ place: 1, code: 'changed' }] })
    clock.set('2026-11-22T14:00:00Z')
    expect(await load(other, { replaces: true })).toMatchObject({ replaced: 1 })
    const { answers, citations } = await readStored()
    expect(answers).toMatchObject([{ text: 'Nobody.' }])
    // What the earlier revision cited is of another revision and does not count.
    expect(citations.filter(({ revision }) => revision === answers[0]?.revision)).toEqual([])
  })

  test('an answer is replaced also where the clock was set back meanwhile', async () => {
    await load([ANSWER])
    const now = clock.now()
    clock.set(now - 3_600_000)
    expect(await load([{ ...ANSWER, text: 'Nobody.' }], { replaces: true })).toMatchObject({ replaced: 1 })
    clock.set(now)
    expect((await readStored()).answers).toMatchObject([{ text: 'Nobody.' }])
    expect((await readCounted()).map(({ line }) => JSON.parse(line).own_position)).toEqual([0])
  })

  test('a record that is refused creates no question', async () => {
    await load([ANSWER])
    const other = { ...ANSWER, question: 'Which bakery is open?' }
    const twice = [
      { ...ANSWER, external_id: 'b' },
      { ...other, external_id: 'b' },
    ]
    expect(await load([other, ...twice])).toMatchObject({
      stored: 1,
      refused: [
        { place: 1, external_id: 'a', code: 'changed' },
        { place: 3, external_id: 'b', code: 'changed' },
      ],
      questions_created_active: 0,
      questions_created_archived: 0,
    })
    // Another record asks it, and is stored.
    const created = await load([other, { ...other, external_id: 'c' }])
    expect(created).toMatchObject({ stored: 1, refused: [{ place: 1, code: 'changed' }], questions_created_active: 1 })
    expect(await load([other], { replaces: true })).toMatchObject({ replaced: 1, questions_created_active: 0 })
  })

  test('an answer that moves to another day leaves the one it had', async () => {
    await load([ANSWER])
    await load([{ ...ANSWER, asked_at: '2026-10-21T05:00:00Z' }], { replaces: true })
    expect((await readStored()).answers).toHaveLength(1)
    expect((await readCounted()).map(({ line }) => JSON.parse(line).day)).toEqual(['2026-10-21'])
  })

  test('an answer that a crash left uncounted is stored again', async () => {
    await load([ANSWER])
    const before = await readCounted()
    await stored.store.run(sql`DELETE FROM spoor.counted_answers WHERE brand_id = ${uuid(brand.id)}`)
    clock.set('2026-11-22T15:00:00Z')
    expect(await load([ANSWER])).toMatchObject({ stored: 1, duplicates: 0 })
    expect(await readCounted()).toEqual(before)
  })

  test('answers of an older layout count like new ones', async () => {
    const failed = { ...ANSWER, external_id: 'c', state: 'failed', text: null, citations: null }
    await load([ANSWER, { ...ANSWER, external_id: 'b', text: 'Nobody.', country: 'CH' }, failed])
    const before = await readCounted()
    expect(before).toHaveLength(3)
    await stored.store.run(sql`TRUNCATE TABLE spoor.counted_answers`)
    const { text = '' } = (await readMigrations()).find(({ version }) => version === 12) ?? {}
    await stored.store.run(new Fragment([text.slice(text.indexOf('INSERT INTO')).replace(/;\s*$/, '')]))
    expect(await readCounted()).toEqual(before)
  })

  test('tags beyond the ten of a question are reported, of created questions only', async () => {
    const tags = [...Array.from({ length: 12 }, (_, index) => `tag ${index}`), 'tag 0']
    const file = [{ ...ANSWER, question: 'Tagged?', external_id: 'tagged', tags }]
    expect(await load(file, { create_questions: 'none' })).toMatchObject({ tags_left_out: 0 })
    expect(await load(file)).toMatchObject({ stored: 1, questions_created_active: 1, tags_left_out: 2 })
    expect(await load(file)).toMatchObject({ duplicates: 1, tags_left_out: 0 })
  })

  test('unknown questions are refused, created archived, or created until the account is full', async () => {
    const questions = (of: string) => [{ ...ANSWER, question: of, external_id: of }]
    expect(await load(questions('One?'), { create_questions: 'none' })).toMatchObject({
      stored: 0,
      refused: [{ code: 'unknown_question' }],
    })
    expect(await load(questions('Two?'), { create_questions: 'archived' })).toMatchObject({
      stored: 1,
      questions_created_archived: 1,
    })
    await opened.control.db.updateTable('accounts').set({ active_question_limit: 0 }).execute()
    expect(await load(questions('Three Brotwerk?'))).toMatchObject({ stored: 1, questions_created_archived: 1 })
    await opened.control.db.updateTable('accounts').set({ active_question_limit: 100 }).execute()
    const filter = { status: 'all', kind: 'branded', country: null } as const
    const { questions: branded } = (await readQuestions(opened.control.db, brand.id, {
      filter,
      limit: 50,
      offset: 0,
    })) as never
    expect(branded).toMatchObject([{ text: 'Three Brotwerk?' }])
  })
})

describe('mentions after names change (account API 4)', () => {
  const signal = new AbortController().signal

  test('all answers are searched again, labels stay, and the result counts at once', async () => {
    await load([ANSWER, { ...ANSWER, external_id: 'b', text: 'Mehlhaus and Kornhaus' }])
    expect(await evaluateMentions(ctx, brand, signal)).toBe(0)
    await stored.store.run(
      sql`ALTER TABLE spoor.answer_mentions UPDATE sentiment = 'positive' WHERE brand_id = ${uuid(brand.id)} SETTINGS mutations_sync = 2`,
    )
    brand = await editBrand(ctx, { account_id, brand: brand.id, aliases: ['Brotwerk', 'Mehlhaus'] })
    expect(await evaluateMentions(ctx, brand, signal)).toBe(2)
    // What counted before stays until the next round, for readers that began with it.
    expect(await evaluateMentions(ctx, brand, signal)).toBe(0)
    const { version } = (await readMentionVersion(opened.control, brand)) ?? { version: 0 }
    const found = await stored.store.all(
      rows(Type.Object({ version: count(), own: count(), sentiment: Type.String() }))`
        SELECT mentions_version AS version, toUInt64(is_own) AS own, toString(sentiment) AS sentiment
        FROM spoor.answer_mentions FINAL WHERE brand_id = ${uuid(brand.id)} ORDER BY own, sentiment`,
    )
    expect(found).toEqual([
      { version, own: 0, sentiment: 'positive' },
      { version, own: 0, sentiment: 'positive' },
      { version, own: 1, sentiment: 'positive' },
      { version, own: 1, sentiment: 'unknown' },
    ])
    expect((await readCounted()).map(({ versions }) => versions)).toEqual([`[${version}]`, `[${version}]`])
  })

  test('answers that arrived while other names were in force are searched again, even if the names are changed back', async () => {
    const rename = async (...aliases: string[]) => {
      brand = await editBrand(ctx, { account_id, brand: brand.id, aliases })
    }
    await load([{ ...ANSWER, text: 'Mehlhaus.' }])
    await rename('Brotwerk', 'Mehlhaus')
    await load([{ ...ANSWER, external_id: 'b', text: 'Mehlhaus, too.' }])
    await rename('Brotwerk')
    expect(await evaluateMentions(ctx, brand, signal)).toBe(2)
    const { version } = (await readMentionVersion(opened.control, brand)) ?? { version: 0 }
    const own = await stored.store.all(
      rows(Type.Object({ mentions: count() }))`
        SELECT count() AS mentions FROM spoor.answer_mentions FINAL
        WHERE brand_id = ${uuid(brand.id)} AND is_own AND mentions_version = ${uint64(BigInt(version))}`,
    )
    expect(own).toEqual([{ mentions: 0 }])
    expect(await evaluateMentions(ctx, brand, signal)).toBe(0)
  })

  test('so are they when an alias becomes exact, or needs company', async () => {
    const texts = { a: 'Ask MEHL', b: 'Ask mehl', c: 'Mehl in Basel', d: 'Mehl of brotwerk.example' }
    await load(Object.entries(texts).map(([external_id, text]) => ({ ...ANSWER, external_id, text })))
    const namedAfter = async (alias: { is_exact?: boolean; company?: string[] }) => {
      brand = await editBrand(ctx, { account_id, brand: brand.id, aliases: [{ alias: 'MEHL', ...alias }] })
      expect(await evaluateMentions(ctx, brand, signal)).toBe(4)
      const { version } = (await readMentionVersion(opened.control, brand)) ?? { version: 0 }
      const found = await stored.store.all(
        rows(Type.Object({ text: Type.String() }))`
          SELECT text FROM spoor.answers FINAL WHERE brand_id = ${uuid(brand.id)} AND answer_id IN (
            SELECT answer_id FROM spoor.answer_mentions FINAL
            WHERE brand_id = ${uuid(brand.id)} AND is_own AND mentions_version = ${uint64(BigInt(version))}) ORDER BY text`,
      )
      return found.map(({ text }) => text)
    }
    expect(await namedAfter({})).toEqual([texts.a, texts.b, texts.c, texts.d])
    expect(await namedAfter({ is_exact: true })).toEqual([texts.a, texts.d])
    expect(await namedAfter({ company: ['Basel'] })).toEqual([texts.c, texts.d])
  })

  test('after an update that finds other names, kinds of questions are judged again, too', async () => {
    await load([{ ...ANSWER, question: 'Is Brotwerk good?' }])
    const { db } = opened.control
    await db.updateTable('questions').set({ is_branded: 0 }).where('brand_id', '=', brand.id).execute()
    await db
      .updateTable('mention_versions')
      .set({ names_sha256: 'of an older version' })
      .where('brand_id', '=', brand.id)
      .execute()
    expect(await evaluateMentions(ctx, brand, signal)).toBe(1)
    const kinds = await db.selectFrom('questions').select('is_branded').where('brand_id', '=', brand.id).execute()
    expect(kinds).toEqual([{ is_branded: 1 }])
  })

  test('kinds of questions are judged by the names of now, also if the search began with others', async () => {
    await load([{ ...ANSWER, question: 'Is Mehlhaus good?' }])
    const before = brand
    await editBrand(ctx, { account_id, brand: brand.id, aliases: ['Mehlhaus'] })
    expect(await evaluateMentions(ctx, before, signal)).toBe(1)
    const { db } = opened.control
    const kinds = await db.selectFrom('questions').select('is_branded').where('brand_id', '=', brand.id).execute()
    expect(kinds).toEqual([{ is_branded: 1 }])
  })

  test('an answer that is being stored when a search begins is searched, too', async () => {
    await load([ANSWER])
    brand = await editBrand(ctx, { account_id, brand: brand.id, aliases: ['Brotwerk', 'Mehlhaus'] })
    const [begun, searching, may_write] = [
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
    ]
    const storing = evidenceThat((name, member) =>
      name !== 'insert'
        ? member
        : async (...rows: unknown[]) => {
            begun.resolve()
            await may_write.promise
            return (member as (...of: unknown[]) => unknown)(...rows)
          },
    )
    const imported = importRecords({ ...ctx, evidence: storing }, brand, [
      { ...ANSWER, external_id: 'b', text: 'Mehlhaus.' },
    ])
    await begun.promise
    clock.advance(1)
    const locking = evidenceThat((name, member) => {
      if (name === 'writeLock') searching.resolve()
      return member
    })
    const searched = evaluateMentions({ ...ctx, evidence: locking }, brand, signal)
    await searching.promise
    may_write.resolve()
    await Promise.all([imported, searched])
    const current = await readMentionVersion(opened.control, brand)
    expect(await readCounted()).toHaveLength(2)
    for (const { versions } of await readCounted()) expect(JSON.parse(versions)).toContain(current?.version)
  })

  test('a run that is broken off changes nothing that counts', async () => {
    await load([ANSWER])
    brand = await editBrand(ctx, { account_id, brand: brand.id, aliases: [] })
    const before = await readMentionVersion(opened.control, brand)
    await expect(evaluateMentions(ctx, brand, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop')
    expect(await readMentionVersion(opened.control, brand)).toEqual(before)
  })
})

describe('removal (account API 3)', () => {
  const removeQuestion = (text: string) =>
    opened.control.db.deleteFrom('questions').where('brand_id', '=', brand.id).where('text', '=', text).execute()

  test('answers removed with their question can be imported again, before they are erased and after', async () => {
    await load([ANSWER])
    await removeQuestion('Which bakery?')
    clock.advance(1_000)
    expect(await load([ANSWER])).toMatchObject({ stored: 1, duplicates: 0, refused: [], questions_created_active: 1 })
    await eraseRemovedAnswers(ctx)
    expect(await readStored()).toMatchObject({ answers: [{}] })
    expect(await load([ANSWER])).toMatchObject({ stored: 0, duplicates: 1 })
  })

  test('an answer that was moved to another question is kept when its first question is removed', async () => {
    await load([ANSWER])
    clock.advance(1_000)
    await load([{ ...ANSWER, question: 'Which one now?' }], { replaces: true })
    await removeQuestion('Which bakery?')
    await eraseRemovedAnswers(ctx)
    expect(await readStored()).toMatchObject({ answers: [{}] })
    expect(await load([{ ...ANSWER, question: 'Which one now?' }])).toMatchObject({ stored: 0, duplicates: 1 })
  })

  test('answers go with their question, and all of them with their brand', async () => {
    await load([ANSWER, { ...ANSWER, external_id: 'b', question: 'Another?' }])
    const [first] = await opened.control.db
      .selectFrom('questions')
      .selectAll()
      .where('brand_id', '=', brand.id)
      .execute()
    expect(await countAnswers(ctx, brand, null)).toBe(2)
    expect(await countAnswers(ctx, brand, first?.id ?? '')).toBe(1)
    expect(await eraseRemovedAnswers(ctx)).toBe(0)
    await opened.control.db
      .deleteFrom('questions')
      .where('id', '=', first?.id ?? '')
      .execute()
    expect(await eraseRemovedAnswers(ctx)).toBe(1)
    expect(await readStored()).toMatchObject({ answers: [{}], citations: [{}, {}], mentions: [{}, {}] })
    await removeBrand(ctx, { account_id, brand: brand.id })
    expect(await eraseRemovedAnswers(ctx)).toBe(1)
    expect(await readStored()).toEqual({ answers: [], citations: [], mentions: [] })
  })
})
