/** What browsers send becomes facts, durable before the answer; everything else is told apart (rules 6). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Collecting, openCollecting } from '../../support/collect.ts'

const NOW = '2026-03-10T12:00:00Z'
let a: Collecting

beforeAll(async () => {
  a = await openCollecting(NOW)
})
afterAll(() => a.close())

test('an event is acknowledged and stored with what it says, and with nothing else of its URL', async () => {
  const url =
    'https://www.example.com/shop/a%7Eb?utm_source=news&utm_medium=email&utm_campaign=jane%40example.org&gclid=x&secret=1#top'
  const answer = await a.browser(a.event({ url, referrer: 'https://chatgpt.com/c/123?q=private' }))
  expect(answer).toMatchObject({ status: 202, json: { accepted: 1, rejected: [] } })
  const stored = (await a.stored()).at(-1)
  expect(stored).toMatchObject({
    ...{ day: '2026-03-10', stream: 'browser', kind: 'pageview', name: '', hostname: 'www.example.com' },
    ...{ path: '/shop/a~b', path_fidelity: 'exact', referrer_host: 'chatgpt.com', has_click_id: true },
    ...{ utm: 'news|email|:redacted||', revenue_kind: 'none', received_at: '2026-03-10 12:00:00.000' },
  })
  expect(stored?.visitor).not.toBe('0')
})
