import { beforeEach, describe, expect, test } from 'vitest'
import { createAccountToken } from '#accounts/account-tokens.ts'
import type { FoundBrand } from '#brands/find-brand.ts'
import { importSearchData } from '#brands/search-data/import-search-data.ts'
import type { UrlReport } from '#contract/account-api/index.ts'
import { history } from '#demo/history.ts'
import type { Site } from '#sites/site.ts'
import { addMember, addPerson, type Person } from '../../operations/people.ts'
import { addBrandWithRival, importRecords } from '../../support/brands.ts'
import { serviceOfFile } from '../../support/fresh.ts'
import { addIssue } from '../../support/issues.ts'
import type { TestService } from '../../support/service.ts'

let service: TestService
let site: Site
let owner: Person
let brand: FoundBrand
let token: string
const shared = serviceOfFile()
beforeEach(async () => {
  service = await shared.fresh('2026-03-10T12:00:00.000Z')
  owner = await addPerson(service)
  site = await service.addSite('example.com')
  await addMember(service, owner, site, 'viewer')
  const { operator } = service.installation
  const added = await addBrandWithRival(operator, {
    account_id: owner.account_id,
    site_id: site.id,
    brand: { name: 'Acme', domains: ['example.com'] },
    rival: { name: 'Zenith', domains: ['zenith.example', 'shop.example.com'] },
  })
  brand = added.brand
  token = (await createAccountToken(operator, { ...owner, name: 'read', scope: 'read' })).secret
})

const load = async (answers: readonly { citations: string[] | null; [name: string]: unknown }[]) => {
  const lines = answers.map(({ citations, ...answer }, at) => ({
    source_tool: 'tool',
    external_id: `${at}`,
    question: 'Which skates?',
    engine: 'chatgpt',
    state: 'answered',
    asked_at: `2026-03-0${1 + at}T05:00:00Z`,
    text: 'Acme',
    ...answer,
    citations: citations?.map((url) => (url.startsWith('opaque ') ? opaque(url.slice(7)) : { url })) ?? null,
  }))
  const { control, clock } = service.installation
  const { refused } = await importRecords({ control, clock, evidence: service.crawlers.evidence }, brand, lines)
  expect(refused).toEqual([])
}
const opaque = (title: string) => ({
  url: `https://vertexaisearch.cloud.google.com/grounding-api-redirect/${title}`,
  title,
})

const ask = async (query = '') => {
  const answer = await service.ask(`/api/v1/brands/${brand.id}/urls?${query}`, { key: token })
  expect(answer.status, answer.text).toBe(200)
  return answer.json as UrlReport
}
type CitedRow = Extract<UrlReport['rows'][number], { crawler: unknown; url: string }>
const urlsOf = ({ rows }: UrlReport) => rows as CitedRow[]

