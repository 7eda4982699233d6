/** What of fixes only the control store does, on every kind of it (account API 2.5). */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ensureInstallation } from '#accounts/ensure-installation.ts'
import { addBrand } from '#brands/brands.ts'
import type { FoundBrand } from '#brands/find-brand.ts'
import { countFixesOfQuestion } from '#brands/fixes/fixes-of-question.ts'
import { removeFix } from '#brands/fixes/remove-fix.ts'
import { addQuestionBatch } from '#brands/questions/add-questions.ts'
import { removeQuestion } from '#brands/questions/questions.ts'
import type { FixRow } from '#control/tables.ts'
import { type FakeClock, fakeClock } from '../support/clock.ts'
import { openTestControl, type TestControl } from '../support/control.ts'

let store: TestControl
let ctx: { control: TestControl['control']; clock: FakeClock }
let brand: FoundBrand
beforeEach(async () => {
  store = await openTestControl()
  ctx = { control: store.control, clock: fakeClock('2026-03-01T12:00:20Z') }
  const { account_id } = await ensureInstallation(store.control, ctx.clock)
  brand = await addBrand(ctx, { account_id, site_id: null, name: 'Acme', aliases: [], domains: [] })
})
afterEach(() => store.remove())

const idOf = (place: number) => `00000000-0000-4000-8000-00000000000${place}`
const storeFix = async (place: number, subject: readonly string[], over: Partial<FixRow> = {}) => {
  const row: FixRow = {
    id: idOf(place),
    brand_id: brand.id,
    kind: 'content',
    subject: JSON.stringify(subject),
    newest_of: JSON.stringify(['content', ...subject]),
    title: 'Title',
    description: 'Description',
    evidence_refs: '[]',
    fix_prompt: 'Prompt',
    status: 'open',
    version: 1,
    created_at: place,
    updated_at: place,
    accepted_at: null,
    completed_at: null,
    dismissed_at: null,
    dismissed_reason: null,
    checked_at: null,
    verification: 'not_started',
    ratio_before: null,
    ratio_after: null,
    verification_reason: null,
    replaces: null,
    ...over,
  }
  await store.control.db.insertInto('fixes').values(row).execute()
}
const stored = () =>
  store.control.db.selectFrom('fixes').select(['id', 'newest_of', 'replaces']).orderBy('created_at').execute()

test('a deleted fix gives its place to the one before, and the one after follows that', async () => {
  const subject = ['question', 'q']
  const newest_of = JSON.stringify(['content', ...subject])
  await storeFix(1, subject, { newest_of: null })
  await storeFix(2, subject, { newest_of: null, replaces: idOf(1) })
  await storeFix(3, subject, { replaces: idOf(2) })
  await removeFix(ctx, { brand, fix_id: idOf(2), version: null })
  expect(await stored()).toEqual([
    { id: idOf(1), newest_of: null, replaces: null },
    { id: idOf(3), newest_of, replaces: idOf(1) },
  ])
  await removeFix(ctx, { brand, fix_id: idOf(3), version: 1 })
  expect(await stored()).toEqual([{ id: idOf(1), newest_of, replaces: null }])
})

test('a removed question takes the fixes about it, and no other', async () => {
  const questions = [{ text: 'Which skates?' }, { text: 'Which boots?' }]
  const { created } = await addQuestionBatch(ctx, { brand, questions })
  const [first = '', second = ''] = created.map(({ id }) => id)
  await storeFix(1, ['question', first])
  await storeFix(2, ['competitor_url', first, 'zenith.example/a'])
  await storeFix(3, ['question', second])
  await storeFix(4, ['competitor_url', second, `zenith.example/${first}`])
  await storeFix(5, ['own_url', 'example.com/a'])
  const named = { brand, question_id: first }
  expect(await countFixesOfQuestion(store.control.db, named)).toBe(2)
  await removeQuestion(ctx, named)
  expect((await stored()).map(({ id }) => id)).toEqual([3, 4, 5].map(idOf))
})
