/** Whose requests show that a page was open or in use, or that a host answers (rules 8.1). */
import { beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, instantText, MINUTE_MS } from '#clock.ts'
import type { Issue } from '#contract/site-api/index.ts'
import { queueInspections } from '#inspections/queue.ts'
import { detectIssues } from '#issues/detect-issues.ts'
import type { Site } from '#sites/site.ts'
import { runOperation } from '#surfaces/operator/operations.ts'
import { type Delivered, deliver } from '../../support/deliver.ts'
import { serviceOfFile } from '../../support/fresh.ts'
import { endInspections } from '../../support/issues.ts'
import type { TestService } from '../../support/service.ts'

const CLAUDEBOT =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)'
const GPTBOT = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.4; +https://openai.com/gptbot'
const START = Date.parse('2026-03-10T12:00:00Z')

const file = serviceOfFile()
let service: TestService
let site: Site
beforeEach(async () => {
  service = await file.fresh(instantText(START))
  site = await service.addSite('example.com')
  await service.createKey()
})

const send = (given: Partial<Delivered> & { requests: number }) =>
  deliver(service, site, [{ user_agent: CLAUDEBOT, at: service.clock.now(), ...given }])
async function detect() {
  await service.rebuild()
  await detectIssues(service.crawlers, site.id)
  const { json } = await service.ask('/v1/sites/example.com/issues')
  return (json.issues as Issue[]).map(({ path, harm }) => ({ path, harm }))
}

/** Fetches the published networks of GPTBot. */
const know = () =>
  runOperation(service.installation.operator, 'registry.lists.import', {
    list: 'https://openai.com/gptbot.json',
    document: Buffer.from('20.125.66.0/24').toString('base64'),
    is_whole_as: false,
  })

describe.each([
  ['a program that is not a crawler', { user_agent: 'curl/8.5.0' }, false],
  ['an impostor', { user_agent: GPTBOT, address: '198.51.100.23' }, false],
  ['an eligible agent', { user_agent: GPTBOT, address: '20.125.66.85' }, true],
])('what %s got', (_name, by, counts) => {
  test('shows that a page was open', async () => {
    await know()
    await send({ ...by, requests: 5, path: '/admin', at: START - HOUR_MS })
    await send({ requests: 3, path: '/admin', status: 403 })
    expect(await detect()).toEqual(counts ? [{ path: '/admin', harm: 'refused' }] : [])
  })

  test('shows that a page was in use', async () => {
    for (const days of [4, 3, 0]) {
      service.clock.set(instantText(START - days * DAY_MS))
      await know()
      if (days > 0) await send({ ...by, requests: 5, path: '/old' })
    }
    await send({ requests: 10, path: '/old', status: 404 })
    expect(await detect()).toEqual(counts ? [{ path: '/old', harm: 'gone' }] : [])
  })

  test('shows that a host answers', async () => {
    await know()
    const { control, clock } = service.crawlers
    const refused = { stage: 'connection', code: 'ECONNREFUSED', is_outside_reached: true } as const
    const look = async (ms: number, found: 'clean' | 'harmed') => {
      service.clock.set(instantText(START + ms))
      const home = { site_id: site.id, host: 'example.com', path: '/', crawler_id: null, issue_id: null }
      await queueInspections(control.db, [{ ...home, reason: 'home' }], clock.now())
      const result = found === 'clean' ? {} : { unreachable: refused, as_crawler: null, as_ourselves: null }
      await endInspections({ control, clock }, site, found, result)
    }
    await look(-HOUR_MS, 'clean')
    await look(0, 'harmed')
    await look(15 * MINUTE_MS, 'harmed')
    await send({ ...by, requests: 1, path: '/health' })
    expect(await detect()).toEqual(counts ? [] : [{ path: null, harm: 'unreachable' }])
  })
})

test('a page that answered crawlers 2xx on one day and 304 on another was not in use on two days', async () => {
  for (const [days, status] of [
    [20, 200],
    [15, 304],
  ] as const) {
    service.clock.set(instantText(START - days * DAY_MS))
    await send({ requests: 10, path: '/old', status })
  }
  service.clock.set(instantText(START))
  await send({ requests: 10, path: '/old', status: 404 })
  expect(await detect()).toEqual([])
  await send({ requests: 1, path: '/old', at: START - 10 * DAY_MS })
  expect(await detect()).toEqual([{ path: '/old', harm: 'gone' }])
})
