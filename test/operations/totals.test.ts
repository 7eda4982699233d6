import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS } from '#clock.ts'
import type { Crawlers, Performance, TopPages } from '#contract/site-api/index.ts'
import { OUTCOMES, PURPOSES, type Purpose, SCOPES } from '#contract/vocabulary.ts'
import { utcDay } from '#days/utc-day.ts'
import { history } from '#demo/history.ts'
import type { Site } from '#sites/site.ts'
import { openTestService, type TestService } from '../support/service.ts'

const NOW = '2026-03-10T12:00:00Z'
let service: TestService
beforeAll(async () => {
  service = await openTestService(NOW)
  await service.addSite('first.example')
  await service.createKey()
})
afterAll(() => service.close())

/** What the registry says of them, written down a second time. A null purpose: counted nowhere. */
const AGENTS = [
  { agent: 'gptbot', purpose: 'training', scope: 'ai' },
  // Another version of it: one crawler under two agents.
  { agent: 'gptbot', purpose: 'training', scope: 'ai', user_agent: 'Mozilla/5.0 (compatible; GPTBot/0.9)' },
  { agent: 'claudebot', purpose: 'training', scope: 'ai' },
  { agent: 'oai-searchbot', purpose: 'search', scope: 'ai' },
  { agent: 'googlebot', purpose: 'search', scope: 'search_engine' },
  { agent: 'chatgpt-user', purpose: 'assistant', scope: 'ai' },
  { agent: 'claude-code', purpose: 'unknown', scope: 'agent' },
  { agent: 'diffbot', purpose: 'unknown', scope: 'data_provider' },
  { agent: 'oai-adsbot', purpose: null, scope: null },
  { agent: 'meta-externalads', purpose: null, scope: null },
  { agent: 'unlabelled', purpose: null, scope: null, user_agent: 'UnheardOfBot/1.0' },
] as const satisfies readonly { agent: string; purpose: Purpose | null; scope: string | null; user_agent?: string }[]
const STATUSES = [200, 204, 301, 304, 404, 410, 503, 101, 600, 999, 444, 460, 499, 0, null] as const
const PATHS = ['/', '/a', '/A', '/pricing', '/robots.txt', '/style.css', '/blog/one'] as const
/** Days before today: the edges of every window. */
const AGES = [0, 1, 2, 3, 6, 7, 29, 30, 89, 90, 179, 180, 364, 365] as const

const entry = fc.record({
  age: fc.constantFrom(...AGES),
  agent: fc.constantFrom(...AGENTS),
  status: fc.constantFrom(...STATUSES),
  path: fc.constantFrom(...PATHS),
  host: fc.constantFrom('', 'www.', 'blog.'),
  requests: fc.integer({ min: 1, max: 4 }),
  /** In which of two uploads it lies. */
  upload: fc.constantFrom(1, 2),
})
type Entry = typeof entry extends fc.Arbitrary<infer T> ? T : never

const histories = fc.array(entry, { minLength: 1, maxLength: 14 })
const filters = fc.subarray([...PURPOSES], { minLength: 1 })
const questions = fc.array(fc.tuple(fc.constantFrom(3, 7, 30, 90, 180, 365), filters), { minLength: 3, maxLength: 3 })

/** Every agent on every day, and each status and path many times: what few random rows may miss. */
const everything: Entry[] = AGES.flatMap((age, a) =>
  AGENTS.map((agent, b) => ({
    age,
    agent,
    status: STATUSES[(a * 4 + b) % STATUSES.length] as Entry['status'],
    path: PATHS[(a + b * 3) % PATHS.length] as Entry['path'],
    host: (['', 'www.', 'blog.'] as const)[(a + b) % 3] as Entry['host'],
    requests: 1 + ((a + b) % 3),
    upload: b % 2 === 0 ? (1 as const) : (2 as const),
  })),
)
const allQuestions: [3 | 7 | 30 | 90 | 180 | 365, Purpose[]][] = [
  ...([3, 7, 30, 90, 180, 365] as const).map((days): [typeof days, Purpose[]] => [days, [...PURPOSES]]),
  ...PURPOSES.map((purpose): [365, Purpose[]] => [365, [purpose]]),
  [90, ['search', 'assistant', 'unknown']],
]