describe('the URL report (account API 2.3)', () => {
  test('answers of a removed question are in no row', async () => {
    await load([
      { citations: ['https://example.com/kept'] },
      { citations: ['https://example.com/kept', 'https://example.com/removed'], question: 'Removed?' },
    ])
    await service.installation.control.db.deleteFrom('questions').where('text', '=', 'Removed?').execute()
    const { rows, total_count } = await ask()
    expect(total_count).toBe(1)
    expect(rows).toMatchObject([{ url: 'https://example.com/kept', answers_citing: 1, citation_share: { value: 1 } }])
  })

  test('lists engines in the order of every other list of them', async () => {
    const citations = ['https://example.com/a']
    await load(['copilot', 'perplexity'].map((engine) => ({ engine, citations })))
    expect(urlsOf(await ask()).map(({ engines }) => engines)).toEqual([['perplexity', 'copilot']])
  })

  test('groups spellings of a page, counts answers once, and knows whose a page is', async () => {
    await load([
      { citations: ['https://www.example.com/a#x', 'http://example.com/a', 'https://zenith.example/z?b=1'] },
      { citations: ['https://example.com/a', 'https://other.example/'], engine: 'claude', question: 'What is Acme?' },
      { citations: [], question: 'What is Acme?' },
      { citations: null },
      { citations: ['https://example.com/failed'], state: 'failed', text: null },
    ])
    const report = await ask()
    expect(
      urlsOf(report).map(({ url, source, answers_citing, citations }) => [url, source, answers_citing, citations]),
    ).toEqual([
      ['https://example.com/a', 'own', 2, 2],
      ['https://other.example/', 'other', 1, 1],
      ['https://zenith.example/z?b=1', 'competitor', 1, 1],
    ])
    expect(report).toMatchObject({ total_count: 3, returned_count: 3, truncated: false, dimension: 'url' })
    expect(urlsOf(report)[0]).toMatchObject({
      citation_rate: { numerator: 2, denominator: 3, clusters: 2 },
      citation_share: { numerator: 2, denominator: 4 },
      engines: ['chatgpt', 'claude'],
      question_count: 2,
      first_cited_at: '2026-03-01T05:00:00.000Z',
      last_cited_at: '2026-03-02T05:00:00.000Z',
    })
    expect(urlsOf(await ask('source=competitor')).map(({ url }) => url)).toEqual(['https://zenith.example/z?b=1'])
    expect(urlsOf(await ask('engines=claude')).map(({ answers_citing }) => answers_citing)).toEqual([1, 1])
    expect(await ask('limit=1&offset=2')).toMatchObject({ total_count: 3, returned_count: 1, truncated: false })
    expect(await ask('offset=9')).toMatchObject({ total_count: 3, rows: [], truncated: false })
  })

  test('shares that rest on one question are said to', async () => {
    const limitations = async (query = '') => (await ask(query)).meta.limitations
    await load([{ citations: ['https://example.com/a'] }, { citations: [] }, { citations: null, question: 'Why?' }])
    expect(await limitations()).toEqual(['one_question'])
    expect(await limitations('dimension=domain')).toEqual(['one_question'])
    expect(await limitations('country=CH')).toEqual([])
    await load([{ citations: [], question: 'Why?', source_tool: 'another' }])
    // The rate is of two questions by now, the share of all citations still of one.
    expect(await limitations()).toEqual(['one_question'])
    await load([{ citations: ['https://other.example/'], question: 'Why?', source_tool: 'a third' }])
    expect(await limitations()).toEqual([])
  })

  test('citations behind redirects are in rows of domains only; own takes precedence over competitor', async () => {
    await load([{ citations: ['opaque zenith.example', 'https://shop.example.com/x', 'https://www.zenith.example/'] }])
    const urls = await ask()
    expect(urlsOf(urls).map(({ url, source }) => [url, source])).toEqual([
      ['https://shop.example.com/x', 'own'],
      ['https://www.zenith.example/', 'competitor'],
    ])
    expect(urls.meta.opaque_citations).toBe(1)
    const domains = await ask('dimension=domain')
    expect(domains.rows).toMatchObject([
      { domain: 'shop.example.com', source: 'own', citations: 1, crawler: null },
      { domain: 'zenith.example', source: 'competitor', answers_citing: 1, citations: 2 },
    ])
  })

  test('lists as many pages as the limit says, however long their addresses are', async () => {
    const long = (at: number) => `https://example.com/${at}/${'a'.repeat(4_000)}`
    await load([{ citations: Array.from({ length: 120 }, (_, at) => long(at)) }])
    const { rows, total_count } = await ask('limit=200')
    expect([rows.length, total_count]).toEqual([120, 120])
  })

  test('own URLs show what crawlers did there, with the nulls of crawler answers', async () => {
    await load([
      { citations: ['https://www.example.com/pricing?plan=1', 'https://example.com/b', 'https://x.example/'] },
    ])
    const before = urlsOf(await ask())
    expect(before.map(({ crawler }) => crawler)).toEqual([
      { coverage_state: 'unknown', observed_request_count: null, last_observed_at: null, open_issue_ids: [] },
      { coverage_state: 'unknown', observed_request_count: null, last_observed_at: null, open_issue_ids: [] },
      null,
    ])
    await service.importText(
      site,
      history().on('2026-03-08').humans().crawler('gptbot').requests(3, { path: '/pricing' }),
    )
    const issue = await addIssue(service.installation.control, site)
    await addIssue(service.installation.control, site, { state: 'closed' })
    const found = urlsOf(await ask())
    expect(found.map(({ url, crawler }) => [url, crawler?.observed_request_count, crawler?.open_issue_ids])).toEqual([
      ['https://example.com/b', 0, []],
      ['https://www.example.com/pricing?plan=1', 3, [issue.id]],
      ['https://x.example/', undefined, undefined],
    ])
    expect(found[1]?.crawler?.last_observed_at).toMatch(/^2026-03-08T/)
    expect(found[0]?.crawler).toMatchObject({ coverage_state: 'partial', last_observed_at: null })
    const past = urlsOf(await ask('from=2026-03-01&to=2026-03-05'))
    expect(past[1]?.crawler).toMatchObject({ coverage_state: 'partial', observed_request_count: null })
  })

  test('requests of other URLs that are stored under the same redacted path are not those of an own URL', async () => {
    const [cited, other] = ['8f14e45fceea167a5a36dedd4bea2543', 'c9f0f895fb98ab9159f51fd0297e236d']
    await load([{ citations: [`https://example.com/articles/${cited}`] }])
    await service.importText(
      site,
      history()
        .on('2026-03-08')
        .humans()
        .crawler('gptbot')
        .requests(3, { path: `/articles/${other}` }),
    )
    await addIssue(service.installation.control, site, { path_key: '/articles/:redacted' })
    const { id } = await addIssue(service.installation.control, site, { path_key: '/articles/*', unit: 'prefix' })
    expect(urlsOf(await ask()).map(({ crawler }) => crawler)).toEqual([
      { coverage_state: 'unknown', observed_request_count: null, last_observed_at: null, open_issue_ids: [id] },
    ])
  })

  test('own URLs have the issues of robots rules that disallow them, by any pattern', async () => {
    await load([{ citations: ['https://example.com/a', 'https://example.com/b'] }])
    const { db } = service.installation.control
    const issue = await addIssue(service.installation.control, site, { harm: 'robots', path_key: '/*' })
    const other = await addIssue(service.installation.control, site, { harm: 'robots', path_key: '/a', unit: 'other' })
    const member = { page_id: '1', crawler_id: 'claudebot', harmful: 3, observed: 3 }
    await db
      .insertInto('issue_members')
      .values([
        { ...member, issue_id: issue.id, path: '/a' },
        { ...member, issue_id: other.id, path: '/a/c' },
      ])
      .execute()
    const found = urlsOf(await ask())
    expect(found.map(({ url, crawler }) => [url, crawler?.open_issue_ids])).toEqual([
      ['https://example.com/a', [issue.id]],
      ['https://example.com/b', []],
    ])
  })

  test('parameters without effect on a dimension are ignored, and no filter claims them', async () => {
    await load([{ citations: ['https://example.com/a'] }])
    const { id } = await service.installation.control.db.selectFrom('questions').select('id').executeTakeFirstOrThrow()
    const given = `engines=chatgpt&country=CH&question_id=${id}&page=https%3A%2F%2Fexample.com%2F&made_up=1`
    const filters = { engines: null, country: null, question_id: null }
    const all = ['engines', 'country', 'question_id']
    expect((await ask(`dimension=page&${given}`)).meta).toMatchObject({
      filters: { ...filters, page: null },
      ignored_parameters: ['made_up', ...all, 'page'],
    })
    expect((await ask(`dimension=query&${given}`)).meta).toMatchObject({
      filters: { ...filters, page: 'https://example.com/' },
      ignored_parameters: ['made_up', ...all],
    })
    expect((await ask(`dimension=domain&${given}`)).meta).toMatchObject({
      filters: { engines: ['chatgpt'], country: 'CH', question_id: id, page: null },
      ignored_parameters: ['made_up', 'page'],
    })
  })

  test('without search data there are no pages and no queries, and the state reports it', async () => {
    const report = await ask('dimension=query&page=https%3A%2F%2Fexample.com%2F')
    expect(report).toMatchObject({
      rows: [],
      total_count: 0,
      dimension: 'query',
      meta: { search_data: { state: 'none', source: 'google', gaps: [{}] }, limitations: ['source_days'] },
    })
  })

  test('own pages and the queries of one of them, from search data that was imported', async () => {
    const row = { source: 'google', property: 'sc-domain:example.com', day: '2026-03-05', clicks: 3, impressions: 30 }
    const rows = [
      { ...row, page: 'https://example.com/a', position: 2 },
      { ...row, page: 'https://example.com/a', query: 'skates', clicks: 1, position: 4 },
    ]
    const { control, clock } = service.installation
    await importSearchData({ control, clock, evidence: service.crawlers.evidence }, brand, {
      bytes: Buffer.from(JSON.stringify({ format: 'spoor.search-data/1', rows })),
      hints: { property: null, period: null, ai_source: null, dimensions: null, method: null, page: null },
    })
    const pages = await ask('dimension=page')
    expect(pages.rows).toMatchObject([
      {
        page: 'https://example.com/a',
        clicks: 3,
        impressions: 30,
        days: 1,
        ai: [],
        click_through: { value: 0.1, numerator: 3, denominator: 30 },
        average_position: { value: 2, n: 30 },
      },
    ])
    expect(pages.meta.search_data).toMatchObject({
      state: 'imported',
      property: 'sc-domain:example.com',
      weekly: false,
    })
    const queries = await ask('dimension=query&page=https%3A%2F%2Fexample.com%2Fa')
    expect(queries.rows).toMatchObject([{ query: 'skates', clicks: 1, click_through: { denominator: 30 } }])
    expect((await ask('dimension=page&source=bing')).meta.search_data).toMatchObject({ state: 'none', source: 'bing' })
  })
})
