/** What an owner picks from, counts before a deletion, and takes along: of one site with all kinds of evidence. */
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MINUTE_MS } from '#clock.ts'
import type { Seen } from '#contract/dashboard-api/index.ts'
import { history } from '#demo/history.ts'
import { CONTROL_RECORDS } from '#sites/export/control-records.ts'
import type { Site } from '#sites/site.ts'
import { addMember, addPerson } from '../operations/people.ts'
import { type Browser, nameUser, PASSWORD, signInAs } from '../support/person.ts'
import { openTestService, type TestService } from '../support/service.ts'

let service: TestService
let browser: Browser
let site: Site

beforeAll(async () => {
  service = await openTestService('2026-03-10T12:00:00Z')
  site = await service.addSite('example.com')
  await service.importText(
    site,
    history()
      .on('2026-03-07')
      .humans()
      .crawler('gptbot')
      .requests(3, { path: '/pricing' })
      .crawler('oai-searchbot')
      .requests(2, { path: '/docs/50%25', status: null }),
  )
  browser = await signInAs(service, service.installation.operator)
})
afterAll(() => service.close())

const seenOf = async (query: Record<string, string> = {}) => {
  const answer = await browser.read('getSeen', { site: site.id, ...query })
  expect(answer.status, answer.text).toBe(200)
  return answer.json as unknown as Seen
}

test('pages and hosts are found by a part of their names; what no tracker counted is unknown', async () => {
  const all = await seenOf()
  expect(all.hosts).toEqual({
    truncated: false,
    rows: [{ host: 'example.com', pageviews: null, crawler_requests: 5 }],
  })
  expect(all.pages.rows.map(({ path, crawler_requests }) => [path, crawler_requests])).toEqual([
    ['/pricing', 3],
    ['/docs/50%25', 2],
  ])
  expect(all.events).toEqual({ truncated: false, withheld_count: null, rows: [] })
  const some = await seenOf({ search: '50%' })
  expect(some.pages.rows.map(({ path }) => path)).toEqual(['/docs/50%25'])
  expect(await seenOf({ limit: '1' })).toMatchObject({ pages: { truncated: true, rows: { length: 1 } } })
  expect((await seenOf({ search: 'nowhere' })).pages.rows).toEqual([])
})

test('what is removed with a site is counted before', async () => {
  expect((await browser.read('getSiteContents', { site: site.id })).json).toMatchObject({
    root_domain: 'example.com',
    requests: 5,
    events: 0,
    sources: 1,
    members: 1,
    first_day: '2026-03-07',
    last_day: '2026-03-07',
  })
})

test('an export has every request, the definitions, an end with counts, and no secret', async () => {
  await nameUser(service, service.installation.operator.user_id, 'owner@example.com')
  await browser.change('tracker.enable', { site: site.id })
  service.clock.advance(11 * MINUTE_MS)
  expect(await browser.read('exportSite', { site: site.id })).toMatchObject({
    status: 403,
    json: { code: 'reauthentication_required' },
  })
  expect((await browser.change('confirmPassword', { password: PASSWORD })).status).toBe(200)
  const lines = await exported()
  expect(lines[0]).toMatchObject({ record: 'export', form: 'spoor-export/1', site: { root_domain: 'example.com' } })
  const requests = lines.filter(({ record }) => record === 'requests')
  expect(requests).toHaveLength(5)
  expect(requests.filter(({ status }) => status === null)).toHaveLength(2)
  expect(requests[0]).toMatchObject({ at: expect.stringMatching(/^2026-03-07T.*Z$/), host: 'example.com' })
  const counts = Object.fromEntries(
    [...Map.groupBy(lines.slice(1, -1), ({ record }) => String(record))].map(([record, of]) => [record, of.length]),
  )
  expect(lines.at(-1)).toEqual({ record: 'end', counts })
  expect(counts).toMatchObject({ members: 1, sources: 1, trackers: 1, requests: 5 })
  expect(lines.flatMap((line) => Object.keys(line)).filter((name) => SECRET.test(name))).toEqual([])
})

const SECRET = /secret|sealed|token|unsubscribe|confirm_/

test('no column of an exported table is a secret', async () => {
  const tables = await service.installation.control.db.introspection.getTables()
  for (const [table, exported] of Object.entries(CONTROL_RECORDS)) {
    const columns = tables.find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? []
    const left = columns.filter((name) => !exported.without?.includes(name))
    expect([table, left.length > 0, left.filter((name) => SECRET.test(name))]).toEqual([table, true, []])
  }
})

test('only owners export; a foreign site is missing', async () => {
  const editor = await addPerson(service, service.installation.operator.account_id)
  await addMember(service, editor, site, 'editor')
  const other = await signInAs(service, editor)
  expect((await other.read('exportSite', { site: site.id })).status).toBe(404)
  expect((await other.read('getSiteContents', { site: site.id })).status).toBe(404)
  expect((await browser.read('exportSite', { site: 'missing.example' })).status).toBe(404)
})

async function exported(): Promise<Record<string, unknown>[]> {
  const { host, origin } = { host: 'localhost:8080', origin: 'http://localhost:8080' }
  const headers = { host, origin, cookie: String(browser.cookie) }
  const answer = await service.http.inject({ url: `/dashboard-api/exportSite?site=${site.id}`, headers })
  expect(answer.headers).toMatchObject({
    'content-type': 'application/gzip',
    'content-disposition': 'attachment; filename="example.com-2026-03-10.ndjson.gz"',
  })
  const lines = gunzipSync(answer.rawPayload).toString().trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line))
}
