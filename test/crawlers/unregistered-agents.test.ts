/** Automated agents that the registry does not know (rules 2, rules 4). */
import { beforeEach, describe, expect, test } from 'vitest'
import type { UnregisteredAgents } from '#contract/site-api/index.ts'
import { history } from '#demo/history.ts'
import type { Site } from '#sites/site.ts'
import { serviceOfFile } from '../support/fresh.ts'
import type { TestService } from '../support/service.ts'

let service: TestService
let site: Site
const shared = serviceOfFile()
beforeEach(async () => {
  service = await shared.fresh('2026-03-10T12:00:00.000Z')
  site = await service.addSite('example.com')
  await service.createKey()
})

const read = async (query = 'window=7d', of = site) => {
  const answer = await service.ask(`/v1/sites/${of.id}/unregistered-agents?${query}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json as UnregisteredAgents
}

const lived = () =>
  history()
    .on('2026-03-08')
    .humans()
    .agent('FreshCrawl/1.0 (+https://fresh.example/about)')
    .requests(3, { from: '10:00' })
    .crawler('gptbot')
    .requests(5)
    .crawler('meta-externalads')
    .requests(2)
    .on('2026-03-10')
    .agent('FreshCrawl/1.0 (+https://fresh.example/about)')
    .requests(1, { from: '11:30' })
    .agent('python-requests/2.32')
    .requests(2, { from: '11:00' })

describe.each([
  ['from facts', false],
  ['from roll-ups', true],
])('agents without an entry, %s', (_from, rebuilt) => {
  test('are listed with their requests, first and last instant and signs; crawlers and advertising crawlers are not', async () => {
    await service.importText(site, lived())
    if (rebuilt) await service.rebuild()
    const answer = await read()
    expect(answer.agents).toEqual([
      {
        agent: 'FreshCrawl/1.0 (+https://fresh.example/about)',
        observed_request_count: 4,
        first_seen: '2026-03-08T10:00:00.000Z',
        last_seen: '2026-03-10T11:30:00.000Z',
        signs: [
          { sign: 'word', text: 'crawl' },
          { sign: 'url', text: null },
        ],
      },
      {
        agent: 'python-requests/2.32',
        observed_request_count: 2,
        first_seen: '2026-03-10T11:00:00.000Z',
        last_seen: '2026-03-10T11:00:01.000Z',
        signs: [{ sign: 'program', text: 'python-requests' }],
      },
    ])
    expect(answer).toMatchObject({ total_count: 2, observed_request_count: 6, returned_count: 2, truncated: false })
  })

  test('are in no total of another answer', async () => {
    await service.importText(site, lived())
    if (rebuilt) await service.rebuild()
    const everything = 'window=7d&purpose=search,assistant,training,unknown'
    const { json } = await service.ask(`/v1/sites/${site.id}/performance?${everything}`)
    expect(json).toMatchObject({ observed_request_count: 5, hidden_by_purpose_filter: [] })
    const top = await service.ask(`/v1/sites/${site.id}/top-pages?${everything}`)
    expect(top.json).toMatchObject({ pages: [{ observed_request_count: 5 }] })
  })
})

test('e-mail addresses are masked, and agents that are then equal are one; addresses of pages are kept', async () => {
  const agents = [
    'SomeBot/1 (jane@corp.example)',
    'SomeBot/1 (JOE%40corp.example)',
    'SomeBot/1 (max [at] corp.example)',
    'SomeBot/1 (sue @ corp.example)',
    'SomeBot/1 ("kim lee"@corp.example)',
    'FediBot/2 (@name; +https://social.example/@name)',
    'MailBot (mailto:a.b+c@x.example; +http://x.example)',
  ]
  const log = history().on('2026-03-09').humans()
  for (const [at, agent] of agents.entries()) log.agent(agent).requests(1, { from: `10:0${at}` })
  await service.importText(site, log)
  const { agents: shown, total_count } = await read()
  expect(Object.fromEntries(shown.map(({ agent, observed_request_count }) => [agent, observed_request_count]))).toEqual(
    {
      'SomeBot/1 ([e-mail])': 5,
      'FediBot/2 (@name; +https://social.example/@name)': 1,
      'MailBot (mailto:[e-mail]; +http://x.example)': 1,
    },
  )
  expect(total_count).toBe(3)
  expect(JSON.stringify(shown)).not.toMatch(/jane|joe|max|sue|kim|a\.b/i)
})

test('an agent longer than 512 characters is cut', async () => {
  await service.importText(
    site,
    history()
      .on('2026-03-09')
      .humans()
      .agent(`LongBot/1 ${'x'.repeat(600)}`)
      .requests(1),
  )
  const [row] = (await read()).agents
  expect(row?.agent).toHaveLength(512)
})

test('a limit cuts the list and not the totals', async () => {
  await service.importText(site, lived())
  expect(await read('window=7d&limit=1')).toMatchObject({
    limit: 1,
    returned_count: 1,
    total_count: 2,
    truncated: true,
    observed_request_count: 6,
    agents: [{ observed_request_count: 4 }],
  })
})

test('before any evidence counts are null, and a covered window without such agents has zero', async () => {
  expect(await read()).toMatchObject({ total_count: null, observed_request_count: null, agents: [] })
  await service.importText(site, history().on('2026-03-09').humans().crawler('gptbot').requests(1))
  expect(await read()).toMatchObject({ total_count: 0, observed_request_count: 0, agents: [], truncated: false })
})

test('one site never sees agents of another, nor when another saw them first', async () => {
  const other = await service.addSite('example.org')
  await service.importText(other, history().on('2026-03-05').humans().agent('FreshCrawl/1.0').requests(9))
  await service.importText(site, history().on('2026-03-09').humans().agent('FreshCrawl/1.0').requests(1))
  expect((await read()).agents).toMatchObject([
    { observed_request_count: 1, first_seen: '2026-03-09T12:00:00.000Z', last_seen: '2026-03-09T12:00:00.000Z' },
  ])
})
