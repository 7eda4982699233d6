/** Harm that spreads over days, crawlers, marks and sources: what is grouped, counted, inspected (rules 8.1, 8.2). */
import { beforeEach, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, instantText, MINUTE_MS } from '#clock.ts'
import type { Issue } from '#contract/site-api/index.ts'
import { recordCoverage } from '#crawlers/coverage/record-coverage.ts'
import { builtInDocument } from '#crawlers/registry/built-in.ts'
import { detectIssues } from '#issues/detect-issues.ts'
import type { Site } from '#sites/site.ts'
import { runOperation } from '#surfaces/operator/operations.ts'
import { type Delivered, deliver } from '../support/deliver.ts'
import { serviceOfFile } from '../support/fresh.ts'
import { addIssue, endInspections } from '../support/issues.ts'
import type { TestService } from '../support/service.ts'

const START = Date.parse('2026-03-10T12:00:00Z')

const shared = serviceOfFile()
let service: TestService
let site: Site
beforeEach(async () => {
  service = await shared.fresh('2026-03-10T12:00:00Z')
  site = await service.addSite('example.com')
  await service.createKey()
})

const agentOf = (id: string) =>
  builtInDocument.entries.find(({ crawler_id }) => crawler_id === id)?.example_user_agents[0] as string
const requests = (count: number, status: number, given: Partial<Delivered> = {}): Delivered[] =>
  Array.from({ length: count }, (_, index) => ({
    user_agent: agentOf('claudebot'),
    path: '/pricing',
    status,
    ...given,
    at: Number(given.at ?? service.clock.now()) - index * 1_000,
  }))
const pages = (folder: string, names: string) => [...names].map((name) => `${folder}${name}`)
const send = (...delivered: Delivered[]) => deliver(service, site, delivered)
const sendAll = (paths: readonly string[], count: number, status: number, given: Partial<Delivered> = {}) =>
  send(...paths.flatMap((path) => requests(count, status, { ...given, path })))
const goTo = (ms: number) => service.clock.set(instantText(START + ms))
const inspect = (found: 'clean' | 'harmed') => endInspections(service.crawlers, site, found)

/** @param days only these days were derived again; null: the hourly run. */
async function detect(days: string[] | null = null): Promise<Issue[]> {
  await service.rebuild()
  await detectIssues(service.crawlers, site.id, days)
  return (await service.ask('/v1/sites/example.com/issues?limit=50')).json.issues as Issue[]
}
const listed = (issues: readonly Issue[]) =>
  issues.map(({ path, crawler_id, state }) => `${path} ${crawler_id} ${state}`).sort()

test('paths that are harmed one after the other on several days become the issue of their prefix', async () => {
  const [first, ...others] = pages('/docs/', 'abcde') as [string, ...string[]]
  await sendAll(others, 3, 503)
  expect(await detect(['2026-03-10'])).toHaveLength(4)
  goTo(DAY_MS)
  await sendAll([first], 3, 503)
  const issues = await detect(['2026-03-11'])
  expect(listed(issues)).toEqual(['/docs/* claudebot open', ...others.map((path) => `${path} claudebot open`)])
})

test('a prefix that the third crawler finds harmed after midnight is an issue of several crawlers', async () => {
  const paths = pages('/shop/', 'abcde')
  goTo(11 * HOUR_MS)
  for (const id of ['claudebot', 'gptbot']) await sendAll(paths, 3, 503, { user_agent: agentOf(id) })
  expect(await detect(['2026-03-10'])).toHaveLength(2)
  goTo(13 * HOUR_MS)
  await sendAll(paths, 3, 503, { user_agent: agentOf('perplexitybot') })
  const issues = await detect(['2026-03-11'])
  expect(listed(issues)).toEqual(['/shop/* claudebot open', '/shop/* gptbot open', '/shop/* null open'])
})

test('a prefix is an issue of several crawlers also by paths that join the issues of the others at the same time', async () => {
  const [first, second, third] = ['claudebot', 'gptbot', 'perplexitybot'].map((id) => ({ user_agent: agentOf(id) }))
  const paths = pages('/shop/', 'abcde')
  for (const agent of [first, second]) await sendAll(paths, 3, 503, agent)
  expect(await detect()).toHaveLength(2)
  goTo(2 * DAY_MS)
  for (const agent of [first, second]) await sendAll(['/shop/f'], 3, 503, agent)
  await sendAll(paths, 3, 503, third)
  expect(listed(await detect())).toEqual(['/shop/* claudebot open', '/shop/* gptbot open', '/shop/* null open'])
})

test('harm of before a mark was revoked is in no count of the prefix that opens after that', async () => {
  const paths = pages('/docs/', 'abcde')
  await sendAll(paths, 2, 200, { at: START - 3 * DAY_MS })
  const given = { site: site.id, host: 'example.com', path: '/docs/a', harm: 'refused' } as const
  const { operator } = service.installation
  const mark = await runOperation(operator, 'issue.intended', given)
  goTo(2 * HOUR_MS)
  await sendAll(['/docs/a'], 20, 403, { at: START + HOUR_MS })
  await sendAll(['/docs/b'], 3, 403, { at: START + HOUR_MS / 2 })
  await runOperation(operator, 'issue.intended_revoke', { site: site.id, mark: mark.id })
  goTo(3 * HOUR_MS)
  await sendAll(paths, 3, 403)
  const [issue] = await detect()
  expect(issue).toMatchObject({
    path: '/docs/*',
    title: expect.stringContaining('got 403 on 18 of 26 observed requests to 5 paths under example.com/docs/'),
  })
  expect(issue?.evidence_refs).toMatchObject([{ status: 403, count: 18 }])
})

