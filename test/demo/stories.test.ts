/** What goes wrong on the seeded site: its access log and its servers say the same, and nothing is asked outside. */
import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#clock.ts'
import { utcDay } from '#days/utc-day.ts'
import { type Seed, seedDays } from '#demo/seed.ts'
import { HELP_HOST, lookDays, SITE, storiesOf } from '#demo/stories.ts'
import { answerDemoHosts, CHAT_HOOK, PAGER_HOOK } from '#demo/web.ts'
import { type SafeFetchContext, safeFetch } from '#outgoing/safe-fetch.ts'

const NOW = Date.parse('2026-03-10T12:00:00Z')
const seed: Seed = { now: NOW, days: 90, seed: 1 }

/** The demo's servers as they answer at an instant; every other name is refused with its own name. */
function webAt(at: number): SafeFetchContext {
  const outside: SafeFetchContext = {
    allow_networks: [],
    allow_ports: new Set<number>(),
    own_endpoints: () => [],
    resolve: async (name) => {
      throw new Error(`asked for ${name}`)
    },
  }
  return answerDemoHosts(outside, seed, { now: () => at })
}
const ask = (url: string, at: number, method: 'GET' | 'POST' = 'GET') =>
  safeFetch(webAt(at), url, { method, max_bytes: 10_000, timeout_ms: 1_000 })

const written = seedDays(seed)

/** Statuses by path in the lines of one day at one hour. */
function loggedAt(back: number, hour: number): Map<string, Set<number>> {
  const day = written.find((one) => one.day === utcDay(NOW - back * DAY_MS))
  const logged = new Map<string, Set<number>>()
  for (const [, path = '', status] of (day?.text ?? '').matchAll(
    new RegExp(`:${String(hour).padStart(2, '0')}:\\d\\d:\\d\\d \\S+ "GET (\\S+) HTTP/1.1" (\\d+)`, 'g'),
  ))
    logged.set(path, (logged.get(path) ?? new Set()).add(Number(status)))
  return logged
}

test('the servers answer as in the access log, before, during and after each fault', async () => {
  for (const { path, days, from = '10:00', faults } of storiesOf(90)) {
    const hour = Number(from.slice(0, 2))
    const statuses = new Set<number>()
    for (const back of [days[0], faults[0]?.[0].back as number, days[1]]) {
      const at = Date.parse(`${utcDay(NOW - back * DAY_MS)}T00:00:00Z`) + hour * HOUR_MS + 90_000
      const { status } = await ask(`https://${SITE}${path}`, at)
      // Crawlers that the fault is not about get the page while it lasts.
      expect([path, back, [...(loggedAt(back, hour).get(path) ?? [])]]).toEqual([
        path,
        back,
        expect.arrayContaining([status]),
      ])
      statuses.add(status)
    }
    expect([path, statuses.size]).toEqual([path, days[0] === days[1] ? 1 : 2])
  }
})

test('hosts of the demo are answered without the network, all others are asked there', async () => {
  expect((await ask(CHAT_HOOK, NOW, 'POST')).status).toBe(204)
  expect((await ask(PAGER_HOOK, NOW - 8 * DAY_MS, 'POST')).status).toBe(204)
  expect((await ask(PAGER_HOOK, NOW, 'POST')).status).toBe(410)
  expect((await ask(`http://${SITE}/`, NOW)).url).toBe(`https://${SITE}/`)
  expect((await ask(`https://${HELP_HOST}/`, NOW - 3 * DAY_MS)).status).toBe(200)
  await expect(ask(`https://${HELP_HOST}/`, NOW)).rejects.toMatchObject({ system_code: 'CERT_HAS_EXPIRED' })
  await expect(ask('https://other.example/', NOW)).rejects.toThrow('asked for other.example')
  await expect(ask(`https://${SITE}:8443/`, NOW)).rejects.toMatchObject({ code: 'port' })
})

test('a short history holds only the stories that fit into it', () => {
  expect(storiesOf(1)).toEqual([])
  expect(storiesOf(12).length).toBeLessThan(storiesOf(90).length)
  expect(lookDays(storiesOf(1))).toEqual([7, 6, 5, 4, 3, 2, 1, 0])
  expect(lookDays(storiesOf(90))).toEqual([89, 37, 36, 7, 6, 5, 4, 3, 2, 1, 0])
})
