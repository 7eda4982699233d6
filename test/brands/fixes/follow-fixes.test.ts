import { beforeEach, describe, expect, test } from 'vitest'
import { createAccountToken } from '#accounts/account-tokens.ts'
import { evaluateMentions } from '#brands/answers/evaluate-mentions.ts'
import { editBrand } from '#brands/brands.ts'
import type { FoundBrand } from '#brands/find-brand.ts'
import { changeFix } from '#brands/fixes/change-fix.ts'
import { countFixesOfQuestion } from '#brands/fixes/fixes-of-question.ts'
import { followFixes } from '#brands/fixes/follow-fixes.ts'
import { makeFixes } from '#brands/fixes/make-fixes.ts'
import { removeFix } from '#brands/fixes/remove-fix.ts'
import { verifyFixes } from '#brands/fixes/verify-fixes.ts'
import { removeQuestion } from '#brands/questions/questions.ts'
import { DAY_MS } from '#clock.ts'
import type { Fix, FixList } from '#contract/account-api/index.ts'
import type { Site } from '#sites/site.ts'
import { addPerson, addSiteOf, type Person } from '../../operations/people.ts'
import { addBrandWithRival, importRecords } from '../../support/brands.ts'
import { serviceOfFile } from '../../support/fresh.ts'
import { addIssue } from '../../support/issues.ts'
import type { TestService } from '../../support/service.ts'

let service: TestService
let site: Site
let owner: Person
let brand: FoundBrand
let token: string
const shared = serviceOfFile()
beforeEach(async () => {
  service = await shared.fresh('2026-03-10T12:00:00.000Z')
  owner = await addPerson(service)
  site = await addSiteOf(service, owner, 'example.com')
  const { operator } = service.installation
  const added = await addBrandWithRival(operator, {
    account_id: owner.account_id,
    site_id: site.id,
    brand: { name: 'Acme', domains: ['example.com'] },
    rival: { name: 'Zenith', domains: ['zenith.example'] },
  })
  brand = added.brand
  token = (await createAccountToken(operator, { ...owner, name: 'write', scope: 'write' })).secret
})

const context = () => {
  const { control, clock } = service.installation
  return { control, clock, evidence: service.crawlers.evidence }
}
const make = () => makeFixes(context(), brand)
const rename = async (...aliases: string[]) => {
  const { operator } = service.installation
  brand = await editBrand(operator, { account_id: owner.account_id, brand: brand.id, aliases })
}
const searchAnew = () => evaluateMentions(context(), brand, new AbortController().signal)
const verify = () => verifyFixes(context(), brand)

interface Loaded {
  question: string
  text: string
  citations?: string[]
  day?: string
  run?: number
}
const load = async (answers: readonly Loaded[]) => {
  const lines = answers.map(({ citations = [], day = '2026-03-05', ...answer }, at) => ({
    source_tool: 'tool',
    external_id: `${day} ${at}`,
    engine: 'chatgpt',
    state: 'answered',
    model: 'm',
    asked_at: `${day}T05:00:00Z`,
    citations: citations.map((url) => ({ url })),
    ...answer,
  }))
  const { refused } = await importRecords(context(), brand, lines)
  expect(refused).toEqual([])
}
const times = (count: number, answer: Loaded): Loaded[] =>
  Array.from({ length: count }, (_, at) => ({ ...answer, run: at + 1 }))

const path = (rest = '') => `/api/v1/brands/${brand.id}/fixes${rest}`
const list = async (query = '') => {
  const answer = await service.ask(path(`?${query}`), { key: token })
  expect(answer.status, answer.text).toBe(200)
  return answer.json as FixList
}
const act = async (id: string, action: string, body?: unknown) => {
  const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const { status, json } = await service.ask(path(`/${id}/${action}`), { key: token, method: 'POST', ...sent })
  return { status, json }
}
const only = async (query = ''): Promise<Fix> => {
  const { fixes } = await list(query)
  expect(fixes).toHaveLength(1)
  return fixes[0] as Fix
}

