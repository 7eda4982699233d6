import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HOUR_MS, systemClock } from '#clock.ts'
import { readConfig } from '#config.ts'
import { snippetJobs } from '#jobs/snippet-jobs.ts'
import { openLog } from '#log.ts'
import { createMeters } from '#surfaces/metrics/meters.ts'
import { type FolderClient, openClient } from '../../../cli/folder/client.ts'
import { type Service, startService } from '../../../src/main.ts'
import { openZoneService, type ZoneService } from '../../intake/cloudflare/zone-service.ts'
import { BROWSER } from '../../support/collect.ts'
import { makeTestFolder, removeTestFolder } from '../../support/control.ts'
import { GPTBOT, PERSON } from '../../support/intake.ts'
import { hasPromtool, promtool } from '../../support/promtool.ts'
import { enableTracker } from '../../support/tracker.ts'

const NOW = '2026-03-10T12:00:00Z'

interface Dashboard {
  panels: { targets: { expr: string }[] }[]
}

/** The samples of one metric: labels as they are written, and values. */
function samplesOf(page: string, name: string): Record<string, number> {
  const lines = [...page.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`, 'gm'))]
  return Object.fromEntries(lines.map(([, labels = '', value]) => [labels, Number(value)]))
}

describe('/metrics of a service that receives live evidence', () => {
  let folder = ''
  let service: Service
  let client: FolderClient
  const metrics = async () => (await fetch(service.metrics_url as string)).text()
  beforeAll(async () => {
    folder = makeTestFolder()
    const config = { ...readConfig({ SPOOR_METRICS_LISTEN: '127.0.0.1:0' }), data: folder, port: 0 }
    const clock = systemClock(Date.parse(NOW))
    service = await startService({ config, clock, is_clock_simulated: true, log: openLog('silent'), wait_ms: 0 })
    client = await openClient(config)
    await client.run('site.add', { domain: 'example.com' })
  })
  afterAll(async () => {
    await client.close()
    await service.stop()
    removeTestFolder(folder)
  })

  test('counts batches by outcome, records by outcome and reason, refusals by reason, places and waits', async () => {
    const source = await client.run('source.add', { site: 'example.com', type: 'https_intake', name: 'web1' })
    const post = async (body: string, secret = source.token.secret) => {
      const headers = { authorization: `Bearer ${secret}` }
      const response = await fetch(`${service.url}/intake/logs`, { method: 'POST', body, headers })
      await response.text()
      return response.status
    }
    const record = { timestamp: '2026-03-10T11:59:00Z', host: 'example.com', path: '/', status: 200 }
    const records = [
      { ...record, user_agent: GPTBOT },
      { ...record, user_agent: PERSON },
      { ...record, user_agent: GPTBOT, host: 'other.org' },
      { ...record },
    ]
    expect(await post(records.map((each) => JSON.stringify(each)).join('\n'))).toBe(200)
    expect(await post('\u0000binary')).toBe(400)
    expect(await post('{}', 'spoor_src_unknown')).toBe(401)
    expect((await fetch(`${service.url}/intake/logs`)).status).toBe(405)

    const page = await metrics()
    expect(samplesOf(page, 'spoor_intake_batch_duration_seconds_count')).toEqual({
      'outcome="stored"': 1,
      'outcome="refused"': 1,
    })
    const outcomes = samplesOf(page, 'spoor_intake_records_total')
    expect(outcomes).toEqual({
      'outcome="accepted"': 1,
      'outcome="duplicate"': 0,
      'outcome="human"': 1,
      'outcome="other_site"': 1,
      'outcome="own_inspection"': 0,
      'outcome="not_a_visit"': 0,
      'outcome="heartbeat"': 0,
      'outcome="rejected"': 1,
    })
    expect(samplesOf(page, 'spoor_intake_rejected_records_total')).toEqual({ 'reason="user_agent_missing"': 1 })
    expect(samplesOf(page, 'spoor_intake_refusals_total')).toEqual({
      'reason="not_readable"': 1,
      'reason="unauthenticated"': 1,
    })
    expect(samplesOf(page, 'spoor_intake_places')).toEqual({ 'state="taken"': 0, 'state="all"': 32 })
    expect(samplesOf(page, 'spoor_intake_wait_seconds_count')).toEqual({ '': 2 })
  })

  test('counts tracker events by outcome and reason, and shows what waits in the spool', async () => {
    const { public_id } = await client.run('tracker.enable', { site: 'example.com' })
    const send = async (event: Record<string, unknown>, user_agent = BROWSER) => {
      const body = JSON.stringify({
        v: 1,
        site: public_id,
        type: 'pageview',
        url: 'https://example.com/',
        id: crypto.randomUUID(),
        ...event,
      })
      const headers = { 'user-agent': user_agent, origin: 'https://example.com', 'content-type': 'text/plain' }
      const response = await fetch(`${service.url}/collect`, { method: 'POST', body, headers })
      await response.text()
    }
    await send({})
    await send({}, GPTBOT)
    await send({ url: 'https://other.org/' })
    // Events are counted when they are stored, twice a second.
    let page = await metrics()
    while (Object.keys(samplesOf(page, 'spoor_tracker_events_total')).length < 3) page = await metrics()
    const events = samplesOf(page, 'spoor_tracker_events_total')
    expect(events).toMatchObject({ 'outcome="accepted",reason=""': 1, 'outcome="bot",reason=""': 1 })
    const refused = Object.entries(events).filter(([labels]) => labels.startsWith('outcome="refused"'))
    expect(refused).toEqual([[expect.stringMatching(/^outcome="refused",reason="[a-z_]+"$/), 1]])
    // The inserter empties the spool.
    while (samplesOf(page, 'spoor_spool_bytes')[''] !== 0) page = await metrics()
    expect(samplesOf(page, 'spoor_spool_oldest_age_seconds')).toEqual({ '': 0 })
  })

  test('names no site, host, path, key or client', async () => {
    expect(await metrics()).not.toMatch(/example|other\.org|web1|spoor_(src|pub|srv)_|127\.0\.0\.1/)
  })

  test('has every metric that the alert rules and the dashboard ask for', async () => {
    const page = await metrics()
    const asked = ['alerts.yml', 'grafana-dashboard.json'].map((name) => readFileSync(`docs/operating/${name}`, 'utf8'))
    const names = new Set(asked.join(' ').match(/\bspoor_\w+/g))
    expect(names.size).toBeGreaterThan(15)
    const known = [...page.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => String(name))
    const base = (name: string) => name.replace(/_(bucket|count|sum)$/, '')
    expect([...names].filter((name) => !known.includes(name) && !known.includes(base(name)))).toEqual([])
    const documented = readFileSync('docs/operating/metrics.md', 'utf8')
    expect(known.filter((name) => name.startsWith('spoor_') && !documented.includes(`\`${name}\``))).toEqual([])
  })

  test('shows every metric of inspections, issues and alerts in a panel of the dashboard', async () => {
    const known = [...(await metrics()).matchAll(/^# TYPE (spoor_(?:inspections|issues|alert)\w*)/gm)].map(
      ([, name]) => name,
    )
    expect(known).toHaveLength(8)
    const { panels } = JSON.parse(readFileSync('docs/operating/grafana-dashboard.json', 'utf8')) as Dashboard
    const asked = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join(' ')
    expect(known.filter((name) => !new RegExp(`\\b${name}\\b`).test(asked))).toEqual([])
  })

  test.skipIf(!hasPromtool())('promtool accepts the alert rules (skipped without promtool)', () => {
    const { status, said } = promtool(['check', 'rules', 'docs/operating/alerts.yml'])
    expect([status, said]).toEqual([0, expect.stringMatching(/SUCCESS: \d\d rules found/)])
  })

  test.skipIf(!hasPromtool())('promtool has no complaint about spoor_* (skipped without promtool)', async () => {
    const { said } = promtool(['check', 'metrics'], await metrics())
    expect(said.split('\n').filter((line) => line.includes('spoor_'))).toEqual([])
  })
})

