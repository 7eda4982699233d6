/**
 * What every operation answers while a store is away: the control store's server is stopped, or the evidence engine
 * cannot be read.
 */
import { readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { history } from '#demo/history.ts'
import { count, rows } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { addIntakeSource } from '#sources/sources.ts'
import { addConversion } from '#tracker/definitions/conversions.ts'
import { readConversionInput, readFunnelInput } from '#tracker/definitions/definition-input.ts'
import { addFunnel } from '#tracker/definitions/funnels.ts'
import { BROWSER } from '../support/collect.ts'
import { visit } from '../support/intake.ts'
import { createDatabase, createMigrated, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { type Answer, openTestService, type TestService } from '../support/service.ts'
import { enableTracker, storeEvents } from '../support/tracker.ts'
import { askOperation, everyOperation, kindOf, SLUG } from './ask.ts'

const NOW = '2026-03-10T12:00:00Z'
const UNAVAILABLE = 'unavailable'
const STATUSES = {
  // Control store, evidence store (spec 4.2 and 7.1, rules 1 and 6).
  listSites: [500, 200],
  getPerformance: [500, 500],
  getCrawlers: [500, 500],
  getCrawler: [500, 500],
  getUnregisteredAgents: [500, 500],
  getTopPages: [500, 500],
  getSources: [500, 200],
  getIssues: [500, 200],
  runAccessCheck: [500, 500],
  verifyIssue: [500, 404],
  getAnalyticsOverview: [500, UNAVAILABLE],
  getAnalyticsSources: [500, UNAVAILABLE],
  getAnalyticsPages: [500, UNAVAILABLE],
  getAnalyticsConversions: [500, UNAVAILABLE],
  getAnalyticsFunnels: [500, 503],
  getAnalyticsFunnel: [500, 503],
  getAnalyticsJourneys: [500, 503],
  getAnalyticsRevenue: [500, 503],
  getAnalyticsEvents: [500, UNAVAILABLE],
} as const

interface Sender {
  service: TestService
  intake(path: string): Promise<Answer>
  collect(): Promise<Answer>
  collectFromServer(): Promise<Answer>
}

/** A site with evidence of both kinds, definitions, and one sender of each kind. */
async function openSite(options: Parameters<typeof openTestService>[2]): Promise<Sender> {
  const service = await openTestService(NOW, undefined, { collects: {}, ...options })
  const site = await service.addSite('example.com')
  await service.createKey()
  await service.importText(site, history().on('2026-03-09').humans().crawler('oai-searchbot').requests(3))
  const keys = await enableTracker(service, site, { from: '2026-03-01T00:00:00Z', through: NOW })
  await storeEvents(service, site, [{ at: '2026-03-09T10:00:00Z' }, { at: '2026-03-10T10:00:00Z' }])
  const { control, clock, operator } = service.installation
  const signup = { name: 'a', matcher: { kind: 'event', event_name: 'signup', property_rules: [] } }
  await addConversion({ control, clock }, { site, definition: readConversionInput(signup) })
  const page = (path: string) => ({ kind: 'page', hostname: 'example.com', path })
  await addFunnel(
    { control, clock },
    { site, definition: readFunnelInput({ name: 'a', steps: [page('/'), page('/b')] }) },
  )
  await control.db.updateTable('funnels').set({ slug: SLUG }).execute()
  const { token } = await addIntakeSource(operator, { site_id: site.id, name: 'web1' })
  const event = (over: object) => JSON.stringify({ v: 1, type: 'pageview', id: crypto.randomUUID(), ...over })
  return {
    service,
    intake: (path) =>
      service.ask('/intake/logs', { method: 'POST', key: token.secret, body: JSON.stringify(visit({ path })) }),
    collect: () =>
      service.ask('/collect', {
        method: 'POST',
        key: null,
        body: event({ site: keys.public_key, url: 'https://example.com/' }),
        headers: { 'user-agent': BROWSER, origin: 'https://example.com' },
      }),
    collectFromServer: () =>
      service.ask('/collect/server', {
        method: 'POST',
        key: null,
        body: event({ type: 'event', name: 'signup' }),
        headers: { authorization: `Bearer ${keys.server_key}`, 'content-type': 'application/json' },
      }),
  }
}

/** Asks every operation, as JSON and as CSV; `column` is the store that is away. */
async function expectMatrix(service: TestService, column: 0 | 1): Promise<void> {
  for (const [id, operation] of everyOperation) {
    const expected = STATUSES[id][column]
    for (const query of operation.csv === undefined ? [''] : ['format=json', 'format=csv']) {
      const answer = await askOperation(service, operation, { query })
      expect([id, answer.status], answer.text).toEqual([id, expected === UNAVAILABLE ? 200 : expected])
      expect(answer.text).not.toMatch(/postgres|ECONN|chdb|spoor\.|SELECT|\/tmp\//i)
      if (expected === 500) expect(kindOf(answer)).toMatch(/^(internal_error|not_built)$/)
      if (expected === 503) expect(answer.json.title).toBe(operation.unavailable_title)
      if (expected === UNAVAILABLE) expect(answer.text).toContain('unavailable')
      if (expected === UNAVAILABLE && query === 'format=json') {
        expect(Compile(operation.output).Errors(answer.json)).toEqual([])
        expect(answer.json.meta).toMatchObject({ measurement_state: 'unavailable' })
      }
    }
  }
}

function expectToComeAgain(answer: Answer, name: string): void {
  expect([name, answer.status], answer.text).toEqual([name, 503])
  expect(answer.headers['retry-after']).toMatch(/^\d+$/)
  expect(answer.headers['content-type']).toBe('application/problem+json')
}

const plain = async (service: TestService, path: string) => (await service.ask(path, { key: null })).status

describe('the control store is down', () => {
  let server: PostgresServer
  let site: Sender
  beforeAll(async () => {
    server = await startPostgres()
    await createMigrated(server)
    site = await openSite({ database: await createDatabase({ server, migrated: true }) })
    expect(await site.collect()).toMatchObject({ status: 202 })
    await server.stop()
  })
  afterAll(async () => {
    await site.service.close()
    await server.close()
  })

  test('every operation of the site API is 500, because no caller can be identified', async () => {
    await expectMatrix(site.service, 0)
  })

  test('requests without a store are answered as usual', async () => {
    const { service } = site
    expect((await service.ask('/v1/sites?a=%zz')).status).toBe(400)
    expect((await service.ask('/v1/sites', { key: null })).status).toBe(401)
    expect((await service.ask('/v1/nowhere')).status).toBe(404)
    expect((await service.ask('/v1/sites', { method: 'DELETE' })).status).toBe(405)
    for (const path of ['/healthz', '/spoor.js', '/v1/openapi.json']) expect(await plain(service, path)).toBe(200)
    expect(await plain(service, '/readyz')).toBe(503)
  })

  test('so is the account API, in its own form', async () => {
    const answer = await site.service.ask('/api/v1/account', { key: `spoor_acct_${'A'.repeat(43)}` })
    expect([answer.status, answer.json.code]).toEqual([500, 'server_error'])
    expect((await site.service.ask('/api/v1/account', { key: null })).status).toBe(401)
    expect((await site.service.ask('/api/v1/openapi.json', { key: null })).status).toBe(200)
  })

  test('senders are asked to repeat; a browser whose key is still cached is served', async () => {
    expectToComeAgain(await site.intake('/1'), 'intake')
    expect(await site.collect()).toMatchObject({ status: 202 })
    expectToComeAgain(await site.collectFromServer(), 'server')
    site.service.clock.advance(3_000)
    expectToComeAgain(await site.collect(), 'collect')
  })

  test('all of them are served once it is up again', async () => {
    await server.start()
    expect(await site.intake('/1')).toMatchObject({ status: 200 })
    expect(await site.collect()).toMatchObject({ status: 202 })
    expect(await site.collectFromServer()).toMatchObject({ status: 202 })
    expect(await plain(site.service, '/readyz')).toBe(200)
  })
})

const HUNGRY = rows(Type.Object({ n: count() }))`
  SELECT length(groupArray(repeat(toString(number), 100))) AS n FROM numbers(10000000)`

describe.each([
  ['closed', (service: TestService) => service.crawlers.evidence.close()],
  ['unreadable', breakFiles],
  ['out of memory', starve],
] as const)('the evidence store is %s', (how, take) => {
  let site: Sender
  beforeAll(async () => {
    site = await openSite({})
    await take(site.service)
  })
  afterAll(() => site.service.close())

  test('crawler answers are 500, strict readers 503, the other readers unavailable with nulls', async () => {
    await expectMatrix(site.service, 1)
  })

  test('a batch must be sent again; events are accepted, because the spool stores them', async () => {
    expectToComeAgain(await site.intake('/1'), 'intake')
    expect(await site.collect()).toMatchObject({ status: 202 })
    expect(await site.collectFromServer()).toMatchObject({ status: 202 })
  })

  test('the process lives, and is ready only while the engine answers', async () => {
    for (const path of ['/healthz', '/spoor.js']) expect(await plain(site.service, path)).toBe(200)
    expect(await plain(site.service, '/readyz')).toBe(how === 'closed' ? 503 : 200)
  })
})

/** Every column file of every part of the evidence loses its bytes, as after a fault of the disk. */
async function breakFiles({ folder, crawlers }: TestService): Promise<void> {
  // Not `data`: its links lead to the folder that this one was copied from, which other tests copy, too.
  const store = join(folder, 'evidence/store')
  let broken = 0
  for (const name of readdirSync(store, { recursive: true, encoding: 'utf8' })) {
    const file = join(store, name)
    if (!/\.(bin|cmrk\d|mrk\d|idx)$/.test(name) || !statSync(file).isFile()) continue
    if (name.endsWith('.bin')) truncateSync(file, 0)
    else rmSync(file)
    broken++
  }
  expect(broken).toBeGreaterThan(10)
  await crawlers.evidence.ping()
}

/** Each read fails as the engine's own statement past its memory does. */
async function starve({ crawlers }: TestService): Promise<void> {
  const { evidence } = crawlers
  const read = evidence.all.bind(evidence)
  const starved: EvidenceStore['all'] = async () => {
    await read(HUNGRY, { max_memory_mb: 8 })
    throw new Error('the statement found memory')
  }
  Object.assign(evidence, { all: starved })
}
