/** The doctor knows from the collector whether a proxy hides the addresses of visitors (rules 6.1). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '#clock.ts'
import { BROWSER, type Collecting, openCollecting } from '../support/collect.ts'

let a: Collecting
beforeAll(async () => {
  a = await openCollecting('2026-03-10T12:00:00Z')
})
afterAll(() => a.close())

const found = async () =>
  (await a.service.installation.operator.checkHealth())
    .filter(({ code }) => ['trackers', 'proxy_hides_addresses'].includes(code))
    .map(({ code, message }) => `${code}: ${message}`)

/** Twenty requests of three browsers, which come from as many addresses as there are. */
async function visit(addresses: number) {
  for (let at = 0; at < 20; at++) {
    const headers = { 'x-forwarded-for': `198.51.100.${at % addresses}`, 'user-agent': `${BROWSER} Edg/${at % 3}` }
    expect((await a.browser(a.event(), headers)).status).toBe(202)
  }
  await a.collector.mark()
}

test('the doctor warns while all events of an hour came from one address', async () => {
  a.service.clock.advance(HOUR_MS)
  await visit(1)
  expect(await found()).toEqual(['proxy_hides_addresses: example.com.'])
  a.service.clock.advance(30 * MINUTE_MS)
  await visit(2)
  expect(await found()).toEqual(['trackers: Events of 1 site arrive.'])
})