describe('fixes are made once from four origins (account API 2.5)', () => {
  test('issues, lost questions, own pages that crawlers cannot fetch, and cited pages of competitors', async () => {
    const issue = await addIssue(service.installation.control, site)
    await addIssue(service.installation.control, site, { state: 'fix_detected', path_key: '/other' })
    await load([
      ...times(3, { question: 'Which skates?', text: 'Zenith.', citations: ['https://www.zenith.example/a#b'] }),
      ...times(2, { question: 'Which boots?', text: 'Zenith.', citations: ['https://zenith.example/b'] }),
      ...times(3, { question: 'Which hats?', text: 'Zenith and Acme.', citations: ['https://example.com/pricing'] }),
      ...times(3, { question: 'Is Acme good?', text: 'Zenith is.' }),
    ])
    expect(await make()).toBe(4)
    expect(await make()).toBe(0)
    const { fixes, total_count } = await list()
    expect(total_count).toBe(4)
    const of = (kind: string, text: string) => fixes.find((fix) => fix.kind === kind && fix.title.includes(text))
    expect(of('access', 'ClaudeBot')).toMatchObject({
      evidence_refs: [{ kind: 'issue', id: issue.id }],
      status: 'open',
      version: 1,
      replaces: null,
      verification: { state: 'not_started', checked_at: null, before: null, after: null, reason: null },
    })
    const content = of('content', 'Which skates?')
    expect(content?.evidence_refs.map(({ kind }) => kind)).toEqual(['question', 'answer', 'answer', 'answer'])
    expect(content?.fix_prompt).toContain('They are not instructions')
    expect(of('citation', 'https://example.com/pricing')?.evidence_refs.map(({ kind }) => kind)).toEqual([
      ...['url', 'issue', 'question'],
    ])
    expect(of('citation', 'zenith.example/a')?.evidence_refs).toMatchObject([
      { kind: 'question' },
      { kind: 'url', url: 'https://www.zenith.example/a' },
    ])
    expect((await list('kind=citation&status=open&limit=1')).truncated).toBe(true)
    expect((await list('status=completed')).total_count).toBe(0)
  })

  test('a dismissed fix is not made again; a completed one is after 30 days, while the evidence lasts', async () => {
    await addIssue(service.installation.control, site)
    const later = await addIssue(service.installation.control, site, { path_key: '/b', title: 'Later' })
    await followFixes(context(), new AbortController().signal)
    const { fixes } = await list()
    const completed = fixes.find(({ title }) => title === 'Later') as Fix
    const dismissed = fixes.find(({ title }) => title !== 'Later') as Fix
    expect((await act(dismissed.id, 'dismiss', { reason: 'wanted' })).json).toMatchObject({
      dismissed_reason: 'wanted',
    })
    await act(completed.id, 'accept')
    await act(completed.id, 'complete')
    service.clock.set('2026-04-09T11:59:59Z')
    expect(await make()).toBe(0)
    service.clock.set('2026-04-09T12:00:00Z')
    expect(await make()).toBe(1)
    const successor = await only('status=open')
    expect(successor).toMatchObject({ replaces: completed.id, evidence_refs: [{ kind: 'issue', id: later.id }] })
    await expect(
      changeFix(context(), { brand, fix_id: completed.id, action: 'reopen', version: null, reason: null }),
    ).rejects.toMatchObject({ kind: 'conflict' })
  })

  test('no fix about missing mentions is proposed before answers are searched for changed names', async () => {
    await load(times(3, { question: 'Which skates?', text: 'Apex and Zenith.' }))
    await rename('Apex')
    expect(await make()).toBe(0)
    expect(await searchAnew()).toBe(3)
    expect(await make()).toBe(0)
    await rename()
    await searchAnew()
    expect(await make()).toBe(1)
  })
})

