/** Alerts of what detection finds, from requests to a receiver on loopback (rules 8.2, 8.6). */
import { beforeEach, expect, test } from 'vitest'
import { deliverDue } from '#alerts/deliver.ts'
import { addWebhook } from '#alerts/receivers.ts'
import { HOUR_MS, MINUTE_MS } from '#clock.ts'
import { readConfig } from '#config.ts'
import { builtInDocument } from '#crawlers/registry/built-in.ts'
import { detectIssues } from '#issues/detect-issues.ts'
import type { SafeFetchContext } from '#outgoing/safe-fetch.ts'
import type { Site } from '#sites/site.ts'
import { runOperation } from '#surfaces/operator/operations.ts'
import { type WebhookStandIn, webhookStandIn } from '../support/alerts.ts'
import { type Delivered, deliver } from '../support/deliver.ts'
import { serviceOfFile } from '../support/fresh.ts'
import type { TestService } from '../support/service.ts'

const file = serviceOfFile()
let service: TestService
let site: Site
let receiver: WebhookStandIn
let outgoing: SafeFetchContext
beforeEach(async () => {
  service = await file.fresh('2026-03-10T12:00:00Z')
  site = await service.addSite('example.com')
  receiver = await webhookStandIn()
  outgoing = {
    ...readConfig({ SPOOR_ALLOW_NETWORKS: '127.0.0.0/8' }),
    allow_ports: new Set([Number(new URL(receiver.url).port)]),
    resolve: async () => ['127.0.0.1'],
    own_endpoints: () => [],
  }
  await addWebhook({ ...service.installation.operator, outgoing }, { site_id: site.id, url: receiver.url })
})

const agentOf = (id: string) =>
  builtInDocument.entries.find(({ crawler_id }) => crawler_id === id)?.example_user_agents[0] as string

async function detect(): Promise<void> {
  await service.rebuild()
  await detectIssues(service.crawlers, site.id)
}

/** Lets the time pass in which alerts wait for others of their type, and delivers. */
async function receive() {
  service.clock.advance(2 * MINUTE_MS)
  const { installation } = service
  await deliverDue({ ...installation.operator, outgoing }, new AbortController().signal, async () => {})
  return receiver.received.splice(0).map(({ json }) => json)
}

test('an outage of 5,000 directories is a handful of issues and one digest', async () => {
  const areas = ['shop', 'docs', 'blog', 'help']
  const at = service.clock.now()
  const delivered = ['claudebot', 'gptbot'].flatMap((crawler) =>
    Array.from(
      { length: 5_000 },
      (_one, index): Delivered => ({
        user_agent: agentOf(crawler),
        path: `/${areas[index % areas.length]}/directory-${index}/`,
        status: 503,
        requests: 3,
        at: at - (index % 600) * 1000,
      }),
    ),
  )
  await deliver(service, site, delivered)
  await detect()
  const received = await receive()
  expect(received.map(({ type }) => type)).toEqual(['issue.digest'])
  expect(received[0]?.data).toMatchObject({
    root_domain: 'example.com',
    digest: { event_type: 'issue.opened', issue_count: 8, truncated: false },
  })
  await detect()
  expect(await receive()).toEqual([])
})

test('unproven claims send an alert once there are enough of them, and then for changes of the issue', async () => {
  const refuse = (requests: number) =>
    deliver(service, site, [{ user_agent: agentOf('claudebot'), path: '/pricing', status: 503, requests }])
  await refuse(5)
  await detect()
  expect(await receive()).toEqual([])
  service.clock.advance(HOUR_MS)
  await refuse(15)
  await detect()
  const [opened, ...others] = await receive()
  expect(others).toEqual([])
  expect(opened).toMatchObject({
    type: 'issue.opened',
    data: { issue: { path: '/pricing', state: 'open', crawler_id: 'claudebot', confidence: 'low' } },
  })
  expect(JSON.stringify(opened)).not.toContain('fix_prompt')
  await runOperation(service.installation.operator, 'issue.intended', {
    site: site.id,
    host: 'example.com',
    path: '/pricing',
    harm: 'server_error',
  })
  expect((await receive()).map(({ type, data }) => [type, (data.issue as { state: string }).state])).toEqual([
    ['issue.withdrawn', 'withdrawn'],
  ])
})
