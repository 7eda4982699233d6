import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SessionCaller } from '#accounts/caller.ts'
import { ensureInstallation, type OperatorAccount } from '#accounts/ensure-installation.ts'
import { addUser } from '#accounts/users.ts'
import {
  addBrand,
  archiveBrand,
  countContents,
  editBrand,
  listAllBrands,
  removeBrand,
  restoreBrand,
} from '#brands/brands.ts'
import { addCompetitor, removeCompetitor } from '#brands/competitors.ts'
import { describeBrands } from '#brands/describe-brand.ts'
import { findBrand, readableBrands } from '#brands/find-brand.ts'
import { addPlanEngine, readPlanEngines, removePlanEngine } from '#brands/plan-engines.ts'
import { addQuestionBatch, addQuestionBatchOnce } from '#brands/questions/add-questions.ts'
import { KeyedBatches } from '#brands/questions/keyed-batches.ts'
import { readQuestions } from '#brands/questions/questions.ts'
import { addMember } from '#sites/members.ts'
import { addSite } from '#sites/sites.ts'
import { type FakeClock, fakeClock } from '../support/clock.ts'
import { openTestControl, type TestControl } from '../support/control.ts'

let store: TestControl
let clock: FakeClock
let first: OperatorAccount
let ctx: { control: TestControl['control']; clock: FakeClock }
beforeEach(async () => {
  store = await openTestControl()
  clock = fakeClock('2026-03-01T12:00:20Z')
  ctx = { control: store.control, clock }
  first = await ensureInstallation(store.control, clock)
})
afterEach(() => store.remove())

const names = (name: string) => ({ name, aliases: [] as string[], domains: ['example.com'] })
const add = (name: string, site_id: string | null = null) =>
  addBrand(ctx, { account_id: first.account_id, site_id, ...names(name) })
const named = (brand: string) => ({ account_id: first.account_id, brand })
const everything = { filter: { status: 'all', kind: null, country: null }, limit: 50, offset: 0 } as const

