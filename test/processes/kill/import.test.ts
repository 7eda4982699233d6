/**
 * kill -9 at any moment of an import: a repeat makes whole what broke off, and nothing is doubled (decisions 3.4, rules
 * 3).
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { history } from '#demo/history.ts'
import { count, rows } from '#evidence/sql.ts'
import type { Site } from '#sites/site.ts'
import { listAllSites } from '#sites/sites.ts'
import { startChild } from '../../support/child.ts'
import { makeTestFolder, removeTestFolder } from '../../support/control.ts'
import { openTestService, type TestService } from '../../support/service.ts'

const CHILD = new URL('../../intake/import/children/import.ts', import.meta.url)
const NOW = '2026-03-10T12:00:00Z'
const MONTHS = ['04', '05', '06', '07', '08', '09', '10', '11', '12', '01', '02', '03'].map(
  (month, at) => `${at < 9 ? 2025 : 2026}-${month}`,
)

/** A year of a few days a month, over one batch of staged rows, with some lines twice. */
function yearOfRequests(): string {
  const log = history()
  for (const month of MONTHS) {
    for (const day of ['03', '04']) {
      log.on(`${month}-${day}`).humans()
      log.crawler('gptbot').requests(500, { path: `/${month}/${day}`, from: '01:00' })
      log.crawler('oai-searchbot').requests(500, { path: '/', status: 404, from: '09:00' })
      log.agent('NobodysBot/1').requests(50, { from: '20:00' })
      log.agent('NobodysBot/1').requests(20, { from: '20:00' })
    }
  }
  return log.text()
}

const Facts = Type.Object({ rows: count(), facts: count(), sum: Type.String() })
const allFacts = rows(Facts)`
  SELECT (SELECT count() FROM spoor.requests) AS rows, count() AS facts,
    toString(sum(cityHash64(day, at, requests, host, path, page_id, status, method, user_agent, agent_key))) AS sum
  FROM spoor.requests FINAL`
const staged = rows(Type.Object({ n: count() }))`SELECT count() AS n FROM spoor.import_rows`

