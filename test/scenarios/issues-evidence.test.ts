/** Which evidence keeps an issue, ends it, or speaks of it at all (rules 8.1, 8.2). */
import { beforeEach, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, instantText, MINUTE_MS } from '#clock.ts'
import type { Issue } from '#contract/site-api/index.ts'
import { detectIssues } from '#issues/detect-issues.ts'
import { enforceRetention } from '#retention/enforce-crawler-retention.ts'
import { setRetention } from '#sites/retention.ts'
import type { Site } from '#sites/site.ts'
import { runOperation } from '#surfaces/operator/operations.ts'
import { type Delivered, deliver } from '../support/deliver.ts'
import { serviceOfFile } from '../support/fresh.ts'
import { endInspections } from '../support/issues.ts'
import { addLiveSource } from '../support/live-evidence.ts'
import type { TestService } from '../support/service.ts'

const CLAUDEBOT =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)'
const GPTBOT = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.4; +https://openai.com/gptbot'
const START = Date.parse('2026-03-10T12:00:00Z')
const MEMBERS = ['/a/1', '/a/2', '/a/3', '/a/4', '/a/5']

const shared = serviceOfFile()
let service: TestService
let site: Site
beforeEach(async () => {
  service = await shared.fresh('2026-03-10T12:00:00Z')
  site = await service.addSite('example.com')
  await service.createKey()
})

const requests = (count: number, status: number, given: Partial<Delivered> = {}): Delivered[] =>
  Array.from({ length: count }, (_, index) => ({
    user_agent: CLAUDEBOT,
    path: '/pricing',
    status,
    ...given,
    at: Number(given.at ?? service.clock.now()) - index * 1_000,
  }))
const send = (...delivered: Delivered[]) => deliver(service, site, delivered)
const sendMembers = (count: number, status: number) =>
  send(...MEMBERS.flatMap((path) => requests(count, status, { path })))
const goTo = (ms: number) => service.clock.set(instantText(START + ms))
const inspect = (found: 'clean' | 'harmed') => endInspections(service.crawlers, site, found)
const serveBefore = (days: number[]) => send(...days.flatMap((day) => requests(2, 200, { at: START - day * DAY_MS })))

async function detect(): Promise<Issue[]> {
  await service.rebuild()
  await detectIssues(service.crawlers, site.id)
  const { json } = await service.ask('/v1/sites/example.com/issues?limit=50')
  return json.issues as Issue[]
}

const changesOf = async (issue: Issue | undefined): Promise<string[]> =>
  (
    await runOperation(service.installation.operator, 'issue.show', { site: site.id, issue: issue?.id as string })
  ).changes.map(({ change }) => change)

test('a prefix whose harm continues for days keeps its issue', async () => {
  await sendMembers(4, 500)
  const [opened] = await detect()
  expect(opened).toMatchObject({ path: '/a/*', state: 'open' })
  for (const day of [1, 2, 3]) {
    goTo(day * DAY_MS)
    await sendMembers(4, 500)
    await detect()
    expect((await detect()).map(({ id }) => id)).toEqual([opened?.id])
  }
  expect(await changesOf(opened)).toEqual(['opened'])
})

test('a prefix that regresses with less harm than before stays regressed', async () => {
  await sendMembers(40, 500)
  const [opened] = await detect()
  goTo(MINUTE_MS)
  await inspect('harmed')
  await detect()
  goTo(25 * HOUR_MS)
  await inspect('clean')
  expect((await detect())[0]?.state).toBe('fix_detected')
  goTo(3 * DAY_MS)
  await sendMembers(5, 500)
  await detect()
  goTo(3 * DAY_MS + MINUTE_MS)
  expect((await detect()).map(({ id, state }) => ({ id, state }))).toEqual([{ id: opened?.id, state: 'regressed' }])
})

test('harm after a fix is detected after any number of successes', async () => {
  await serveBefore([5, 4, 3])
  // Served before the fix as well, so that its day is read instant by instant.
  await send(...requests(20, 403, { at: START - DAY_MS }), ...requests(1, 200, { at: START - HOUR_MS }))
  const [opened] = await detect()
  goTo(MINUTE_MS)
  await inspect('harmed')
  await detect()
  goTo(2 * MINUTE_MS)
  await inspect('clean')
  await detect()
  goTo(2 * HOUR_MS)
  await inspect('clean')
  expect(await detect()).toMatchObject([{ state: 'fix_detected' }])
  goTo(6 * HOUR_MS)
  await send(...requests(5_001, 200))
  expect(await detect()).toMatchObject([{ fix_confirmed_at: expect.any(String) }])
  goTo(9 * HOUR_MS)
  await send(...requests(5_100, 403))
  await detect()
  expect(await changesOf(opened)).toEqual(['opened', 'fix_detected', 'fix_confirmed', 'regressed'])
})