test('harm that the log of the origin shows has an issue, whatever the edge showed below the same prefix', async () => {
  const edge = (...delivered: Delivered[]) => deliver(service, site, delivered, 'ed9e0000')
  const paths = pages('/docs/', 'abcde')
  for (const path of paths) await edge(...requests(3, 503, { path, edge_action: 'none' }))
  expect(listed(await detect())).toEqual(['/docs/* claudebot open'])
  goTo(2 * DAY_MS)
  await sendAll(['/docs/a', '/docs/new'], 3, 503)
  expect(listed(await detect())).toEqual([
    '/docs/* claudebot open',
    '/docs/a claudebot open',
    '/docs/new claudebot open',
  ])
})

test('a verification inspects the paths of a prefix that have most harm now', async () => {
  const [before, now] = [pages('/docs/', 'abc'), pages('/docs/', 'def')]
  await sendAll(before, 9, 503)
  await sendAll(now, 3, 503)
  const [issue] = await detect()
  expect(issue).toMatchObject({ path: '/docs/*' })
  await inspect('harmed')
  goTo(8 * DAY_MS)
  await sendAll(now, 3, 503)
  await detect()
  await service.ask(`/v1/sites/example.com/issues/${issue?.id}/verify`, { method: 'POST' })
  const { db } = service.crawlers.control
  const asked = await db.selectFrom('inspections').select('path').where('reason', '=', 'verify').execute()
  expect(asked.map(({ path }) => path).sort()).toEqual(now)
})

test('a prefix follows its 1,000 most harmed paths, however often harm is detected', async () => {
  const paths = Array.from({ length: 1_010 }, (_, index) => `/docs/${index}`)
  await send(...paths.map((path) => ({ ...(requests(1, 503)[0] as Delivered), path, requests: 3 })))
  const { db } = service.crawlers.control
  const followed = async () => {
    expect(listed(await detect())).toEqual(['/docs/* claudebot open'])
    expect(await db.selectFrom('issue_members').select('path').execute()).toHaveLength(1_000)
    return db.selectFrom('issues').selectAll().execute()
  }
  await followed()
  const second = await followed()
  expect(await followed()).toEqual(second)
})

test('beyond the openings of a day, harm after a fix of the whole host makes its issue regress', async () => {
  const { control } = service.crawlers
  /** As many issues as a site opens on a day. */
  const useUpDay = async (ms: number) => {
    for (let issue = 0; issue < 50; issue++)
      await addIssue(control, site, { state: 'withdrawn', detected_at: START + ms, ended_at: START + ms })
  }
  await useUpDay(-HOUR_MS)
  await send(...requests(3, 503, { path: '/a' }))
  expect(listed(await detect())).toEqual(['/* null open'])
  goTo(MINUTE_MS)
  await inspect('harmed')
  await detect()
  goTo(25 * HOUR_MS)
  await inspect('clean')
  expect(listed(await detect())).toEqual(['/* null fix_detected'])
  await useUpDay(25 * HOUR_MS)
  goTo(26 * HOUR_MS)
  await send(...requests(3, 503, { path: '/b' }))
  await detect()
  expect(listed(await detect())).toEqual(['/* null regressed'])
})

test('a sampled day without harm between days of harm lowers no confidence', async () => {
  const import_of = {
    list: 'https://openai.com/gptbot.json',
    document: Buffer.from('20.125.66.0/24').toString('base64'),
    is_whole_as: false,
  }
  await runOperation(service.installation.operator, 'registry.lists.import', import_of)
  const genuine = { user_agent: agentOf('gptbot'), address: '20.125.66.85' }
  await send(...requests(3, 503, genuine))
  goTo(DAY_MS)
  await send(...requests(1, 200, { ...genuine, path: '/other' }))
  goTo(2 * DAY_MS)
  await send(...requests(3, 503, genuine))
  const sampled = { quality: 'partial', reason: 'sampled', sampling: 0.1, is_declared: 0, host: '*' } as const
  const day = { from: Date.parse('2026-03-11T00:00:00Z'), to: Date.parse('2026-03-12T00:00:00Z'), silence_limit_ms: 0 }
  const source_id = site.id.replace(/^......../, '50dace50')
  await service.crawlers.control.transaction((tx) =>
    recordCoverage(tx, { ...sampled, site_id: site.id, source_id, ranges: [day] }),
  )
  expect(await detect()).toMatchObject([{ path: '/pricing', confidence: 'high' }])
})

test('a page that is harmed beside others counts its requests of all days of the rule', async () => {
  const given = { site: site.id, host: 'example.com', path: '/meant', harm: 'server_error' } as const
  await runOperation(service.installation.operator, 'issue.intended', given)
  await send(...requests(5, 503, { path: '/meant' }), ...requests(2, 404, { path: '/page' }))
  await send(...requests(5, 200, { path: '/mostly-served' }))
  // From then on the first day of the marked page is known, and only that of the other one is read.
  goTo(2 * DAY_MS)
  await send(...requests(5, 503, { path: '/meant' }))
  expect(await detect()).toEqual([])
  await send(...requests(4, 503, { path: '/page' }), ...requests(4, 503, { path: '/mostly-served' }))
  expect(await detect()).toMatchObject([{ title: expect.stringContaining('got 503 on 4 of 6 observed requests to') }])
})