describe('/metrics of work that asks outside', () => {
  let service: ZoneService
  beforeAll(async () => {
    service = await openZoneService(NOW)
  })
  afterAll(() => service.close())

  test('counts polls of zones, the hours that were read, and why others were not', async () => {
    const meters = createMeters(systemClock())
    service.ctx.onPolled = meters.onZonePolled
    await service.connect()
    await service.poll()
    let page = await meters.read()
    expect(samplesOf(page, 'spoor_zone_polls_total')).toEqual({ '': 1 })
    expect(samplesOf(page, 'spoor_zone_readings_total')['']).toBeGreaterThan(0)
    expect(samplesOf(page, 'spoor_zone_poll_failures_total')).toEqual({})
    service.ctx.cloudflare = { ...service.ctx.cloudflare, base_url: 'http://127.0.0.1:9/client/v4' }
    service.clock.advance(2 * HOUR_MS)
    await service.poll()
    page = await meters.read()
    expect(samplesOf(page, 'spoor_zone_polls_total')).toEqual({ '': 2 })
    expect(samplesOf(page, 'spoor_zone_poll_failures_total')).toEqual({ 'reason="unreachable"': 1 })
  })

  test('counts inspections of the snippet by what they found, without statuses and sites', async () => {
    const meters = createMeters(systemClock())
    const { control, clock } = service.installation
    await enableTracker(service, service.site, { from: NOW, through: NOW })
    const [job] = snippetJobs({
      control,
      clock,
      onInspected: meters.onSnippetInspected,
      outgoing: { ...readConfig({}), resolve: async () => ['127.0.0.1'], own_endpoints: () => [] },
    })
    await job?.run(new AbortController().signal, { check: async () => {} })
    const looked = Object.entries(samplesOf(await meters.read(), 'spoor_snippet_inspections_total'))
    expect(looked).toEqual([[expect.stringMatching(/^outcome="[a-z_]+"$/), 1]])
    for (const outcome of ['found', 'http_404', 'http_500', 'Something Else']) meters.onSnippetInspected(outcome)
    expect(samplesOf(await meters.read(), 'spoor_snippet_inspections_total')).toMatchObject({
      'outcome="found"': 1,
      'outcome="http_status"': 2,
      'outcome="other"': 1,
    })
  })
})