describe('brands of an account (account API 1)', () => {
  test('keep names in one spelling, without repeats, and domains in punycode', async () => {
    const brand = await addBrand(ctx, {
      account_id: first.account_id,
      site_id: null,
      name: ' Acme ',
      aliases: ['Acme', 'ACME Inc', 'ACME Inc'],
      domains: ['https://www.Müller.de/x', 'xn--mller-kva.de'],
    })
    expect(brand).toMatchObject({
      name: 'Acme',
      aliases: ['ACME Inc'],
      domains: ['xn--mller-kva.de'],
      archived_at: null,
    })
  })

  test('a taken or empty name, too many aliases and an invalid domain are refused', async () => {
    await add('Acme')
    await expect(add('Acme')).rejects.toMatchObject({ kind: 'conflict' })
    await expect(add(' ')).rejects.toMatchObject({ kind: 'invalid_input' })
    const much = { ...names('Other'), aliases: Array.from({ length: 51 }, (_, n) => `alias ${n}`) }
    const refused = (given: ReturnType<typeof names>) =>
      expect(addBrand(ctx, { account_id: first.account_id, site_id: null, ...given })).rejects.toMatchObject({
        kind: 'invalid_input',
      })
    await refused(much)
    await refused({ ...names('Other'), domains: ['nonsense'] })
  })

  test('aliases are exact or need company, a repeat adds to what is asked, and an edit without aliases keeps it', async () => {
    const aliases = ['ACM', { alias: 'ACM', is_exact: true }, { alias: ' Apex ', company: ['Munich', 'Munich'] }, 'Ac']
    const brand = await addBrand(ctx, { account_id: first.account_id, site_id: null, ...names('Acme'), aliases })
    const alias_rules = [
      { alias: 'ACM', is_exact: true, company: null },
      { alias: 'Apex', is_exact: false, company: ['Munich'] },
    ]
    expect(brand).toMatchObject({ aliases: ['ACM', 'Apex', 'Ac'], alias_rules })
    expect(await editBrand(ctx, { ...named('Acme'), name: 'Acme AG' })).toMatchObject({ alias_rules })
    const edited = await editBrand(ctx, { ...named(brand.id), aliases: ['Apex', { alias: 'Ac', company: [] }] })
    expect(edited).toMatchObject({ aliases: ['Apex', 'Ac'] })
    expect(edited.alias_rules).toEqual([{ alias: 'Ac', is_exact: false, company: [] }])
    const questions = [{ text: 'Is ac good?' }, { text: 'Is ac good (example.com)?' }]
    await addQuestionBatch(ctx, { brand: edited, questions })
    const kinds = await store.control.db.selectFrom('questions').select('is_branded').orderBy('text').execute()
    expect(kinds.map(({ is_branded }) => is_branded)).toEqual([1, 0])
  })

  test('a rule for the name itself, and company that nothing could be, are refused', async () => {
    const refused = (given: object, message: RegExp) =>
      expect(
        addBrand(ctx, { account_id: first.account_id, site_id: null, ...names('Acme'), ...given }),
      ).rejects.toMatchObject({ kind: 'invalid_input', message: expect.stringMatching(message) })
    await refused({ aliases: [{ alias: 'Acme', is_exact: true }] }, /"Acme" is the name itself/)
    await refused({ aliases: [{ alias: 'Apex', company: [] }], domains: [] }, /"Apex" needs a second word/)
    const words = Array.from({ length: 21 }, (_, n) => `word ${n}`)
    await refused({ aliases: [{ alias: 'Apex', company: words }] }, /21 required second words of "Apex"/)
  })

  test('another name judges the kinds of all questions again, archived ones too', async () => {
    const brand = await add('Acme')
    const questions = [{ text: 'Is Acme good?' }, { text: 'Is Zenith good?' }]
    await addQuestionBatch(ctx, { brand, questions })
    await store.control.db.updateTable('questions').set({ archived_at: 1 }).where('text', 'like', '%Zenith%').execute()
    const kinds = async () => {
      const { questions: rows } = await readQuestions(store.control.db, brand.id, everything)
      return Object.fromEntries(rows.map(({ text, is_branded }) => [text, is_branded]))
    }
    expect(await kinds()).toEqual({ 'Is Acme good?': 1, 'Is Zenith good?': 0 })
    expect(await editBrand(ctx, { ...named('Acme'), name: 'Zenith' })).toMatchObject({ id: brand.id, name: 'Zenith' })
    expect(await kinds()).toEqual({ 'Is Acme good?': 0, 'Is Zenith good?': 1 })
    await editBrand(ctx, { ...named('Zenith'), aliases: ['Acme'] })
    expect(await kinds()).toEqual({ 'Is Acme good?': 1, 'Is Zenith good?': 1 })
    await expect(editBrand(ctx, { ...named('Acme'), name: 'x' })).rejects.toMatchObject({ kind: 'not_found' })
  })

  test('archiving keeps its first instant, and restoring needs room for the active questions', async () => {
    const [brand, other] = [await add('Acme'), await add('Other')]
    await store.control.db.updateTable('accounts').set({ active_question_limit: 1 }).execute()
    const one = { questions: [{ text: 'a' }] }
    await addQuestionBatch(ctx, { brand, ...one })
    const { archived_at } = await archiveBrand(ctx, named(brand.id))
    clock.advance(1_000)
    expect(await archiveBrand(ctx, named('Acme'))).toMatchObject({ archived_at })
    expect(await listAllBrands(store.control.db, { account_id: first.account_id, with_archived: false })).toHaveLength(
      1,
    )
    await addQuestionBatch(ctx, { brand: other, ...one })
    await expect(restoreBrand(ctx, named('Acme'))).rejects.toMatchObject({ kind: 'limit_reached' })
    await store.control.db.updateTable('accounts').set({ active_question_limit: 2 }).execute()
    expect(await restoreBrand(ctx, named('Acme'))).toMatchObject({ archived_at: null })
    expect(await restoreBrand(ctx, named('Acme'))).toMatchObject({ archived_at: null })
  })

  test('removing one also removes questions and competitors, and counts them', async () => {
    const brand = await add('Acme')
    const keyed = { ...ctx, keyed_batches: new KeyedBatches() }
    await addQuestionBatchOnce(keyed, { brand, questions: [{ text: 'a' }, { text: 'b' }], key: 'k' })
    await addCompetitor(ctx, { ...named('Acme'), ...names('Zenith') })
    await expect(addCompetitor(ctx, { ...named('Acme'), ...names('Zenith') })).rejects.toMatchObject({
      kind: 'conflict',
    })
    const second = await addCompetitor(ctx, { ...named('Acme'), ...names('Second') })
    expect(await removeCompetitor(ctx, { ...named('Acme'), competitor: 'Second' })).toEqual(second)
    const gone = removeCompetitor(ctx, { ...named('Acme'), competitor: second.id })
    await expect(gone).rejects.toMatchObject({ kind: 'not_found' })
    expect(await describeBrands(store.control.db, [brand])).toMatchObject([{ competitors: [{ name: 'Zenith' }] }])
    expect(await countContents(store.control.db, brand.id)).toEqual({ questions: 2, competitors: 1 })
    expect(await removeBrand(ctx, named('Acme'))).toMatchObject({ contents: { questions: 2, competitors: 1 } })
    for (const table of ['brands', 'questions', 'competitors', 'question_batches'] as const) {
      expect(await store.control.db.selectFrom(table).selectAll().execute()).toEqual([])
    }
  })
})

