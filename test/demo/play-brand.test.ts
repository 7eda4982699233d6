import { join } from 'node:path'
import pino from 'pino'
import Type from 'typebox'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { ensureInstallation } from '#accounts/ensure-installation.ts'
import { readUsableEngines } from '#brands/engines/settings.ts'
import type { ScanContext } from '#brands/scans/context.ts'
import { readScanDays } from '#brands/scans/scan-days.ts'
import { DAY_MS } from '#clock.ts'
import { utcDay } from '#days/utc-day.ts'
import { startBrand } from '#demo/play-brand.ts'
import { count, rows, uuid } from '#evidence/sql.ts'
import { openSecretBox } from '#secrets/secret-box.ts'
import { addSite } from '#sites/sites.ts'
import { fakeClock } from '../support/clock.ts'
import { makeTestFolder, openTestControl, removeTestFolder, type TestControl } from '../support/control.ts'
import { openTestEvidence, type TestEvidence } from '../support/evidence.ts'

const folder = makeTestFolder()
let opened: TestControl
let stored: TestEvidence
beforeEach(async () => {
  opened = await openTestControl()
  stored = await openTestEvidence()
})
afterEach(async () => {
  await stored.remove()
  await opened.remove()
})
afterAll(() => removeTestFolder(folder))

test('the brand of the demo has answers of three engines, a change of model, an engine that fails, and no key', async () => {
  const { control } = opened
  const { account_id, brand, clock } = await playBrand(14)
  const models = await stored.store.all(
    rows(Type.Object({ engine: Type.String(), model: Type.String(), state: Type.String(), answers: count() }))`
      SELECT toString(engine) AS engine, ifNull(model, '') AS model, toString(state) AS state, count() AS answers
      FROM spoor.answers FINAL WHERE brand_id = ${uuid(brand.id)}
      GROUP BY engine, model, state ORDER BY engine, model`,
  )
  expect(models.map(({ engine, model, state }) => [engine, model, state])).toEqual([
    ['chatgpt', 'gpt-5-mini-2025-08-07', 'answered'],
    ['chatgpt', 'gpt-5-mini-2026-11-04', 'answered'],
    ['claude', 'claude-haiku-4-5-20251001', 'answered'],
    ['grok', '', 'failed'],
    ['perplexity', 'perplexity/sonar', 'answered'],
  ])
  expect(models.find(({ engine }) => engine === 'claude')?.answers).toBe(15 * 8)
  const due = await readScanDays(control.db, brand.id, {
    engines: ['grok'],
    country: null,
    question_id: null,
    branded: null,
    from: '2026-11-01',
    to: utcDay(clock.now()),
  })
  expect(due).toHaveLength(15)
  expect(await readUsableEngines(control.db, account_id)).toEqual([])
  const fixes = await control.db.selectFrom('fixes').select(['kind', 'status', 'subject']).execute()
  expect(new Set(fixes.map(({ kind, status }) => `${kind} ${status}`))).toEqual(
    new Set(['content open', 'citation open', 'citation accepted', 'citation dismissed']),
  )
})

test('a history that begins after the owner would have accepted a fix leaves that fix open', async () => {
  await playBrand(42, 39)
  const fix = await opened.control.db
    .selectFrom('fixes')
    .select('status')
    .where('title', 'like', '%compares prices%')
    .executeTakeFirst()
  expect(fix).toEqual({ status: 'open' })
})

/** The brand of a history of so many days, played until so many days before its end. */
async function playBrand(days: number, until = 0) {
  const { control } = opened
  const now = Date.parse('2026-11-22T12:00:00Z')
  const clock = fakeClock(`${utcDay(now - days * DAY_MS)}T00:00:00Z`)
  const { account_id, user_id } = await ensureInstallation(control, clock)
  const site = await addSite({ control, clock }, { account_id, user_id, domain: 'example.com' })
  const ctx = {
    control,
    clock,
    evidence: stored.store,
    secrets: openSecretBox(folder, { secret_key: null }),
    // Whatever is asked outside fails the test.
    outgoing: null as unknown as ScanContext['outgoing'],
    payload_folder: join(folder, 'payloads'),
    log: pino({ level: 'silent' }),
  }
  const place = { account_id, site_id: site.id, domain: 'example.com', moveTo: (instant: number) => clock.set(instant) }
  const { brand, liveUntil, end } = await startBrand(ctx, place, { now, days, seed: 1 })
  const end_at = now - until * DAY_MS
  await liveUntil(end_at - DAY_MS)
  await liveUntil(end_at)
  clock.set(end_at)
  await end()
  return { account_id, brand, clock }
}