test('every total of every answer is the sum of the same observed requests, from facts and from roll-ups (spec 1.1, rules 2)', async () => {
  let run = 0
  await fc.assert(
    fc.asyncProperty(histories, questions, fc.boolean(), async (entries, asked, rebuildBetween) => {
      const site = await service.addSite(`run-${run++}.example`)
      for (const upload of [1, 2]) {
        const lines = entries.filter((one) => one.upload === upload)
        if (lines.length > 0) await service.importText(site, logOf(site, lines, upload))
        if (rebuildBetween) await service.rebuild()
      }
      for (const [days, purposes] of asked) await expectTotals(site, entries, days, purposes)
      await service.rebuild()
      for (const [days, purposes] of asked) await expectTotals(site, entries, days, purposes)
    }),
    { numRuns: 6, examples: [[everything, allQuestions, false]] },
  )
}, 300_000)

function logOf(site: Site, entries: readonly Entry[], upload: number): string {
  const log = history()
  for (const { age, agent, status, path, host, requests } of entries) {
    log.on(dayOf(age))
    const options = { path, status, host: `${host}${site.root_domain}`, from: `0${upload}:30` }
    if ('user_agent' in agent) log.agent(agent.user_agent).requests(requests, options)
    else log.crawler(agent.agent).requests(requests, options)
  }
  return log.text()
}

