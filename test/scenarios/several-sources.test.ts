import { beforeEach, describe, expect, test } from 'vitest'
import type { Meta } from '#contract/meta.ts'
import { history } from '#demo/history.ts'
import type { Site } from '#sites/site.ts'
import { serviceOfFile } from '../support/fresh.ts'
import { addLiveSource, wholeDays } from '../support/live-evidence.ts'
import type { TestService } from '../support/service.ts'

let service: TestService
let site: Site

const shared = serviceOfFile()
beforeEach(async () => {
  service = await shared.fresh('2026-03-10T12:00:00Z')
  site = await service.addSite('example.com')
  await service.createKey()
})

const read = async (operation: string, query = '') => {
  const answer = await service.ask(`/v1/sites/example.com/${operation}${query}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json
}
const performance = async (window = '7d') => {
  const { observed_request_count, meta } = await read('performance', `?window=${window}`)
  const { coverage_state, gaps, data_through } = meta as Meta
  return { observed_request_count, coverage_state, gaps, data_through }
}
const sources = async () => (await read('sources')).sources as Meta['sources']

describe('weeks with several sources (rules 3)', () => {
  test('a source that is silent for two days leaves gaps, and its delivery afterwards fills what it proves', async () => {
    const intake = await addLiveSource(service, site, 'https_intake')
    await intake.saw('2026-03-04', 'example.com', 3)
    await intake.covered('2026-03-01T00:00:00Z', '2026-03-07T00:00:00Z', { sender: 'web1' })
    await intake.covered('2026-03-09T00:00:00Z', '2026-03-10T11:30:00Z', { sender: 'web1' })
    await intake.saw('2026-03-09', 'example.com', 2)
    expect(await performance()).toEqual({
      observed_request_count: 5,
      coverage_state: 'partial',
      gaps: [{ from: '2026-03-07', to: '2026-03-08' }],
      data_through: '2026-03-10T11:30:00.000Z',
    })
    await intake.covered('2026-03-07T00:00:00Z', '2026-03-09T00:00:00Z', { sender: 'web1' })
    expect(await performance()).toMatchObject({ observed_request_count: 5, coverage_state: 'complete', gaps: [] })
  })

  test('one of two senders silent for two days makes exactly these days partial', async () => {
    const intake = await addLiveSource(service, site, 'https_intake')
    await intake.covered('2026-03-01T00:00:00Z', '2026-03-10T11:30:00Z', { sender: 'web1' })
    await intake.covered('2026-03-01T00:00:00Z', '2026-03-06T00:00:00Z', { sender: 'web2' })
    await intake.covered('2026-03-08T00:00:00Z', '2026-03-10T11:00:00Z', { sender: 'web2' })
    expect(await performance()).toMatchObject({
      coverage_state: 'partial',
      gaps: [],
      data_through: '2026-03-10T11:00:00.000Z',
    })
    expect(await performance('3d')).toMatchObject({ coverage_state: 'complete', observed_request_count: 0 })
  })

  test('logs sent again change neither counts nor coverage', async () => {
    const intake = await addLiveSource(service, site, 'https_intake')
    const deliver = async () => {
      await intake.saw('2026-03-08', 'example.com', 4)
      await intake.covered(...wholeDays('2026-03-08'), { sender: 'web1' })
    }
    await deliver()
    const once = await performance()
    await deliver()
    await service.rebuild()
    expect(await performance()).toEqual(once)
    expect(once).toMatchObject({ observed_request_count: 4 })
  })

  test('a zone and logs that see the same host: exactly one counts, the better one first, then the one connected earlier', async () => {
    const log = history()
    for (const day of ['2026-03-06', '2026-03-07', '2026-03-08']) {
      log.on(day).humans().crawler('oai-searchbot').requests(5)
    }
    log.on('2026-03-09').humans()
    service.clock.set('2026-03-09T01:00:00Z')
    await service.importText(
      site,
      log
        .text()
        .split('\n')
        .filter((line) => !line.includes('09/Mar/2026:1'))
        .join('\n'),
    )
    service.clock.set('2026-03-10T12:00:00Z')
    const zone = await addLiveSource(service, site, 'cloudflare_zone')
    await zone.covered(...wholeDays('2026-03-06'), {
      host: 'example.com',
      quality: 'partial',
      reason: 'backfill',
      is_backfill: 1,
    })
    await zone.covered('2026-03-07T00:00:00Z', '2026-03-10T11:00:00Z', { host: 'example.com' })
    for (const day of ['2026-03-06', '2026-03-07', '2026-03-08', '2026-03-09']) await zone.saw(day, 'example.com', 7)
    // 6 to 8 March: the log is complete and earlier; 9 March: only the zone is complete.
    const { daily } = await read('performance', '?window=7d')
    expect(daily).toMatchObject([
      { date: '2026-03-06', observed_request_count: 5 },
      { date: '2026-03-07', observed_request_count: 5 },
      { date: '2026-03-08', observed_request_count: 5 },
      { date: '2026-03-09', observed_request_count: 7 },
    ])
    await zone.set({ connected_at: Date.parse('2026-03-07T09:00:00Z') })
    const again = await read('performance', '?window=7d')
    expect((again.daily as { observed_request_count: number }[]).map((row) => row.observed_request_count)).toEqual([
      5, 7, 7, 7,
    ])
    expect((await sources()).find((source) => source.source_type === 'cloudflare_zone')).toMatchObject({
      backfill: { from: '2026-03-06', to: '2026-03-06' },
      completeness: 'partial',
      sampling: null,
    })
  })

  test('around midnight UTC a fresh source never turns the new day into a gap', async () => {
    const intake = await addLiveSource(service, site, 'https_intake')
    await intake.covered('2026-03-01T00:00:00Z', '2026-03-10T23:50:00Z', { sender: 'web1' })
    service.clock.set('2026-03-10T23:59:00Z')
    expect(await performance('3d')).toMatchObject({ coverage_state: 'complete', gaps: [] })
    service.clock.set('2026-03-11T00:10:00Z')
    // Yesterday misses its last minutes until they are delivered.
    expect(await performance('3d')).toMatchObject({ coverage_state: 'partial', gaps: [] })
    await intake.covered('2026-03-10T23:50:00Z', '2026-03-11T00:05:00Z', { sender: 'web1' })
    expect(await performance('3d')).toMatchObject({ coverage_state: 'complete', gaps: [] })
    service.clock.set('2026-03-11T02:05:00Z')
    expect(await performance('3d')).toMatchObject({ coverage_state: 'partial', gaps: [] })
    service.clock.set('2026-03-12T00:10:00Z')
    expect(await performance('3d')).toMatchObject({ gaps: [{ from: '2026-03-12', to: '2026-03-12' }] })
  })

  test('around midnight UTC no partial coverage of yesterday turns the new day into a gap either', async () => {
    const intake = await addLiveSource(service, site, 'https_intake')
    const partial = { sender: 'web1', quality: 'partial', reason: 'unreadable_lines' } as const
    await intake.covered('2026-03-01T00:00:00Z', '2026-03-10T23:50:00Z', partial)
    service.clock.set('2026-03-11T00:10:00Z')
    expect(await performance('3d')).toMatchObject({ coverage_state: 'partial', gaps: [] })
    service.clock.set('2026-03-11T01:50:00Z')
    expect(await performance('3d')).toMatchObject({ gaps: [{ from: '2026-03-11', to: '2026-03-11' }] })
  })

  test('a source says its lowest sampling, and a sampled day is partial', async () => {
    const zone = await addLiveSource(service, site, 'cloudflare_zone')
    await zone.covered('2026-03-01T00:00:00Z', '2026-03-09T00:00:00Z', { host: 'example.com' })
    const sampled = { host: 'example.com', quality: 'partial', reason: 'sampled' } as const
    await zone.covered('2026-03-09T00:00:00Z', '2026-03-10T00:00:00Z', { ...sampled, sampling: 0.25 })
    await zone.covered('2026-03-10T00:00:00Z', '2026-03-10T11:00:00Z', { ...sampled, sampling: 0.5 })
    expect(await sources()).toMatchObject([{ sampling: 0.25, completeness: 'partial', http_status_fidelity: 'exact' }])
    expect(await performance()).toMatchObject({ coverage_state: 'partial', gaps: [] })
  })

  test('a zone names its hosts, and one that it does not proxy counts from another source only', async () => {
    const zone = await addLiveSource(service, site, 'cloudflare_zone')
    const { db } = service.installation.control
    await db
      .insertInto('zones')
      .values({
        source_id: zone.row.id,
        zone_id: 'z',
        zone_name: 'example.com',
        sealed_token: null,
        proxied: '["example.com"]',
        unproxied: '["api.example.com"]',
        hostnames_checked_at: Date.parse('2026-03-10T10:00:00Z'),
        not_older_than_ms: 0,
        max_duration_ms: 0,
        max_page_size: 1,
        refused_fields: '[]',
        read_from: 0,
        failed_polls: 0,
        error_code: null,
        last_poll_at: null,
        next_poll_at: 0,
      })
      .execute()
    await zone.covered(...wholeDays('2026-03-08'))
    expect(await sources()).toMatchObject([
      {
        hostname_coverage: {
          proxied: ['example.com'],
          unproxied: ['api.example.com'],
          checked_at: '2026-03-10T10:00:00.000Z',
        },
      },
    ])
    service.clock.advance(1000)
    const intake = await addLiveSource(service, site, 'https_intake')
    await intake.covered(...wholeDays('2026-03-08'), { sender: 'web1' })
    await zone.saw('2026-03-08', 'example.com', 2)
    await intake.saw('2026-03-08', 'example.com', 50)
    await intake.saw('2026-03-08', 'api.example.com', 3)
    expect(await performance()).toMatchObject({ observed_request_count: 5 })
  })

  test('hosts below a wildcard of a zone count from it once, those that have their own names from where these count', async () => {
    const zone = await addLiveSource(service, site, 'cloudflare_zone')
    service.clock.advance(1000)
    const intake = await addLiveSource(service, site, 'https_intake')
    await zone.covered(...wholeDays('2026-03-08'), { host: '*.example.com' })
    await intake.covered(...wholeDays('2026-03-08'), { sender: 'web1' })
    await intake.covered(...wholeDays('2026-03-08'), { sender: 'web1', host: 'api.example.com' })
    await zone.covered(...wholeDays('2026-03-08'), { host: 'api.example.com', quality: 'partial', reason: 'capped' })
    const seen = async (host: string, byZone: number, byIntake: number) => {
      if (byZone > 0) await zone.saw('2026-03-08', host, byZone)
      await intake.saw('2026-03-08', host, byIntake)
    }
    await seen('foo.example.com', 1, 2)
    await seen('api.example.com', 10, 20)
    await seen('example.com', 0, 300)
    expect(await performance()).toMatchObject({ observed_request_count: 321 })
    await service.rebuild()
    expect(await performance()).toMatchObject({ observed_request_count: 321 })
  })

  test('data_through is the earliest of the primaries; a disconnected one keeps its days and delays no other', async () => {
    const intake = await addLiveSource(service, site, 'https_intake')
    await intake.covered(...wholeDays('2026-03-04', '2026-03-06'), { sender: 'web1' })
    await intake.saw('2026-03-05', 'example.com', 3)
    const zone = await addLiveSource(service, site, 'cloudflare_zone')
    await zone.covered('2026-03-07T00:00:00Z', '2026-03-10T11:00:00Z', { host: 'example.com' })
    expect(await performance()).toMatchObject({ data_through: '2026-03-07T00:00:00.000Z' })
    for (const connection_status of ['error', 'revoked'] as const) {
      await intake.set({ connection_status })
      expect(await performance()).toMatchObject({ data_through: '2026-03-07T00:00:00.000Z', observed_request_count: 3 })
    }
    await intake.set({ connection_status: 'disconnected' })
    expect(await performance()).toMatchObject({ data_through: '2026-03-10T11:00:00.000Z', observed_request_count: 3 })
  })
})
