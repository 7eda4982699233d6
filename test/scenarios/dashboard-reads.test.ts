/** Reads of the dashboard's own: their sums are those of the site API, and coverage says what was not covered. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { findLink, issueLink } from '#accounts/one-time-links.ts'
import type { Coverage, DailyBreakdown, PageDetail, SitesOverview } from '#contract/dashboard-api/index.ts'
import type { Crawlers, Performance, TopPages } from '#contract/site-api/index.ts'
import { history } from '#demo/history.ts'
import type { Site } from '#sites/site.ts'
import { addMember, addPerson } from '../operations/people.ts'
import { type Browser, nameUser, signInAs } from '../support/person.ts'
import { openTestService, type TestService } from '../support/service.ts'

let service: TestService
let browser: Browser
let site: Site
const query = () => ({ site: site.id, window: '7d', purpose: 'search,assistant,training,unknown' })

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
      .requests(2, { path: '/pricing', status: 403, from: '13:00' })
      .crawler('oai-searchbot')
      .requests(4, { path: '/robots.txt' })
      .on('2026-03-09')
      .humans()
      .crawler('gptbot')
      .requests(1, { path: '/pricing', status: null, from: '14:00' }),
  )
  await service.rebuild()
  browser = await signInAs(service, service.installation.operator)
})
afterAll(() => service.close())

async function read<T>(operation: string, over: Record<string, string> = {}): Promise<T> {
  const answer = await browser.read(operation, { ...query(), ...over })
  expect(answer.status, answer.text).toBe(200)
  return answer.json as T
}
const sum = (rows: readonly { observed_request_count: number | null }[]) =>
  rows.reduce((total, { observed_request_count }) => total + Number(observed_request_count), 0)

test('coverage names gaps and partial days, by host and as a whole', async () => {
  const coverage = await read<Coverage>('getCoverage')
  expect(coverage.days.map(({ date, state }) => `${date.slice(8)} ${state}`)).toEqual(
    expect.arrayContaining(['04 gap', '08 gap', '10 gap']),
  )
  const covered = coverage.days.find(({ date }) => date === '2026-03-07')
  expect(covered).toMatchObject({ state: 'complete', minutes: 1_440, reasons: [] })
  const gap = coverage.days.find(({ date }) => date === '2026-03-08')
  expect(gap).toEqual({ date: '2026-03-08', state: 'gap', minutes: null, sampling: null, reasons: [], source_id: null })
  expect(coverage.hosts).toHaveLength(coverage.total_count)
  const [host] = coverage.hosts
  expect(host?.days.find(({ date }) => date === '2026-03-07')?.source_id).toBe(coverage.meta.sources[0]?.id)
  const gaps = coverage.days.filter(({ state }) => state === 'gap').map(({ date }) => date)
  const days_of_meta = coverage.meta.gaps.flatMap(({ from, to }) => [from, to])
  expect(gaps).toEqual(expect.arrayContaining(days_of_meta))
})

test('a log without people covers its days in part, and says why', async () => {
  const filtered = await service.addSite('filtered.example')
  await service.importText(filtered, history().on('2026-03-07').crawler('gptbot').requests(3, { path: '/a' }))
  const { days } = await read<Coverage>('getCoverage', { site: filtered.id })
  const covered = days.find(({ date }) => date === '2026-03-07')
  expect(covered).toMatchObject({ state: 'partial', reasons: ['filtered'] })
  expect(covered?.minutes).toBeLessThan(1_440)
})

test('an authority that is opened answers the same question', async () => {
  const other = await service.addSite('other.example')
  await browser.change('gate.set', { site: other.id, gate: 'crawler_authority_v2', is_open: true })
  expect(await read<Coverage>('getCoverage', { site: other.id })).toMatchObject({ hosts: [], days: { length: 7 } })
})

describe('every part of a breakdown adds up to the total of the performance answer', () => {
  test('of all crawlers', async () => {
    const { observed_request_count: total } = await read<Performance>('getPerformance')
    const { daily_identities, daily_outcomes, crawler_outcomes, sources, ...rest } =
      await read<DailyBreakdown>('getDailyBreakdown')
    expect(total).toBe(10)
    expect([rest.observed_request_count, sum(daily_identities), sum(daily_outcomes)]).toEqual([10, 10, 10])
    expect([sum(crawler_outcomes), sum(sources)]).toEqual([10, 10])
    expect(daily_outcomes.filter(({ date }) => date === '2026-03-09')).toEqual([
      { date: '2026-03-09', outcome: 'response_unobserved', observed_request_count: 1 },
    ])
  })

  test('of one crawler, whatever the filter', async () => {
    const { crawlers } = await read<Crawlers>('getCrawlers')
    for (const { crawler_id, observed_request_count } of crawlers) {
      const one = await read<DailyBreakdown>('getDailyBreakdown', { crawler_id, purpose: 'assistant' })
      expect([crawler_id, one.observed_request_count]).toEqual([crawler_id, observed_request_count])
    }
  })

  test('of an id that no crawler has, whatever it is called', async () => {
    for (const crawler_id of ['nobody', 'null', 'undefined']) {
      const none = await read<DailyBreakdown>('getDailyBreakdown', { crawler_id })
      expect([crawler_id, none.observed_request_count, none.sources]).toEqual([crawler_id, 0, []])
    }
    expect(await read<DailyBreakdown>('getDailyBreakdown')).toMatchObject({ observed_request_count: 10 })
  })

  test('of the pages of each class', async () => {
    const of = (path_class: string) => read<TopPages>('getTopPagesOfClass', { path_class })
    const [content, infrastructure, all] = [
      await of('content'),
      await of('infrastructure'),
      await read<TopPages>('getTopPages'),
    ]
    expect(content.pages.map(({ path }) => path)).toEqual(['/pricing'])
    expect(infrastructure.pages.map(({ path }) => path)).toEqual(['/robots.txt'])
    expect(sum(content.pages) + sum(infrastructure.pages)).toBe(sum(all.pages))
  })

  test('of one page', async () => {
    const page = await read<PageDetail>('getPage', { host: 'example.com', path: '/pricing' })
    expect(page).toMatchObject({
      path_class: 'content',
      observed_request_count: 6,
      crawlers: [{ crawler_id: 'gptbot', purpose: 'training', observed_request_count: 6 }],
    })
    expect([sum(page.daily_outcomes), sum(page.http_outcomes)]).toEqual([6, 6])
    const [gptbot] = page.crawlers
    for (const { http_outcomes, observed_request_count } of gptbot?.identities ?? []) {
      expect(sum(http_outcomes)).toBe(observed_request_count)
    }
    const of_crawler = { host: 'example.com', path: '/pricing', crawler_id: 'gptbot' }
    expect(await read<PageDetail>('getPage', of_crawler)).toMatchObject({ observed_request_count: 6 })
    const of_other = { ...of_crawler, crawler_id: 'oai-searchbot' }
    expect(await read<PageDetail>('getPage', of_other)).toMatchObject({ observed_request_count: 0, crawlers: [] })
    expect((await browser.read('getPage', { ...query(), host: 'example.com', path: '/none' })).status).toBe(404)
  })
})

test('all sites at a glance, each with the total of its own performance', async () => {
  const { sites } = await read<SitesOverview>('getSitesOverview', { purpose: 'training' })
  const [shown] = sites.filter(({ id }) => id === site.id)
  const { observed_request_count } = await read<Performance>('getPerformance', { window: '30d', purpose: 'training' })
  expect(shown).toMatchObject({ role: 'owner', observed_request_count, open_issue_count: 0, days: { length: 30 } })
  expect(shown?.days.at(-4)).toEqual({ date: '2026-03-07', state: 'complete', observed_request_count: 5 })
  expect(shown?.days.at(-3)).toEqual({ date: '2026-03-08', state: 'gap', observed_request_count: null })
  expect(await read('getSitesOverview', { limit: '1', offset: '1' })).toMatchObject({
    returned_count: 1,
    truncated: true,
  })
  expect(await read('getSitesOverview', { q: site.root_domain.slice(1).toUpperCase() })).toMatchObject({
    sites: [{ id: site.id }],
    total_count: 1,
  })
  expect(await read('getSitesOverview', { q: 'no-such-site' })).toMatchObject({ sites: [], total_count: 0 })
})

test('issues are counted by state', async () => {
  expect(await read('listIssues', { state: 'closed,open' })).toMatchObject({
    counts: expect.arrayContaining([{ state: 'open', issues: 0 }]),
    total_count: 0,
    issues: [],
  })
})

test('days of a tracker are those of its answers', async () => {
  expect(await read('getTrackerCoverage')).toMatchObject({ measurement_state: 'uninstalled', days: { length: 7 } })
})

test('days of a tracker are shown beside other reports while the overview is switched off', async () => {
  const set = (is_open: boolean) =>
    browser.change('gate.set', { site: site.id, gate: 'analytics_overview_reader', is_open })
  expect((await set(false)).status).toBe(200)
  onTestFinished(async () => void (await set(true)))
  expect(await read('getTrackerCoverage')).toMatchObject({ measurement_state: 'uninstalled', days: { length: 7 } })
})

describe('owners', () => {
  test('invite members: who is new gets a link, who is of another account is refused', async () => {
    const invite = (email: string) => browser.change('inviteMember', { site: site.id, email, role: 'viewer' })
    const invited = await invite('New@Example.com')
    expect(invited).toMatchObject({ status: 200, json: { email: 'new@example.com', role: 'viewer' } })
    expect(String(invited.json.link)).toMatch(/\/welcome#[\w-]{43}$/)
    expect((await invite('new@example.com')).status).toBe(409)
    const stranger = await addPerson(service)
    await nameUser(service, stranger.user_id, 'stranger@example.com')
    expect((await invite('stranger@example.com')).status).toBe(409)
    expect((await invite('nobody')).status).toBe(400)
  })

  test('get no link of a person that opens more than their own sites', async () => {
    const { control, operator } = service.installation
    const owner = await addPerson(service, operator.account_id)
    await addMember(service, owner, site, 'owner')
    const other = await service.addSite('not-of-the-owner.example')
    const own = await signInAs(service, owner)
    const invite = (email: string, by = own) => by.change('inviteMember', { site: site.id, email, role: 'viewer' })
    const named = async (email: string, columns: { is_operator?: 1; account_role?: 'admin' } = {}) => {
      const person = await addPerson(service, operator.account_id)
      await control.db
        .updateTable('users')
        .set({ email, ...columns })
        .where('id', '=', person.user_id)
        .execute()
      const link = await issueLink(control.db, service.clock, person)
      return { ...person, link }
    }
    const people = {
      'second-operator@example.com': await named('second-operator@example.com', { is_operator: 1 }),
      'second-admin@example.com': await named('second-admin@example.com', { account_role: 'admin' }),
      'of-another-site@example.com': await named('of-another-site@example.com'),
    }
    await addMember(service, people['of-another-site@example.com'], other, 'owner')
    for (const [email, { link }] of Object.entries(people)) {
      const { status, json } = await invite(email)
      expect([email, status, json.code, json.link]).toEqual([email, 409, 'conflict', undefined])
      // The link that the person was given stays in force.
      expect(await findLink({ control, clock: service.clock }, link.token)).toMatchObject({ email })
      expect((await invite(email, browser)).json.link).toMatch(/\/welcome#/)
    }
    await named('waiting@example.com')
    expect((await invite('waiting@example.com')).json.link).toMatch(/\/welcome#/)
  })

  test('make and end keys of their site, and viewers do not', async () => {
    const viewer = await addPerson(service, service.installation.operator.account_id)
    await addMember(service, viewer, site, 'viewer')
    const other = await signInAs(service, viewer)
    expect((await other.read('listSiteKeys', { site: site.id })).status).toBe(404)
    const made = await browser.change('createSiteKey', { site: site.id, name: 'reader' })
    const headers = { authorization: `Bearer ${made.json.secret}` }
    expect((await service.ask('/v1/sites', { key: null, headers })).json).toMatchObject({ sites: [{ id: site.id }] })
    const { json } = await browser.read('listSiteKeys', { site: site.id })
    expect(json).toMatchObject({ keys: [{ id: made.json.id, name: 'reader', opens_more: false, revoked_at: null }] })
    const ended = await browser.change('revokeSiteKey', { site: site.id, key: made.json.id })
    expect(ended.json).toMatchObject({ revoked_at: '2026-03-10T12:00:00.000Z' })
    expect((await service.ask('/v1/sites', { key: null, headers })).status).toBe(401)
  })
})
