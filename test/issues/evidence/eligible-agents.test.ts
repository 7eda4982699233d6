/** Requests whose address waits for its names count for issues 2 hours later, each by its own instant (rules 8.1). */
import { beforeEach, expect, test } from 'vitest'
import { HOUR_MS, instantText, MINUTE_MS } from '#clock.ts'
import type { Issue } from '#contract/site-api/index.ts'
import { detectIssues } from '#issues/detect-issues.ts'
import type { Site } from '#sites/site.ts'
import { deliver } from '../../support/deliver.ts'
import { serviceOfFile } from '../../support/fresh.ts'
import type { TestService } from '../../support/service.ts'

const BINGBOT =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0.1938.76 Safari/537.36'
const START = Date.parse('2026-03-10T12:00:00Z')

const file = serviceOfFile()
let service: TestService
let site: Site
beforeEach(async () => {
  service = await file.fresh(instantText(START))
  site = await service.addSite('example.com')
  await service.createKey()
})

/** Delivers failed requests of so many hours ago. */
const send = (hours: number, requests: number, status = 500) =>
  deliver(service, site, [
    { user_agent: BINGBOT, address: '40.77.167.10', path: '/pricing', at: START - hours * HOUR_MS, requests, status },
  ])
async function detect(): Promise<string[]> {
  await service.rebuild()
  await detectIssues(service.crawlers, site.id)
  const { json } = await service.ask('/v1/sites/example.com/issues')
  return (json.issues as Issue[]).map(({ title }) => title)
}

const title = (counts: string) =>
  `Requests naming Bingbot got 500 on ${counts} observed requests to example.com/pricing, 10 Mar 2026`

test('recent requests do not count merely because older ones of the day do', async () => {
  await send(1, 2)
  await send(3, 1)
  expect(await detect()).toEqual([])
  service.clock.set(instantText(START + HOUR_MS + MINUTE_MS))
  expect(await detect()).toEqual([title('3 of 3')])
})

test('recent requests are in no count of an issue', async () => {
  await send(1, 5)
  await send(3, 3)
  expect(await detect()).toEqual([title('3 of 3')])
})

test('recent requests with another outcome do not prevent an issue', async () => {
  await send(3, 3)
  await send(4, 1, 404)
  await send(1, 9, 404)
  expect(await detect()).toEqual([title('3 of 4')])
})
