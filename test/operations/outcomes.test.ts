import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Performance, Sources, TopPages } from '#contract/site-api/index.ts'
import { history } from '#demo/history.ts'
import { rows, uuid } from '#evidence/sql.ts'
import { openTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService('2026-03-10T12:00:00Z')
  await service.addSite('first.example')
  await service.createKey()
})
afterAll(() => service.close())

/** Lines as servers write them; the status is the raw text between request and size. */
const line = (status: string, second: number, path = '/page') => {
  const clock = new Date(second * 1000).toISOString().slice(11, 19)
  const agent = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)'
  return `192.0.2.7 - - [09/Mar/2026:${clock} +0000] "GET ${path} HTTP/1.1" ${status} 512 "-" "${agent}"\n`
}
const linesOf = (statuses: readonly string[]) => statuses.map((status, index) => line(status, 36_000 + index)).join('')

let sites = 0
async function readAfter(statuses: readonly string[], rebuilt: boolean) {
  const site = await service.addSite(`site-${sites++}.example`)
  const receipt = await service.importText(site, linesOf(statuses))
  if (rebuilt) await service.rebuild()
  const read = async (operation: string) =>
    (await service.ask(`/v1/sites/${site.id}/${operation}?purpose=training&window=7d`)).json
  return {
    site_id: site.id,
    receipt,
    performance: (await read('performance')) as Performance,
    top: (await read('top-pages')) as TopPages,
    sources: (await read('sources')) as Sources,
  }
}

const UNOBSERVED = ['-', '0', '000', '1', '99', '099', '444', '460', '499']
const CLASSES = [
  ['2xx', ['200', '201', '204', '206', '226', '299']],
  ['3xx', ['300', '301', '302', '304', '307', '308', '399']],
  ['4xx', ['400', '401', '403', '404', '410', '429', '443', '445', '459', '461', '498']],
  ['5xx', ['500', '502', '503', '504', '520', '530', '599']],
  ['other', ['100', '101', '103', '199', '600', '601', '700', '999']],
] as const

describe.each([
  ['from facts', false],
  ['from roll-ups', true],
])('outcomes, %s (spec 2.5, rules 2)', (_from, rebuilt) => {
  test.each(CLASSES)('%s', async (outcome, statuses) => {
    const { receipt, performance, top, sources } = await readAfter([...statuses, statuses[0]], rebuilt)
    expect(receipt).toMatchObject({ stored: statuses.length + 1, malformed: 0 })
    expect(performance.http_outcomes).toEqual([
      {
        outcome,
        observed_request_count: statuses.length + 1,
        statuses: statuses.map((status, index) => ({
          http_status: Number(status),
          observed_request_count: index === 0 ? 2 : 1,
        })),
      },
    ])
    expect(top.pages).toMatchObject([{ observed_response_count: statuses.length + 1 }])
    expect(sources.sources).toMatchObject([{ http_status_fidelity: 'exact' }])
  })

  test('no status, a status below 100, and what servers log when no response reached the client', async () => {
    const { receipt, performance, top, sources } = await readAfter(UNOBSERVED, rebuilt)
    expect(receipt).toMatchObject({ stored: UNOBSERVED.length, malformed: 0 })
    expect(performance.http_outcomes).toEqual([
      {
        outcome: 'response_unobserved',
        observed_request_count: UNOBSERVED.length,
        statuses: [{ http_status: null, observed_request_count: UNOBSERVED.length }],
      },
    ])
    expect(top.pages).toMatchObject([
      { observed_request_count: UNOBSERVED.length, observed_response_count: 0, observed_crawler_count: 1 },
    ])
    expect(sources.sources).toMatchObject([{ http_status_fidelity: 'unavailable' }])
  })

  test('all of them together: classes in their order, statuses ascending, the unobserved folded into none', async () => {
    const observed = CLASSES.flatMap(([, statuses]) => statuses)
    const mixed = [...observed, ...UNOBSERVED].toSorted((a, b) => (a.at(-1) ?? '').localeCompare(b.at(-1) ?? ''))
    const { performance, top } = await readAfter(mixed, rebuilt)
    expect(performance.http_outcomes).toEqual([
      ...CLASSES.map(([outcome, statuses]) => ({
        outcome,
        observed_request_count: statuses.length,
        statuses: statuses.map((status) => ({ http_status: Number(status), observed_request_count: 1 })),
      })),
      {
        outcome: 'response_unobserved',
        observed_request_count: UNOBSERVED.length,
        statuses: [{ http_status: null, observed_request_count: UNOBSERVED.length }],
      },
    ])
    expect(performance.observed_request_count).toBe(mixed.length)
    expect(top.pages).toMatchObject([
      { observed_request_count: mixed.length, observed_response_count: observed.length },
    ])
  })
})

test('the raw number of an unobserved response is kept with the fact, and no answer shows it', async () => {
  const { receipt, performance, top, site_id } = await readAfter(['499', '444', '460', '-'], false)
  expect(receipt.stored).toBe(4)
  expect(JSON.stringify([performance.http_outcomes, top.pages])).not.toMatch(/4(?:99|44|60)/)
  const Kept = rows(Type.Object({ status: Type.Integer(), status_raw: Type.Integer() }))
  const { evidence } = await service.installation.crawlers()
  const kept = await evidence.all(
    Kept`SELECT status, status_raw FROM spoor.requests FINAL WHERE site_id = ${uuid(site_id)} ORDER BY status_raw`,
  )
  expect(kept.map((row) => [row.status, row.status_raw])).toEqual([0, 444, 460, 499].map((raw) => [0, raw]))
})

test.each([
  ['nothing between quotes', '""'],
  ['nothing between two blanks', ''],
])('an empty status, %s, is unobserved: the size after it is not a status', async (_name, status) => {
  const { receipt, performance, top } = await readAfter([status], false)
  expect(receipt).toMatchObject({ stored: 1, malformed: 0 })
  expect(performance.http_outcomes).toMatchObject([
    { outcome: 'response_unobserved', statuses: [{ http_status: null, observed_request_count: 1 }] },
  ])
  expect(top.pages).toMatchObject([{ path: '/page', observed_response_count: 0 }])
})

test.each(['1000', '20', '2000', '20x', 'abc', '-1', '2.0'])(
  'a status written as %s is never read as 200',
  async (raw) => {
    const site = await service.addSite(`site-${sites++}.example`)
    await service.importText(site, `${linesOf([raw])}${history().on('2026-03-09').humans().text()}`)
    const { json } = await service.ask(`/v1/sites/${site.id}/performance?purpose=training&window=7d`)
    expect((json as Performance).http_outcomes.filter(({ outcome }) => outcome !== 'response_unobserved')).toEqual([])
  },
)