/** Everything that can be seen of a site, without the ids that are drawn anew each time. */
async function seen(service: TestService) {
  const query = '?window=365d&purpose=search,assistant,training,unknown'
  const paths = ['performance', 'crawlers', 'top-pages'].map((name) => `/v1/sites/example.com/${name}${query}`)
  const answers = await Promise.all([...paths, '/v1/sites/example.com/sources'].map((path) => service.ask(path)))
  for (const answer of answers) expect(answer.status, answer.text).toBe(200)
  const text = JSON.stringify(answers.map((answer) => answer.json))
  const [facts] = await service.crawlers.evidence.all(allFacts)
  const { db } = service.installation.control
  const coverage = await db
    .selectFrom('coverage_intervals')
    .select(['host', 'from_at', 'to_at', 'quality', 'reason', 'silence_limit_ms'])
    .where('delivery_id', 'is', null)
    .orderBy('from_at')
    .execute()
  return { answers: JSON.parse(text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id')), facts, coverage }
}

type Seen = Awaited<ReturnType<typeof seen>>
const total = (view: Seen): number | null => view.answers[0].observed_request_count

let source: string
let log: string
let whole: Seen
let wholeRollUps: Seen
beforeAll(async () => {
  source = makeTestFolder()
  log = yearOfRequests()
  writeFileSync(join(source, 'a.log'), log)
  const service = await openTestService(NOW)
  const site = await service.addSite('example.com')
  await service.createKey()
  await service.importText(site, log, { label: 'a.log' })
  whole = await seen(service)
  await service.rebuild()
  wholeRollUps = await seen(service)
  await service.close()
})
afterAll(() => removeTestFolder(source))

/** A number of lines read, or what the control store looks like. */
type Moment = number | ((control: DatabaseSync) => boolean)

/** Starts an import in a process of its own and kills it at a moment. */
async function killedImport(folder: string, moment: Moment): Promise<void> {
  const child = startChild(CHILD, folder, join(source, 'a.log'), NOW)
  if (typeof moment === 'number') while (Number(await child.line()) < moment);
  else {
    await child.line()
    const control = new DatabaseSync(join(folder, 'control.sqlite'), { readOnly: true, timeout: 1_000 })
    while (child.process.exitCode === null && !moment(control)) await pause(1)
    control.close()
  }
  expect(child.process.exitCode, 'it was still running').toBeNull()
  await child.kill()
}

const number = (control: DatabaseSync, statement: string) => Number(control.prepare(statement).get()?.n)
const committing = (control: DatabaseSync) => number(control, 'SELECT count(*) AS n FROM deliveries') > 0
const monthsIn = (months: number) => (control: DatabaseSync) =>
  number(
    control,
    "SELECT count(DISTINCT strftime('%Y-%m', from_at / 1000, 'unixepoch')) AS n FROM coverage_intervals",
  ) >= months
const rebuilding = (control: DatabaseSync) => number(control, 'SELECT count(*) AS n FROM retired_builds') > 0
const random = (most: number) => Math.floor(Math.random() * most)

async function reopen(folder: string): Promise<{ service: TestService; site: Site }> {
  const service = await openTestService(NOW, folder)
  const [row] = await listAllSites(service.installation.operator)
  if (row === undefined) throw new Error('the site is gone')
  await service.createKey()
  return { service, site: { ...row, role: 'owner' } }
}

/** What a broken import may leave: partial coverage, its source in error, days to rebuild, and nothing staged. */
async function expectBrokenOff(service: TestService): Promise<void> {
  const { db } = service.installation.control
  expect(await service.crawlers.evidence.all(staged)).toEqual([{ n: 0 }])
  expect(await db.selectFrom('dirty_days').selectAll().where('state', '=', 'writing').execute()).toEqual([])
  const deliveries = await db.selectFrom('deliveries').select('state').execute()
  const sources = await db.selectFrom('sources').select('connection_status').execute()
  const left = await seen(service)
  if (deliveries.length === 0) {
    expect(sources).toEqual([])
    expect(left.facts).toMatchObject({ rows: 0 })
    return
  }
  expect(new Set(deliveries.map((row) => row.state))).toEqual(new Set(['broken']))
  expect(sources).toEqual([{ connection_status: 'error' }])
  expect(left.coverage).toEqual([])
  expect(['partial', 'unknown']).toContain(left.answers[0].meta.coverage_state)
  const counted = total(left)
  if (counted !== null) expect(counted).toBeLessThanOrEqual(total(whole) as number)
}

async function expectWholeAfterRepeat(folder: string): Promise<void> {
  const { service, site } = await reopen(folder)
  try {
    await expectBrokenOff(service)
    const receipt = await service.importText(site, log, { label: 'a.log' })
    expect(receipt.stored + receipt.duplicates).toBe(whole.facts?.facts)
    expect(await seen(service)).toEqual(whole)
    await service.rebuild()
    expect(await seen(service)).toEqual(wholeRollUps)
    expect(await service.rebuild()).toBe(0)
  } finally {
    await service.close()
  }
}

describe('kill -9 during an import', { timeout: 120_000 }, () => {
  test('the undisturbed import counts every request, from facts and from roll-ups', () => {
    expect(total(whole)).toBe(12 * 2 * 1_000)
    expect(whole.facts).toMatchObject({ rows: 12 * 2 * 1_070, facts: 12 * 2 * 1_070 })
    expect(wholeRollUps).toEqual(whole)
    expect(whole.answers[3]).toMatchObject({ sources: [{ connection_status: 'live' }] })
  })

  test.each([
    ['at the start of reading', [0]],
    ['somewhere while lines are read', [random(15_000)]],
    ['near the end of reading', [20_000]],
    ['as the days become dirty', [committing]],
    ['after the first month of facts', [monthsIn(1)]],
    ['after some months of facts', [monthsIn(2 + random(4))]],
    ['near the end', [monthsIn(10)]],
    ['twice, the second time in the repeat', [monthsIn(3), monthsIn(6)]],
  ] as [string, Moment[]][])(
    '%s: a repeat gives the same facts, coverage and answers as an undisturbed import',
    async (_, moments) => {
      const folder = makeTestFolder()
      try {
        for (const moment of moments) await killedImport(folder, moment)
      } catch (error) {
        removeTestFolder(folder)
        throw error
      }
      await expectWholeAfterRepeat(folder)
    },
  )

  test('while roll-ups are rebuilt: every answer is whole at once, and the rebuild is done again', async () => {
    const folder = makeTestFolder()
    await killedImport(folder, rebuilding)
    const { service } = await reopen(folder)
    expect(await seen(service)).toEqual(whole)
    await service.rebuild()
    expect(await seen(service)).toEqual(wholeRollUps)
    await service.close()
  })
})