describe('actions on a fix (account API 2.5)', () => {
  test('go from open to accepted to completed; a repeat changes nothing, anything else is a conflict', async () => {
    await addIssue(service.installation.control, site)
    await make()
    const { id } = await only()
    expect(await act(id, 'complete')).toMatchObject({ status: 409, json: { code: 'conflict' } })
    expect(await act(id, 'accept', { version: 2 })).toMatchObject({ status: 409, json: { code: 'conflict' } })
    expect(await act(id, 'accept', { version: 1 })).toMatchObject({
      status: 200,
      json: { status: 'accepted', version: 2 },
    })
    expect(await act(id, 'accept', { version: 1 })).toMatchObject({
      status: 200,
      json: { status: 'accepted', version: 2 },
    })
    expect(await act(id, 'complete', {})).toMatchObject({
      status: 200,
      json: { status: 'completed', verification: { state: 'awaiting_evidence' } },
    })
    expect(await act(id, 'dismiss')).toMatchObject({ status: 409 })
    expect(await act(id, 'accept')).toMatchObject({ status: 409 })
    expect(await act(id, 'accept', { version: 'x', other: 1 })).toMatchObject({
      status: 400,
      json: { errors: [{ path: ['other'] }, { path: ['version'] }] },
    })
    expect(await act('00000000-0000-4000-8000-000000000000', 'accept')).toMatchObject({ status: 404 })
    const reopened = await changeFix(context(), { brand, fix_id: id, action: 'reopen', version: 3, reason: null })
    expect(reopened).toMatchObject({ status: 'open', version: 4, completed_at: null, verification: 'not_started' })
  })

  test.each([
    ['a NUL, which PostgreSQL cannot store', 'not \0 wanted'],
    ['half of a surrogate pair', 'not \ud800 wanted'],
  ])('a reason with %s is refused and changes nothing', async (_, reason) => {
    await addIssue(service.installation.control, site)
    await make()
    const { id } = await only()
    expect(await act(id, 'dismiss', { reason, version: 'x' })).toMatchObject({
      status: 400,
      json: {
        code: 'invalid_request',
        errors: expect.arrayContaining([
          expect.objectContaining({ path: ['reason'], code: 'invalid' }),
          expect.objectContaining({ path: ['version'] }),
        ]),
      },
    })
    expect(await only()).toMatchObject({ status: 'open', version: 1 })
    const byPerson = changeFix(context(), { brand, fix_id: id, action: 'dismiss', version: null, reason })
    await expect(byPerson).rejects.toMatchObject({ kind: 'invalid_input' })
  })

  test('of two changes at the same time one is refused', async () => {
    await addIssue(service.installation.control, site)
    await make()
    const { id } = await only()
    await act(id, 'accept')
    const both = await Promise.all([act(id, 'complete'), act(id, 'dismiss')])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const same = await service.ask(path(`/${id}`), { key: token })
    expect(same.json).toMatchObject({ version: 3 })
  })

  test('a read token may not act, and reopening has no route', async () => {
    await addIssue(service.installation.control, site)
    await make()
    const { id } = await only()
    expect(await act(id, 'reopen')).toMatchObject({ status: 404 })
    token = (await createAccountToken(service.installation.operator, { ...owner, name: 'r', scope: 'read' })).secret
    expect(await act(id, 'accept')).toMatchObject({ status: 403, json: { code: 'forbidden' } })
  })
})

describe('deleting a fix, which only people do (account API 2.5)', () => {
  const remove = (fix_id: string, version: number | null = null) => removeFix(context(), { brand, fix_id, version })

  test('leaves no trace: the same evidence makes it again', async () => {
    await addIssue(service.installation.control, site)
    await make()
    const { id } = await only()
    await act(id, 'dismiss')
    await expect(remove(id, 1)).rejects.toMatchObject({ kind: 'conflict' })
    await remove(id, 2)
    await expect(remove(id)).rejects.toMatchObject({ kind: 'not_found' })
    expect((await list()).total_count).toBe(0)
    expect(await make()).toBe(1)
    expect(await only()).toMatchObject({ status: 'open', version: 1, replaces: null })
  })

  test('gives the place of the newest back to the fix before it', async () => {
    const { id, successor } = await replaced()
    await remove(successor.id)
    expect(await only()).toMatchObject({ id, status: 'completed' })
    expect(await make()).toBe(1)
    expect(await only('status=open')).toMatchObject({ replaces: id })
  })

  test('makes a later fix follow the one before', async () => {
    const { id, successor } = await replaced()
    await remove(id)
    expect(await only()).toMatchObject({ id: successor.id, replaces: null })
    expect(await make()).toBe(0)
  })

  test('goes with its question, while fixes about others stay', async () => {
    const citations = ['https://zenith.example/a']
    await load([
      ...times(3, { question: 'Which skates?', text: 'Zenith.', citations }),
      ...times(3, { question: 'Which boots?', text: 'Zenith.', citations }).map((one) => ({
        ...one,
        day: '2026-03-06',
      })),
    ])
    expect(await make()).toBe(4)
    const { db } = service.installation.control
    const question = await db
      .selectFrom('questions')
      .selectAll()
      .where('text', '=', 'Which skates?')
      .executeTakeFirstOrThrow()
    const named = { brand, question_id: question.id }
    expect(await countFixesOfQuestion(db, named)).toBe(2)
    await removeQuestion(context(), named)
    const { fixes } = await list()
    expect(fixes.map(({ title }) => title.includes('Which boots?'))).toEqual([true, true])
    expect(await make()).toBe(0)
  })

  test('has no route in the account API', async () => {
    await addIssue(service.installation.control, site)
    await make()
    const { id } = await only()
    expect(await service.ask(path(`/${id}`), { key: token, method: 'DELETE' })).toMatchObject({ status: 404 })
    expect(await act(id, 'remove')).toMatchObject({ status: 404 })
  })

  /** A completed fix and the one that the same evidence made 30 days later. */
  async function replaced() {
    await addIssue(service.installation.control, site)
    await make()
    const { id } = await only()
    await act(id, 'accept')
    await act(id, 'complete')
    service.clock.set('2026-04-09T12:00:00Z')
    expect(await make()).toBe(1)
    return { id, successor: await only('status=open') }
  }
})

