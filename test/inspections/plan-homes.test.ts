import { expect, test } from 'vitest'
import { DAY_MS } from '#clock.ts'
import { planHomeInspections } from '#inspections/plan-homes.ts'
import type { Site } from '#sites/site.ts'
import { deliver } from '../support/deliver.ts'
import { serviceOfFile } from '../support/fresh.ts'

const NOW = '2026-03-10T12:00:00.000Z'
const GPTBOT = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.4; +https://openai.com/gptbot'
const shared = serviceOfFile()

test('each site has its busiest hosts inspected once a day, where crawlers are served', async () => {
  const service = await shared.fresh(NOW)
  const [large, small] = [await service.addSite('large.example'), await service.addSite('small.example')]
  const serve = (site: Site, host: string, requests: number) =>
    deliver(service, { ...site, root_domain: host }, [{ user_agent: GPTBOT, requests }])
  for (const host of ['a', 'b']) await serve(large, `${host}.large.example`, 21)
  await serve(large, 'less.large.example', 20)
  await serve(large, 'quiet.large.example', 19)
  await serve(small, 'small.example', 20)
  const plan = () => planHomeInspections(service.crawlers, new AbortController().signal, { max_hosts: 2 })
  const queued = (site_id: string) =>
    service.crawlers.control.db.selectFrom('inspections').select('host').where('site_id', '=', site_id).execute()
  expect(await plan()).toBe(3)
  const of_large = (await queued(large.id)).map(({ host }) => host).sort()
  expect(of_large).toEqual(['a.large.example', 'b.large.example'])
  expect(await queued(small.id)).toEqual([{ host: 'small.example' }])
  expect(await plan()).toBe(0)
  service.clock.advance(DAY_MS)
  expect(await plan()).toBe(3)
})