test('harm on the day on which an intended mark was revoked, after that, opens an issue', async () => {
  await serveBefore([5, 4, 3])
  const { operator } = service.installation
  const of = { site: site.id, host: 'example.com', path: '/pricing', harm: 'refused' } as const
  const mark = await runOperation(operator, 'issue.intended', of)
  await send(...requests(5, 403))
  expect(await detect()).toEqual([])
  goTo(HOUR_MS)
  await runOperation(operator, 'issue.intended_revoke', { site: site.id, mark: mark.id })
  goTo(2 * HOUR_MS)
  await send(...requests(2, 403))
  expect(await detect()).toEqual([])
  goTo(3 * HOUR_MS)
  await send(...requests(1, 403))
  expect(await detect()).toMatchObject([{ title: expect.stringContaining('on 3 of 3 observed requests') }])
})

test('an issue lapses after 90 days without harm, even if retention has ended all coverage', async () => {
  await serveBefore([5, 4, 3])
  await send(...requests(20, 403))
  const [opened] = await detect()
  await setRetention(service.installation.operator, { site_id: site.id, days: 30 })
  for (const [day, listed] of [
    [32, 1],
    [89, 1],
    [91, 0],
  ] as const) {
    goTo(day * DAY_MS)
    await enforceRetention(service.crawlers)
    expect(await detect()).toHaveLength(listed)
  }
  expect(await changesOf(opened)).toEqual(['opened', 'lapsed'])
})

test('a sampled source that does not count lowers no confidence', async () => {
  const list = Buffer.from('20.125.66.0/24').toString('base64')
  const import_of = { list: 'https://openai.com/gptbot.json', document: list, is_whole_as: false }
  await runOperation(service.installation.operator, 'registry.lists.import', import_of)
  const genuine = { user_agent: GPTBOT, address: '20.125.66.85' }
  for (const day of [3, 2]) await send(...requests(5, 200, { ...genuine, at: START - day * DAY_MS }))
  await send(...requests(12, 403, genuine))
  const zone = await addLiveSource(service, site, 'cloudflare_zone')
  const sampled = { host: 'example.com', quality: 'partial', reason: 'sampled', sampling: 0.1 } as const
  await zone.covered('2026-03-01T00:00:00Z', '2026-03-10T11:00:00Z', sampled)
  expect(await detect()).toMatchObject([{ confidence: 'high' }])
})

test('complete coverage of a source that does not count proves no quiet day', async () => {
  await serveBefore([5, 4, 3])
  await send(...requests(20, 403, { at: START - HOUR_MS }))
  await detect()
  goTo(MINUTE_MS)
  await inspect('clean')
  await detect()
  const { db } = service.crawlers.control
  const ofSource = (prefix: string) => `${prefix}%`
  for (const day of [2, 3]) {
    goTo(day * DAY_MS)
    await send(...requests(3, 200))
    await db
      .updateTable('coverage_intervals')
      .set({ quality: 'partial', reason: 'gap' })
      .where('from_at', '>=', Date.parse('2026-03-12T00:00:00Z'))
      .where('source_id', 'like', ofSource('50dace50'))
      .execute()
    await deliver(service, site, requests(10, 403), '5badabad')
    await db.updateTable('sources').set({ is_primary: 0 }).where('id', 'like', ofSource('5badabad')).execute()
    await inspect('clean')
    expect(await detect()).toMatchObject([{ state: 'open' }])
  }
  goTo(3 * DAY_MS + 2 * HOUR_MS)
  await inspect('clean')
  expect(await detect()).toMatchObject([{ state: 'open' }])
})

test('a site opens 50 issues a day and one for each further host, 100 at the most', async () => {
  const hosts = Array.from({ length: 120 }, (_, index) => `h${index}.example.com`)
  for (const host of hosts) await deliver(service, { ...site, root_domain: host }, requests(3, 500, { path: '/x' }))
  await detect()
  await detect()
  const opened = await service.crawlers.control.db.selectFrom('issues').select('path_key').execute()
  const count = (key: string) => opened.filter(({ path_key }) => path_key === key).length
  expect([count('/x'), count('/*')]).toEqual([50, 50])
  goTo(DAY_MS)
  expect((await detect()).length).toBe(50)
  expect(await service.crawlers.control.db.selectFrom('issues').select('id').execute()).toHaveLength(120)
})