async function expectTotals(site: Site, entries: readonly Entry[], days: number, purposes: Purpose[]): Promise<void> {
  const query = `window=${days}d&purpose=${purposes.join(',')}`
  const read = async (operation: string) => {
    const answer = await service.ask(`/v1/sites/${site.id}/${operation}?${query}`)
    expect(answer.status, answer.text).toBe(200)
    return answer.json
  }
  const performance = (await read('performance')) as Performance
  const { crawlers } = (await read('crawlers')) as Crawlers
  const top = (await read('top-pages')) as TopPages

  const inWindow = entries.filter((one) => one.age < days)
  const labelled = inWindow.filter((one) => one.agent.purpose !== null)
  const counted = labelled.filter((one) => purposes.some((purpose) => purpose === one.agent.purpose))
  const total = requestsOf(counted)

  expect(performance.observed_request_count).toBe(inWindow.length === 0 ? null : total)
  expect(sum(performance.daily)).toBe(total)
  expect(sum(performance.http_outcomes)).toBe(total)
  for (const outcome of performance.http_outcomes) {
    expect(sum<{ observed_request_count: number }>(outcome.statuses)).toBe(outcome.observed_request_count)
  }
  expect(sum(performance.observed_by_scope)).toBe(total)
  expect(sum(performance.observed_by_path_class)).toBe(total)
  expect(sum(performance.hidden_by_purpose_filter) + total).toBe(requestsOf(labelled))
  expect(sum(crawlers)).toBe(total)
  expect(sum(top.pages)).toBe(total)

  expect(performance.daily.map((row) => [row.date, row.crawler_id, row.observed_request_count])).toEqual(
    countsBy(counted, (one) => [dayOf(one.age), one.agent.agent]),
  )
  expect(
    performance.http_outcomes.flatMap(({ outcome, statuses }) =>
      statuses.map((row) => [String(OUTCOMES.indexOf(outcome)), String(row.http_status), row.observed_request_count]),
    ),
  ).toEqual(countsBy(counted, (one) => [String(OUTCOMES.indexOf(outcomeOf(one.status))), String(observed(one.status))]))
  expect(performance.observed_by_scope.map((row) => [row.scope, row.observed_request_count])).toEqual(
    SCOPES.flatMap((scope) => rowOf(scope, requestsOf(counted.filter((one) => one.agent.scope === scope)))),
  )
  expect(performance.observed_by_path_class.map((row) => [row.path_class, row.observed_request_count])).toEqual([
    ...rowOf('content', requestsOf(counted.filter((one) => !isInfrastructure(one)))),
    ...rowOf('infrastructure', requestsOf(counted.filter(isInfrastructure))),
  ])
  expect(performance.hidden_by_purpose_filter.map((row) => [row.purpose, row.observed_request_count])).toEqual(
    PURPOSES.filter((purpose) => !purposes.includes(purpose)).flatMap((purpose) =>
      rowOf(purpose, requestsOf(labelled.filter((one) => one.agent.purpose === purpose))),
    ),
  )
  expect(crawlers.map((row) => [row.crawler_id, row.observed_request_count])).toEqual(
    countsBy(counted, (one) => [one.agent.agent]).sort(byCount),
  )
  for (const row of crawlers) {
    expect(row.observed_share).toBe(row.observed_request_count / total)
    expect(Object.values(row.identities).reduce((a, b) => a + b)).toBe(row.observed_request_count)
    expect(AGENTS.find(({ agent }) => agent === row.crawler_id)).toMatchObject({
      purpose: row.purpose,
      scope: row.scope,
    })
  }
  const pages = countsBy(counted, (one) => [`${one.host}${site.root_domain}`, one.path]).sort(byCount)
  expect(top.pages.map((page) => [page.host, page.path, page.observed_request_count])).toEqual(pages)
  expect(top).toMatchObject({
    returned_count: pages.length,
    total_count: inWindow.length === 0 ? null : pages.length,
    truncated: false,
  })
  for (const page of top.pages) {
    const here = counted.filter((one) => `${one.host}${site.root_domain}` === page.host && one.path === page.path)
    expect(page.observed_share).toBe(page.observed_request_count / total)
    expect(page.observed_crawler_count).toBe(new Set(here.map((one) => one.agent.agent)).size)
    expect(page.observed_response_count).toBe(requestsOf(here.filter((one) => observed(one.status) !== null)))
  }
}

const dayOf = (age: number) => utcDay(Date.parse(NOW) - age * DAY_MS)
const isInfrastructure = (one: Entry) => ['/robots.txt', '/style.css'].includes(one.path)
const rowOf = (name: string, requests: number): [string, number][] => (requests === 0 ? [] : [[name, requests]])

function observed(status: Entry['status']): number | null {
  return status === null || status < 100 || [444, 460, 499].includes(status) ? null : status
}

function outcomeOf(status: Entry['status']) {
  const seen = observed(status)
  if (seen === null) return 'response_unobserved'
  return OUTCOMES.find((outcome) => outcome === `${Math.floor(seen / 100)}xx`) ?? 'other'
}

function requestsOf(entries: readonly Entry[]): number {
  return entries.reduce((total, one) => total + one.requests, 0)
}

function sum<Row extends { observed_request_count: number }>(rows: readonly Row[]): number {
  return rows.reduce((total, row) => total + row.observed_request_count, 0)
}

/** Requests by key, ascending by the parts of the key. */
function countsBy(entries: readonly Entry[], keyOf: (one: Entry) => string[]): (string | number)[][] {
  const groups = Map.groupBy(entries, (one) => keyOf(one).join(' '))
  return [...groups.values()]
    .map((group) => [...keyOf(group[0] as Entry), requestsOf(group)])
    .sort((a, b) => (`${a[0]} ${a[1]}` < `${b[0]} ${b[1]}` ? -1 : 1))
}

/** Most requests first; the sort is stable, so ties keep the order of their keys. */
function byCount(a: (string | number)[], b: (string | number)[]): number {
  return Number(b.at(-1)) - Number(a.at(-1))
}