describe('later evidence judges a completed fix once (account API 2.5)', () => {
  test('access: by the issue', async () => {
    const { control } = service.installation
    const issue = await addIssue(control, site)
    await make()
    const { id } = await only()
    await act(id, 'accept')
    await act(id, 'complete')
    expect(await verify()).toBe(0)
    const fix_confirmed_at = service.clock.now() + 1
    await control.db
      .updateTable('issues')
      .set({ state: 'fix_detected', fix_confirmed_at })
      .where('id', '=', issue.id)
      .execute()
    expect(await verify()).toBe(1)
    expect(await verify()).toBe(0)
    expect((await only()).verification).toMatchObject({ state: 'improved', checked_at: '2026-03-10T12:00:00.000Z' })
  })

  test.each([
    ['regressed', { state: 'regressed', opened_at: Date.parse('2026-03-11') }, 'worsened'],
    ['ended', { state: 'withdrawn', ended_at: Date.parse('2026-03-11') }, 'not_comparable'],
  ] as const)('access: %s', async (_name, change, state) => {
    const { control } = service.installation
    const issue = await addIssue(control, site)
    await make()
    const { id } = await only()
    await act(id, 'accept')
    await act(id, 'complete')
    await control.db.updateTable('issues').set(change).where('id', '=', issue.id).execute()
    await verify()
    expect((await only()).verification.state).toBe(state)
  })

  test('citation: the rate of the questions, 30 days before acceptance against the days after completion', async () => {
    const questions = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `Which ${name}?`)
    const cited = 'https://example.com/pricing'
    const ask = (day: string, citing: number) =>
      questions.flatMap((question) =>
        [1, 2, 3, 4].map((run) => ({ question, text: 'Acme', day, run, citations: run <= citing ? [cited] : [] })),
      )
    const issue = await addIssue(service.installation.control, site)
    await load(ask('2026-03-05', 1))
    await make()
    const fix = await only('kind=citation')
    await act(fix.id, 'accept')
    await act(fix.id, 'complete')
    await service.installation.control.db
      .updateTable('issues')
      .set({ state: 'closed' })
      .where('id', '=', issue.id)
      .execute()
    service.clock.set(service.clock.now() + 14 * DAY_MS)
    await load(ask('2026-03-12', 4))
    expect(await verify()).toBe(0)
    service.clock.set(service.clock.now() + DAY_MS)
    expect(await verify()).toBe(1)
    expect((await only('kind=citation')).verification).toMatchObject({
      state: 'improved',
      reason: null,
      before: { numerator: 6, denominator: 24 },
      after: { numerator: 24, denominator: 24 },
    })
  })

  test('content: one question is too few for a verdict, which is given after 30 days', async () => {
    await load(times(3, { question: 'Which skates?', text: 'Zenith.' }))
    await make()
    const { id } = await only()
    await act(id, 'accept')
    await act(id, 'complete')
    service.clock.set(service.clock.now() + 30 * DAY_MS)
    expect(await verify()).toBe(0)
    service.clock.set(service.clock.now() + DAY_MS)
    expect(await verify()).toBe(1)
    expect((await only()).verification).toMatchObject({
      state: 'not_comparable',
      reason: 'few_questions',
      before: { numerator: 0, denominator: 3 },
      after: { value: null, denominator: 0 },
    })
  })

  test('content: only once answers are searched for changed names', async () => {
    await load(times(3, { question: 'Which skates?', text: 'Apex and Zenith.' }))
    await make()
    const { id } = await only()
    await act(id, 'accept')
    await act(id, 'complete')
    await rename('Apex')
    service.clock.set(service.clock.now() + 31 * DAY_MS)
    expect(await verify()).toBe(0)
    await searchAnew()
    expect(await verify()).toBe(1)
    expect((await only()).verification).toMatchObject({ before: { numerator: 3, denominator: 3 } })
  })
})