test('an issue stays when retention ends its evidence while the harm goes on', async () => {
  await serveBefore([9, 8])
  await send(...requests(3, 403))
  const [opened] = await detect()
  // Another source covers the day as well, and keeps it for longer.
  const upload = await addLiveSource(service, site, 'log_upload')
  await upload.covered('2026-03-10T00:00:00Z', '2026-03-11T00:00:00Z', { host: 'api.example.com' })
  await service.crawlers.control.db
    .insertInto('day_receipts')
    .values({ site_id: site.id, source_id: upload.row.id, day: '2026-03-10', received_at: START + 2 * DAY_MS })
    .execute()
  await setRetention(service.installation.operator, { site_id: site.id, days: 2 })
  // First the day stops to count, minutes later it is derived without the facts that are deleted.
  for (const ms of [DAY_MS, 2 * DAY_MS, 3 * DAY_MS, 3 * DAY_MS + 11 * MINUTE_MS]) {
    goTo(ms)
    await send(...requests(3, 403))
    await enforceRetention(service.crawlers)
    expect((await detect()).map(({ id, state }) => ({ id, state }))).toEqual([{ id: opened?.id, state: 'open' }])
  }
  expect(await changesOf(opened)).toEqual(['opened'])
})

test('an issue of a prefix rests on the paths that it follows later, whatever becomes of the first ones', async () => {
  await sendMembers(4, 500)
  const [opened] = await detect()
  goTo(DAY_MS)
  await send(...requests(3, 500, { path: '/a/6' }))
  await detect()
  for (const path of MEMBERS) {
    const given = { site: site.id, host: 'example.com', path, harm: 'server_error' } as const
    await runOperation(service.installation.operator, 'issue.intended', given)
  }
  expect((await detect()).map(({ id, state }) => ({ id, state }))).toEqual([{ id: opened?.id, state: 'open' }])
  expect(await changesOf(opened)).toEqual(['opened'])
})

test('requests that ask for a login count only once the page is known to need none', async () => {
  await serveBefore([9, 8])
  await send(...requests(2, 403), ...requests(3, 401, { at: START - HOUR_MS }))
  expect(await detect()).toEqual([])
  await send(...requests(1, 403))
  expect(await detect()).toMatchObject([{ title: expect.stringContaining('got 401, 403 on 6 of') }])
})

test('a page that asks for a login since a mark was revoked waits for an inspection', async () => {
  await serveBefore([9, 8])
  const { operator } = service.installation
  const of = { site: site.id, host: 'example.com', path: '/pricing', harm: 'refused' } as const
  const mark = await runOperation(operator, 'issue.intended', of)
  await send(...requests(20, 403))
  expect(await detect()).toEqual([])
  goTo(HOUR_MS)
  await runOperation(operator, 'issue.intended_revoke', { site: site.id, mark: mark.id })
  goTo(2 * HOUR_MS)
  await send(...requests(3, 401))
  expect(await detect()).toEqual([])
  const asked = await service.crawlers.control.db.selectFrom('inspections').select(['path', 'reason']).execute()
  expect(asked).toEqual([{ path: '/pricing', reason: 'precondition' }])
})

test('a page was in use only by successes that came before it was gone', async () => {
  const served = (count: number, path: string, at: number) => requests(count, 200, { user_agent: GPTBOT, path, at })
  const gone = (path: string) => requests(3, 404, { path, at: START - 2 * HOUR_MS })
  // Both pages have as many successes on the day on which they are gone, most of them before or after that.
  for (const [path, before, after] of [
    ['/used', 9, 1],
    ['/restored', 1, 9],
  ] as const) {
    await send(...served(4, path, START - DAY_MS), ...served(before, path, START - 3 * HOUR_MS))
    await send(...gone(path), ...served(after, path, START - HOUR_MS))
  }
  expect((await detect()).map(({ path, harm }) => ({ path, harm }))).toEqual([{ path: '/used', harm: 'gone' }])
})

test('a page was open before it is refused now, even if it was refused once before that', async () => {
  await send(...requests(1, 403, { at: START - 5 * DAY_MS }), ...requests(3, 200, { at: START - 3 * DAY_MS }))
  await send(...requests(4, 403))
  expect(await detect()).toMatchObject([{ title: expect.stringContaining('got 403 on 5 of 8 observed requests') }])
})
