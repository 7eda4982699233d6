/**
 * The sources of visits, from what browsers send to what answers report: visits that continue, and unpaid links
 * (rules 6, Channels).
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Collecting, openCollecting } from '../support/collect.ts'

let a: Collecting
beforeAll(async () => {
  a = await openCollecting('2026-03-08T10:00:00Z')
  await a.service.createKey()
})
afterAll(() => a.close())

const from = (address: string) => ({ 'x-forwarded-for': address })

async function channels(): Promise<Record<string, number>> {
  await a.stored()
  const { status, json, text } = await a.service.ask('/v1/sites/example.com/analytics-sources?window=3d')
  expect(status, text).toBe(200)
  const { acquisition } = json as { acquisition: { channel: string; sessions: number }[] }
  return Object.fromEntries(acquisition.map(({ channel, sessions }) => [channel, sessions]))
}

test('a visit that continues after a pause or past midnight has an unknown channel; only visits without a referrer are direct', async () => {
  const { clock } = a.service
  const inside = (path: string) => a.event({ url: `https://example.com${path}`, referrer: 'https://example.com/' })
  const found = () => a.event({ referrer: 'https://www.google.com/' })
  await a.browser(found(), from('198.51.100.1'))
  clock.set('2026-03-08T10:40:00Z')
  await a.browser(inside('/after-a-pause'), from('198.51.100.1'))
  expect(await channels()).toEqual({ organic_search: 1, unknown: 1 })
  clock.set('2026-03-08T23:59:50Z')
  await a.browser(found(), from('198.51.100.2'))
  clock.set('2026-03-09T00:00:10Z')
  await a.browser(inside('/after-midnight'), from('198.51.100.2'))
  await a.browser(a.event({ url: 'https://example.com/typed' }), from('198.51.100.3'))
  const expected = { organic_search: 2, unknown: 2, direct: 1 }
  expect(await channels()).toEqual(expected)
  const { json } = await a.service.ask('/v1/sites/example.com/analytics-sources?window=3d')
  expect(json.referrers).toMatchObject({ total_count: 1, rows: [{ referrer_host: 'www.google.com' }] })
})

test('a click id that its vendor puts on other links than advertisements pays for nothing', async () => {
  const { clock } = a.service
  clock.set('2026-03-12T10:00:00Z')
  const landing = (query: string) =>
    a.event({ url: `https://example.com/?${query}`, referrer: 'https://yandex.ru/search/' })
  await a.browser(landing('ysclid=lx3'), from('198.51.100.1'))
  await a.browser(landing('srsltid=AfmB'), from('198.51.100.2'))
  await a.browser(landing('fbclid=IwAR'), from('198.51.100.3'))
  await a.browser(landing('yclid=77'), from('198.51.100.4'))
  expect(await channels()).toEqual({ organic_search: 3, paid_search: 1 })
  expect((await a.stored()).slice(-4).map(({ has_click_id }) => has_click_id)).toEqual([false, false, false, true])
})