describe('who sees and changes a brand (account API 1)', () => {
  async function person(email: string, account_role: 'admin' | 'member' = 'member'): Promise<SessionCaller> {
    const { user } = await addUser(ctx, { account_id: first.account_id, email, is_operator: false, account_role })
    return {
      kind: 'session',
      user_id: user.id,
      account_id: first.account_id,
      account_role,
      session_id: 's',
      confirmed_at: 0,
      is_operator: false,
      site_ids: null,
    }
  }
  const finds = (caller: SessionCaller, id: string, permission: 'read' | 'edit_questions') =>
    findBrand(store.control, caller, id, permission).then(
      () => 'yes',
      ({ kind }) => kind,
    )

  test('a brand of a site follows the roles on that site, also for admins', async () => {
    const site = await addSite(ctx, { ...first, domain: 'example.com' })
    const { id } = await add('Acme', site.id)
    const callers = [
      await person('a@example.com', 'admin'),
      await person('v@example.com'),
      await person('e@example.com'),
    ]
    const [admin, viewer, editor] = callers as [SessionCaller, SessionCaller, SessionCaller]
    await addMember(ctx, { site_id: site.id, user_id: viewer.user_id, role: 'viewer' })
    await addMember(ctx, { site_id: site.id, user_id: editor.user_id, role: 'editor' })
    const standing = async (caller: SessionCaller) => [
      await finds(caller, id, 'read'),
      await finds(caller, id, 'edit_questions'),
    ]
    expect(await standing(admin)).toEqual(['not_found', 'not_found'])
    expect(await standing(viewer)).toEqual(['yes', 'forbidden'])
    expect(await standing(editor)).toEqual(['yes', 'yes'])
    const visible = (caller: SessionCaller) => readableBrands(store.control.db, caller).execute()
    expect(await visible(admin)).toEqual([])
    expect(await visible(viewer)).toHaveLength(1)
    expect(await visible({ ...viewer, site_ids: [] })).toEqual([])
  })

  test('a brand without a site is read by all members of the account, and changed by admins and by editors of any site', async () => {
    const { id } = await add('Acme')
    const site = await addSite(ctx, { ...first, domain: 'example.com' })
    const [admin, plain, editor] = [
      await person('a@example.com', 'admin'),
      await person('p@example.com'),
      await person('e@example.com'),
    ]
    await addMember(ctx, { site_id: site.id, user_id: editor.user_id, role: 'editor' })
    expect(await finds(plain, id, 'read')).toBe('yes')
    expect(await finds(plain, id, 'edit_questions')).toBe('forbidden')
    expect(await finds(admin, id, 'edit_questions')).toBe('yes')
    expect(await finds(editor, id, 'edit_questions')).toBe('yes')
    expect(await finds({ ...admin, account_id: 'another' }, id, 'read')).toBe('not_found')
    expect(await finds(admin, 'Acme', 'read')).toBe('not_found')
  })

  test('operators name one by name too, archived or not', async () => {
    const { id } = await add('Acme')
    await archiveBrand(ctx, named(id))
    const operator = { kind: 'operator', account_id: first.account_id } as const
    expect(await findBrand(store.control, operator, ' Acme ', 'edit_questions')).toMatchObject({ id })
    await expect(findBrand(store.control, operator, 'Nobody', 'read')).rejects.toMatchObject({ kind: 'not_found' })
  })
})

test('the plan lists engines with their basis until an admin removes them (account API 1)', async () => {
  const { db } = store.control
  const { account_id } = first
  await addPlanEngine(db, { account_id, engine: 'grok', reason: 'has_answers' })
  await addPlanEngine(db, { account_id, engine: 'chatgpt', reason: 'is_configured' })
  await addPlanEngine(db, { account_id, engine: 'claude', reason: 'is_configured' })
  await addPlanEngine(db, { account_id, engine: 'claude', reason: 'has_answers' })
  await addPlanEngine(db, { account_id, engine: 'claude', reason: 'has_answers' })
  expect(await readPlanEngines(db, account_id)).toEqual([
    { engine: 'chatgpt', basis: 'configured' },
    { engine: 'claude', basis: 'both' },
    { engine: 'grok', basis: 'imported' },
  ])
  await removePlanEngine(db, { account_id, engine: 'chatgpt' })
  expect((await readPlanEngines(db, account_id)).map(({ engine }) => engine)).toEqual(['claude', 'grok'])
  expect(await readPlanEngines(db, 'another')).toEqual([])
})
