import { beforeEach, describe, expect, test } from 'vitest'
import type { CrawlerAuthority, Meta } from '#contract/meta.ts'
import { assignAuthority } from '#crawlers/authority/assign-hosts.ts'
import { interruptAuthority, resumeAuthority } from '#crawlers/authority/disconnect-interruptions.ts'
import { removeCoveredDays } from '#crawlers/coverage/record-coverage.ts'
import { history } from '#demo/history.ts'
import type { Site } from '#sites/site.ts'
import { disconnectSource, reconnectSource } from '#sources/disconnect-source.ts'
import { runOperation } from '#surfaces/operator/operations.ts'
import { serviceOfFile } from '../support/fresh.ts'
import { addLiveSource, type LiveSource, wholeDays } from '../support/live-evidence.ts'
import type { TestService } from '../support/service.ts'

const WWW = 'www.example.com'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

let service: TestService
let site: Site

const shared = serviceOfFile()
beforeEach(async () => {
  service = await shared.fresh('2026-03-10T12:00:00Z')
  site = await service.addSite('example.com')
  await service.createKey()
})

const text = async (operation: string) => {
  const answer = await service.ask(`/v1/sites/example.com/${operation}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.text
}
const read = async (operation: string) => JSON.parse(await text(operation))
const setGate = (is_open: boolean) =>
  runOperation(service.installation.operator, 'gate.set', {
    site: 'example.com',
    gate: 'crawler_authority_v2',
    is_open,
  })
const assign = (source: LiveSource, from: string, hostname = WWW) =>
  assignAuthority(service.installation.operator, { site, hostname, source: source.row.id, from })
const performance = async (window = '7d') => {
  const { observed_request_count, meta } = await read(`performance?window=${window}`)
  const { coverage_state, gaps, data_through, authority } = meta as Meta
  return { observed_request_count, coverage_state, gaps, data_through, authority: authority as CrawlerAuthority }
}

/** A zone and an intake that both covered www: the intake was first, and they count differently. */
async function twoSources() {
  const intake = await addLiveSource(service, site, 'https_intake')
  service.clock.advance(1_000)
  const zone = await addLiveSource(service, site, 'cloudflare_zone')
  await intake.covered('2026-03-01T00:00:00Z', '2026-03-10T11:00:00Z', { sender: 'web1' })
  await zone.covered('2026-03-03T00:00:00Z', '2026-03-10T11:00:00Z', { host: WWW })
  for (const day of ['2026-03-05', '2026-03-08']) {
    await intake.saw(day, WWW, 4)
    await zone.saw(day, WWW, 6)
  }
  await zone.saw('2026-03-09', WWW, 1)
  return { intake, zone }
}

describe('the gate crawler_authority_v2 (rules 5, spec 9)', () => {
  test('opening and closing it reverts exactly: the same four answers, byte for byte', async () => {
    const { zone } = await twoSources()
    const all = async () => {
      const names = ['performance?window=30d', 'crawlers?window=90d', 'top-pages?window=7d', 'sources']
      return (await Promise.all(names.map(text))).map((answer) => answer.replace(/"as_of":"[^"]*"/, ''))
    }
    const before = await all()
    await setGate(true)
    await assign(zone, '2026-03-04')
    const open = await all()
    for (const answer of open) expect(answer).toContain('"authority":{"metric":"observed_request_count"')
    expect(open[0]).not.toEqual(before[0])
    service.clock.advance(60_000)
    await setGate(false)
    expect(await all()).toEqual(before)
    for (const answer of before) expect(answer).not.toContain('authority')
  })

  test('opening assigns each host to its counting source from its first covered day, and loses no day that counted', async () => {
    const { intake, zone } = await twoSources()
    const before = await performance('30d')
    const opened = await setGate(true)
    expect(opened.assigned).toMatchObject([
      { hostname: WWW, effective_day: '2026-03-01', source_id: intake.row.id, provider: 'https_intake' },
    ])
    expect(await performance('30d')).toMatchObject({ ...before, authority: expect.anything() })
    await setGate(false)
    // Opening it again keeps what the owner has decided meanwhile.
    await assign(zone, '2026-03-01')
    expect((await setGate(true)).assigned).toEqual([])
    expect(await performance()).toMatchObject({ observed_request_count: 13 })
  })

  test('a host that different sources counted keeps each for its days', async () => {
    const intake = await addLiveSource(service, site, 'https_intake')
    await intake.covered(...wholeDays('2026-03-01', '2026-03-05'), { sender: 'web1' })
    await intake.saw('2026-03-02', WWW, 4)
    const zone = await addLiveSource(service, site, 'cloudflare_zone')
    await zone.covered('2026-03-07T00:00:00Z', '2026-03-10T11:00:00Z', { host: WWW })
    await zone.saw('2026-03-08', WWW, 6)
    const before = await performance('30d')
    expect((await setGate(true)).assigned).toMatchObject([
      { effective_day: '2026-03-01', source_id: intake.row.id },
      { effective_day: '2026-03-07', source_id: zone.row.id },
    ])
    // A source that counts only past days does not delay others.
    const data_through = '2026-03-10T11:00:00.000Z'
    expect(await performance('30d')).toMatchObject({ ...before, data_through, authority: expect.anything() })
    expect(before).toMatchObject({ observed_request_count: 10 })
  })

  test('a later day that only another source saw is a gap once the gate is open', async () => {
    const zone = await addLiveSource(service, site, 'cloudflare_zone')
    await zone.covered(...wholeDays('2026-03-02', '2026-03-03'), { host: WWW })
    await zone.covered('2026-03-07T00:00:00Z', '2026-03-10T11:00:00Z', { host: WWW })
    await zone.saw('2026-03-08', WWW, 6)
    const intake = await addLiveSource(service, site, 'https_intake')
    await intake.covered(...wholeDays('2026-03-05', '2026-03-05'), { sender: 'web1', host: WWW })
    await intake.saw('2026-03-05', WWW, 4)
    expect(await performance()).toMatchObject({ observed_request_count: 10 })
    expect((await setGate(true)).assigned).toMatchObject([{ effective_day: '2026-03-02', source_id: zone.row.id }])
    expect(await performance()).toMatchObject({
      observed_request_count: 6,
      gaps: [{ from: '2026-03-04', to: '2026-03-06' }],
    })
    await assign(intake, '2026-03-05')
    await assign(zone, '2026-03-06')
    expect(await performance()).toMatchObject({ observed_request_count: 10 })
  })

  test('is off by default, and other gates are refused', async () => {
    const { operator } = service.installation
    const { gates } = await runOperation(operator, 'gate.list', { site: 'example.com' })
    expect(gates.slice(0, 2)).toMatchObject([
      { name: 'crawler_authority_v2', is_open: false, changed_at: null },
      { name: 'analytics_overview_v2', is_open: false, changed_at: null },
    ])
    const set = (gate: string) => runOperation(operator, 'gate.set', { site: 'example.com', gate, is_open: true })
    await expect(set('nonsense')).rejects.toThrow(/^There is no gate "nonsense": give one of crawler_authority_v2/)
  })
})

describe('counting by assignment (decisions 3.8)', () => {
  test('totals count each host and day from its assigned revision only', async () => {
    const { intake, zone } = await twoSources()
    await setGate(true)
    expect(await performance()).toMatchObject({ observed_request_count: 8, coverage_state: 'complete' })
    await assign(zone, '2026-03-07')
    expect(await performance()).toMatchObject({ observed_request_count: 4 + 6 + 1 })
    const pages = await read('top-pages?window=7d')
    expect(pages).toMatchObject({ total_count: 1, pages: [{ host: WWW, observed_request_count: 11 }] })
    await service.rebuild()
    const { authority, observed_request_count } = await performance()
    expect(observed_request_count).toBe(11)
    expect(authority).toMatchObject({
      metric: 'observed_request_count',
      evidence_state: 'complete',
      available_from: '2026-03-01T00:00:00.000Z',
    })
    expect(authority.hosts).toEqual([
      {
        hostname: WWW,
        metric: 'observed_request_count',
        authority_state: 'assigned',
        contract_revision_id: expect.stringMatching(UUID),
        source_connection_id: intake.row.id,
        provider: 'https_intake',
        adapter: 'https_intake',
        interval_start: '2026-03-04T00:00:00.000Z',
        interval_end: '2026-03-07T00:00:00.000Z',
        effective_boundary: '2026-03-01T00:00:00.000Z',
        available_from: '2026-03-01T00:00:00.000Z',
        evidence_state: 'complete',
        sampling: null,
        path_fidelity: 'exact',
        status_fidelity: 'exact',
        limitation: null,
        coverage_limitations: [],
        disconnect: null,
      },
      expect.objectContaining({
        source_connection_id: zone.row.id,
        provider: 'cloudflare',
        interval_start: '2026-03-07T00:00:00.000Z',
        interval_end: '2026-03-11T00:00:00.000Z',
        effective_boundary: '2026-03-07T00:00:00.000Z',
        limitation: expect.stringContaining('Cloudflare'),
      }),
    ])
  })

  test('a later decision for an earlier day also applies to later days; of two for the same day, the newer one counts', async () => {
    const { intake, zone } = await twoSources()
    await setGate(true)
    await assign(zone, '2026-03-07')
    await assign(zone, '2026-03-04')
    await assign(intake, '2026-03-04')
    const { assignments } = await runOperation(service.installation.operator, 'authority.list', {
      site: 'example.com',
    })
    expect(assignments.map((row) => [row.effective_day, row.source_id])).toEqual([
      ['2026-03-01', intake.row.id],
      ['2026-03-04', intake.row.id],
    ])
    expect(await performance()).toMatchObject({ observed_request_count: 8 })
  })

  test('hosts, days and sources that are none are refused', async () => {
    const { zone } = await twoSources()
    const ask = (asked: Partial<{ hostname: string; source: string; from: string }>) =>
      assignAuthority(service.installation.operator, {
        site,
        hostname: WWW,
        source: zone.row.id,
        from: '2026-03-01',
        ...asked,
      })
    await expect(ask({ hostname: 'www.example.org' })).rejects.toThrow(/does not belong to example.com/)
    await expect(ask({ hostname: 'no host' })).rejects.toThrow(/"no host" is not a host name/)
    await expect(ask({ from: '2026-02-30' })).rejects.toThrow(/^--from "2026-02-30" is not a day/)
    await expect(ask({ from: '2062-03-01' })).rejects.toThrow(/lies in the future: give 2026-03-11, which is tomorrow/)
    expect(await ask({ from: '2026-03-11' })).toMatchObject({ effective_day: '2026-03-11' })
    await expect(ask({ source: 'log_upload' })).rejects.toThrow(/has no source log_upload: give one of these ids/)
    expect(await ask({ source: 'cloudflare_zone' })).toMatchObject({ revision: { source_id: zone.row.id } })
  })

  test('a host with evidence and no assignment is listed unknown, not counted, and keeps zero from being proven', async () => {
    const { intake } = await twoSources()
    await setGate(true)
    await intake.saw('2026-03-09', 'new.example.com', 5)
    const { authority, ...reported } = await performance()
    expect(reported).toMatchObject({ observed_request_count: 8, coverage_state: 'partial', gaps: [] })
    expect(authority.evidence_state).toBe('partial')
    expect(authority.hosts.find((host) => host.hostname === 'new.example.com')).toEqual({
      hostname: 'new.example.com',
      metric: 'observed_request_count',
      authority_state: 'unknown',
      contract_revision_id: null,
      source_connection_id: null,
      provider: null,
      adapter: null,
      interval_start: '2026-03-04T00:00:00.000Z',
      interval_end: '2026-03-11T00:00:00.000Z',
      effective_boundary: null,
      available_from: null,
      evidence_state: 'unknown',
      sampling: null,
      path_fidelity: null,
      status_fidelity: null,
      limitation: null,
      coverage_limitations: [],
      disconnect: null,
    })
    expect(
      authority.shadow_diagnostics.find((row) => row.hostname === 'new.example.com' && row.day === '2026-03-09'),
    ).toMatchObject({
      authority_contract_revision_id: null,
      authority_provider: null,
      authority_coverage_state: 'unknown',
      eligible: false,
      comparable: false,
      reason: 'no_authority',
      authority_count: null,
      shadow_count: 5,
      delta: null,
    })
    expect((await read('performance?window=7d&purpose=training')).observed_request_count).toBeNull()
    await assign(intake, '2026-03-01', 'new.example.com')
    expect(await performance()).toMatchObject({ observed_request_count: 13, coverage_state: 'complete' })
    expect((await read('performance?window=7d&purpose=training')).observed_request_count).toBe(0)
  })

  test('a site without any assignment counts nothing: unknown, not zero', async () => {
    await setGate(true)
    expect(await performance()).toMatchObject({
      observed_request_count: null,
      coverage_state: 'unknown',
      gaps: [],
      data_through: null,
      authority: { evidence_state: 'unknown', available_from: null, hosts: [], shadow_diagnostics: [] },
    })
    const intake = await addLiveSource(service, site, 'https_intake')
    await intake.covered('2026-03-01T00:00:00Z', '2026-03-10T11:00:00Z', { sender: 'web1' })
    await intake.saw('2026-03-09', WWW, 5)
    expect(await performance()).toMatchObject({
      observed_request_count: null,
      coverage_state: 'unknown',
      gaps: [{ from: '2026-03-04', to: '2026-03-10' }],
      authority: { evidence_state: 'unknown', hosts: [{ hostname: WWW, authority_state: 'unknown' }] },
    })
  })
})

describe('a computed zero (spec 2.2, rules 2)', () => {
  const zero = async () => {
    const { observed_request_count, meta } = await read('performance?window=7d&purpose=training')
    const { total_count, returned_count, truncated } = await read('top-pages?window=7d&purpose=training')
    expect({ returned_count, truncated }).toEqual({ returned_count: 0, truncated: false })
    expect(total_count).toBe(observed_request_count)
    return { observed_request_count, coverage_state: meta.coverage_state }
  }

  test('is a zero when every assigned host and day is complete', async () => {
    await twoSources()
    await setGate(true)
    expect(await zero()).toEqual({ observed_request_count: 0, coverage_state: 'complete' })
  })

  test.each([
    ['sampled', { quality: 'partial', reason: 'sampled', sampling: 0.5 }],
    ['capped', { quality: 'partial', reason: 'capped' }],
    ['the history of the provider', { quality: 'partial', reason: 'backfill', is_backfill: 1 }],
  ] as const)('is null when a day is %s', async (_, options) => {
    const zone = await addLiveSource(service, site, 'cloudflare_zone')
    await zone.covered(...wholeDays('2026-03-01', '2026-03-07'), { host: WWW })
    await zone.covered(...wholeDays('2026-03-08'), { host: WWW, ...options })
    await zone.covered('2026-03-09T00:00:00Z', '2026-03-10T11:00:00Z', { host: WWW })
    expect(await zero()).toEqual({ observed_request_count: 0, coverage_state: 'partial' })
    await setGate(true)
    expect(await zero()).toEqual({ observed_request_count: null, coverage_state: 'partial' })
    const { authority } = await performance()
    expect(authority.hosts).toMatchObject([{ evidence_state: 'partial', coverage_limitations: [options.reason] }])
  })

  test('is null when a day is a gap, and a sum above zero is still a number', async () => {
    const zone = await addLiveSource(service, site, 'cloudflare_zone')
    await zone.covered(...wholeDays('2026-03-01', '2026-03-07'), { host: WWW })
    await zone.covered('2026-03-09T00:00:00Z', '2026-03-10T11:00:00Z', { host: WWW })
    await zone.saw('2026-03-09', WWW, 2)
    await setGate(true)
    expect(await zero()).toEqual({ observed_request_count: null, coverage_state: 'partial' })
    expect(await performance()).toMatchObject({
      observed_request_count: 2,
      gaps: [{ from: '2026-03-08', to: '2026-03-08' }],
      authority: { evidence_state: 'gap', hosts: [{ coverage_limitations: ['gap'] }] },
    })
  })
})

describe('disconnecting an assigned source (rules 5)', () => {
  const change = async (source: LiveSource, at: string, connection_status: 'disconnected' | 'live') => {
    service.clock.set(at)
    const instant = service.clock.now()
    const work = connection_status === 'live' ? resumeAuthority : interruptAuthority
    const done = await service.installation.control.transaction((tx) => work(tx, source.row, instant))
    await source.set({ connection_status })
    return done
  }

  test('opens an interruption: the days after it are gaps, until the first full day after reconnection', async () => {
    const zone = await addLiveSource(service, site, 'cloudflare_zone')
    await zone.covered('2026-03-01T00:00:00Z', '2026-03-10T11:00:00Z', { host: WWW })
    await zone.saw('2026-03-09', WWW, 2)
    await setGate(true)
    const opened = await change(zone, '2026-03-10T12:00:00Z', 'disconnected')
    expect(await change(zone, '2026-03-10T13:00:00Z', 'disconnected')).toEqual(opened)
    // The day of the disconnection still counts, and the answer says already when the gaps begin.
    expect(await performance()).toMatchObject({
      observed_request_count: 2,
      authority: {
        hosts: [
          {
            evidence_state: 'unavailable',
            coverage_limitations: [],
            disconnect: {
              interruption_id: opened?.id,
              disconnected_at: '2026-03-10T12:00:00.000Z',
              effective_at: '2026-03-11T00:00:00.000Z',
            },
          },
        ],
      },
    })
    service.clock.set('2026-03-12T12:00:00Z')
    const { authority, ...reported } = await performance()
    expect(reported).toMatchObject({
      coverage_state: 'partial',
      observed_request_count: 2,
      data_through: null,
      gaps: [{ from: '2026-03-11', to: '2026-03-12' }],
    })
    expect(authority).toMatchObject({
      evidence_state: 'unavailable',
      hosts: [
        {
          evidence_state: 'unavailable',
          coverage_limitations: ['disconnected', 'gap'],
          disconnect: {
            interruption_id: opened?.id,
            disconnected_at: '2026-03-10T12:00:00.000Z',
            effective_at: '2026-03-11T00:00:00.000Z',
          },
        },
      ],
    })
    await change(zone, '2026-03-12T15:00:00Z', 'live')
    // Even what it covered on the rest of that day does not count: the first full day does.
    await zone.covered('2026-03-12T15:00:00Z', '2026-03-14T11:00:00Z', { host: WWW })
    await zone.saw('2026-03-12', WWW, 30)
    await zone.saw('2026-03-13', WWW, 5)
    service.clock.set('2026-03-14T12:00:00Z')
    expect(await performance()).toMatchObject({
      observed_request_count: 7,
      gaps: [{ from: '2026-03-11', to: '2026-03-12' }],
      authority: { evidence_state: 'gap', hosts: [{ disconnect: { interruption_id: opened?.id } }] },
    })
    expect(await performance('3d')).toMatchObject({ gaps: [{ from: '2026-03-12', to: '2026-03-12' }] })
    service.clock.set('2026-03-15T00:30:00Z')
    await zone.covered('2026-03-14T11:00:00Z', '2026-03-15T00:10:00Z', { host: WWW })
    const after = await performance('3d')
    expect(after).toMatchObject({ coverage_state: 'complete', observed_request_count: 5 })
    expect(after.authority.hosts).toMatchObject([{ disconnect: null, coverage_limitations: [] }])
    await setGate(false)
    expect(await performance()).toMatchObject({ observed_request_count: 37 })
  })

  test('and back on the same day is not an interruption of any day', async () => {
    const { intake } = await twoSources()
    await setGate(true)
    await change(intake, '2026-03-10T12:10:00Z', 'disconnected')
    expect(await change(intake, '2026-03-10T12:40:00Z', 'live')).toMatchObject({
      effective_at: Date.parse('2026-03-11T00:00:00Z'),
      ends_at: Date.parse('2026-03-11T00:00:00Z'),
    })
    const { authority, gaps } = await performance()
    expect(gaps).toEqual([])
    expect(authority.hosts).toMatchObject([{ disconnect: null }])
    expect(await change(intake, '2026-03-10T12:50:00Z', 'live')).toBeNull()
  })

  test('is an interruption even if the source is assigned after it', async () => {
    const { intake } = await twoSources()
    await change(intake, '2026-03-10T12:10:00Z', 'disconnected')
    const { operator } = service.installation
    expect(await runOperation(operator, 'authority.list', { site: 'example.com' })).toMatchObject({ interruptions: [] })
    await setGate(true)
    const disconnect = { disconnected_at: '2026-03-10T12:10:00.000Z', effective_at: '2026-03-11T00:00:00.000Z' }
    expect((await performance()).authority.hosts).toMatchObject([{ evidence_state: 'unavailable', disconnect }])
    expect((await read('sources')).authority.hosts).toMatchObject([{ disconnect }])
    await change(intake, '2026-03-12T09:00:00Z', 'live')
    await intake.covered('2026-03-10T11:00:00Z', '2026-03-13T23:59:59.999Z', { sender: 'web1' })
    service.clock.set('2026-03-14T00:10:00Z')
    expect(await performance('7d')).toMatchObject({ gaps: [{ from: '2026-03-11', to: '2026-03-12' }] })
  })

  test('is none where the source is back before it is assigned: no day that counted is lost', async () => {
    const { intake } = await twoSources()
    await change(intake, '2026-03-10T12:10:00Z', 'disconnected')
    expect(await change(intake, '2026-03-12T09:00:00Z', 'live')).toBeNull()
    await intake.covered('2026-03-10T11:00:00Z', '2026-03-13T23:59:59.999Z', { sender: 'web1' })
    service.clock.set('2026-03-14T00:10:00Z')
    await setGate(true)
    const { gaps, authority } = await performance('7d')
    expect(gaps).toEqual([])
    expect(authority.hosts).toMatchObject([{ disconnect: null }])
  })

  test('ends with its reconnection even if something else has made it live', async () => {
    const { zone } = await twoSources()
    await assign(zone, '2026-03-03')
    const { operator } = service.installation
    await disconnectSource(operator, zone.row.id)
    await zone.set({ connection_status: 'live' })
    await reconnectSource(operator, zone.row.id)
    const [interruption] = await operator.control.db.selectFrom('authority_interruptions').selectAll().execute()
    expect(interruption).toMatchObject({ ends_at: Date.parse('2026-03-11T00:00:00Z') })
  })

  test('at midnight exactly, the day that begins is full', async () => {
    const { intake } = await twoSources()
    await setGate(true)
    await change(intake, '2026-03-10T23:59:59.999Z', 'disconnected')
    expect(await change(intake, '2026-03-12T00:00:00Z', 'live')).toMatchObject({
      effective_at: Date.parse('2026-03-11T00:00:00Z'),
      ends_at: Date.parse('2026-03-12T00:00:00Z'),
    })
  })

  test('a source that nothing is assigned to has no interruption', async () => {
    const { zone } = await twoSources()
    await setGate(true)
    await change(zone, '2026-03-10T12:00:00Z', 'disconnected')
    const { operator } = service.installation
    expect(await runOperation(operator, 'authority.list', { site: 'example.com' })).toMatchObject({ interruptions: [] })
    expect(await change(zone, '2026-03-12T12:00:00Z', 'live')).toBeNull()
  })
})

describe('what a source promises (decisions 3.8)', () => {
  test('a new promise is a new revision, to which the host is assigned; the old one does not change', async () => {
    const zone = await addLiveSource(service, site, 'cloudflare_zone', { has_statuses: 0 })
    await zone.covered(...wholeDays('2026-03-01', '2026-03-05'), { host: WWW })
    await setGate(true)
    const { db } = service.installation.control
    const first = await db.selectFrom('contract_revisions').selectAll().execute()
    await zone.covered(...wholeDays('2026-03-06'), { host: WWW })
    expect(await db.selectFrom('contract_revisions').selectAll().execute()).toEqual(first)
    const sampled = { host: WWW, quality: 'partial', reason: 'sampled' } as const
    await zone.covered(...wholeDays('2026-03-07'), { ...sampled, sampling: 0.2 })
    await zone.covered(...wholeDays('2026-03-08'), { ...sampled, sampling: 0.5 })
    await zone.set({ has_statuses: 1 })
    await zone.covered(...wholeDays('2026-03-09'), { host: WWW })
    const { authority } = await performance('30d')
    expect(authority.hosts).toMatchObject([
      {
        effective_boundary: '2026-03-01T00:00:00.000Z',
        sampling: null,
        status_fidelity: 'unavailable',
        evidence_state: 'complete',
      },
      {
        effective_boundary: '2026-03-07T00:00:00.000Z',
        sampling: 0.2,
        status_fidelity: 'unavailable',
        evidence_state: 'partial',
      },
      {
        effective_boundary: '2026-03-09T00:00:00.000Z',
        sampling: 0.2,
        status_fidelity: 'exact',
        evidence_state: 'stale',
      },
    ])
    expect(new Set(authority.hosts.map((host) => host.contract_revision_id)).size).toBe(3)
    expect(
      await db
        .selectFrom('contract_revisions')
        .selectAll()
        .where('id', '=', first[0]?.id ?? '')
        .execute(),
    ).toEqual(first)
  })
})

describe('promises while days are written again', () => {
  test('of a host below a wildcard is what its source promises for the wildcard', async () => {
    const zone = await addLiveSource(service, site, 'cloudflare_zone')
    const sampled = { host: '*.example.com', quality: 'partial', reason: 'sampled' } as const
    await zone.covered('2026-03-01T00:00:00Z', '2026-03-10T10:00:00Z', { ...sampled, sampling: 0.25 })
    await zone.saw('2026-03-08', WWW, 5)
    await setGate(true)
    expect((await performance()).authority.hosts).toMatchObject([{ hostname: WWW, sampling: 0.25 }])
    await zone.covered('2026-03-10T10:00:00Z', '2026-03-10T11:00:00Z', { ...sampled, sampling: 0.1 })
    expect((await performance()).authority.hosts).toMatchObject([
      { sampling: 0.25, interval_end: '2026-03-10T00:00:00.000Z' },
      { sampling: 0.1, interval_start: '2026-03-10T00:00:00.000Z' },
    ])
  })

  test('are limited by partial coverage, until a later delivery completes the day', async () => {
    const intake = await addLiveSource(service, site, 'https_intake')
    await intake.saw('2026-03-06', WWW, 2)
    await intake.covered('2026-03-01T00:00:00Z', '2026-03-05T00:00:00Z')
    await intake.covered('2026-03-05T00:00:00Z', '2026-03-07T00:00:00Z', { quality: 'partial', reason: 'unfinished' })
    await intake.covered('2026-03-07T00:00:00Z', '2026-03-10T11:30:00Z')
    await setGate(true)
    const limits = async () => (await performance()).authority.hosts.map((host) => host.coverage_limitations)
    expect(await limits()).toEqual([['unfinished']])
    await intake.covered('2026-03-05T00:00:00Z', '2026-03-06T00:00:00Z')
    expect(await limits()).toEqual([['unfinished']])
    await intake.covered('2026-03-06T00:00:00Z', '2026-03-07T00:00:00Z')
    expect(await limits()).toEqual([[]])
  })

  test('do not change: a sampled day that is deleted and read again changes no assignment', async () => {
    const zone = await addLiveSource(service, site, 'cloudflare_zone')
    await zone.covered(...wholeDays('2026-03-06', '2026-03-08'), { host: WWW })
    await setGate(true)
    const sampled = { host: WWW, quality: 'partial', reason: 'sampled', sampling: 0.5 } as const
    await zone.covered(...wholeDays('2026-03-09'), sampled)
    const { db } = service.installation.control
    const rows = () => db.selectFrom('authority_assignments').selectAll().orderBy('id').execute()
    const before = await rows()
    expect(before).toHaveLength(2)
    await service.installation.control.transaction((tx) => removeCoveredDays(tx, zone.row.id, new Set(['2026-03-09'])))
    await zone.covered(...wholeDays('2026-03-09'), { host: WWW })
    await zone.covered(...wholeDays('2026-03-08'), { host: 'other.example.com' })
    expect(await rows()).toEqual(before)
  })
})

describe('shadows (spec 2.4)', () => {
  test('are compared exactly where both covered a whole day, and never touch a total', async () => {
    const { zone } = await twoSources()
    await setGate(true)
    await assign(zone, '2026-03-03')
    const { authority, observed_request_count } = await performance()
    expect(observed_request_count).toBe(13)
    expect(authority.shadow_diagnostics.map((row) => row.day)).toEqual([
      ...['2026-03-04', '2026-03-05', '2026-03-06', '2026-03-07', '2026-03-08', '2026-03-09', '2026-03-10'],
    ])
    const of = (day: string) => authority.shadow_diagnostics.find((row) => row.day === day)
    expect(of('2026-03-05')).toEqual({
      hostname: WWW,
      metric: 'observed_request_count',
      day: '2026-03-05',
      authority_contract_revision_id: authority.hosts[0]?.contract_revision_id,
      shadow_contract_revision_id: expect.stringMatching(UUID),
      authority_provider: 'cloudflare',
      shadow_provider: 'https_intake',
      interval_start: '2026-03-05T00:00:00.000Z',
      interval_end: '2026-03-06T00:00:00.000Z',
      authority_coverage_state: 'complete',
      shadow_coverage_state: 'complete',
      eligible: true,
      comparable: true,
      exact_equal: false,
      reason: null,
      authority_count: 6,
      shadow_count: 4,
      delta: -2,
    })
    expect(of('2026-03-06')).toMatchObject({
      comparable: true,
      exact_equal: true,
      authority_count: 0,
      shadow_count: 0,
      delta: 0,
    })
    expect(of('2026-03-10')).toMatchObject({
      eligible: true,
      comparable: false,
      reason: 'coverage_incomplete',
      delta: null,
      exact_equal: null,
    })
    // The shadow's revision is what an assignment to it would say.
    const made = await assignAuthority(service.installation.operator, {
      site,
      hostname: WWW,
      source: 'https_intake',
      from: '2026-03-10',
    })
    expect(of('2026-03-05')?.shadow_contract_revision_id).toBe(made.revision.id)
  })

  test('ignore the purpose filter', async () => {
    const { intake, zone } = await twoSources()
    await intake.saw('2026-03-09', WWW, 9, { crawler: 'gptbot' })
    await zone.saw('2026-03-09', WWW, 9, { crawler: 'gptbot' })
    await setGate(true)
    const { meta } = await read('performance?window=7d&purpose=search')
    const row = meta.authority.shadow_diagnostics.find((one: { day: string }) => one.day === '2026-03-09')
    expect(row).toMatchObject({ authority_count: 9, shadow_count: 10, delta: 1 })
  })

  test('name why a day cannot be compared', async () => {
    const { intake, zone } = await twoSources()
    await zone.covered(...wholeDays('2026-03-02'), { host: WWW, quality: 'partial', reason: 'sampled', sampling: 0.1 })
    await zone.covered('2026-03-01T05:00:00Z', '2026-03-01T06:00:00Z', { host: WWW })
    await zone.saw('2026-03-02', WWW, 1)
    await setGate(true)
    const { authority } = await performance('30d')
    const of = (day: string) => authority.shadow_diagnostics.find((row) => row.day === day)
    expect(of('2026-03-02')).toMatchObject({
      eligible: true,
      comparable: false,
      reason: 'sampled',
      shadow_count: 1,
      delta: null,
    })
    expect(of('2026-03-01')).toMatchObject({
      eligible: true,
      comparable: false,
      reason: 'coverage_incomplete',
      // No source covered the whole day, so no observed request does not mean zero.
      shadow_coverage_state: 'partial',
      shadow_count: null,
      authority_count: 0,
    })
    await service.installation.control.transaction((tx) =>
      interruptAuthority(tx, intake.row, Date.parse('2026-03-07T10:00:00Z')),
    )
    const gap = (await performance()).authority.shadow_diagnostics.find((row) => row.day === '2026-03-08')
    expect(gap).toMatchObject({
      eligible: false,
      comparable: false,
      reason: 'coverage_incomplete',
      authority_coverage_state: 'gap',
      authority_count: null,
      shadow_count: 6,
      delta: null,
    })
  })

  test('reach back 31 days at most', async () => {
    const intake = await addLiveSource(service, site, 'https_intake')
    const zone = await addLiveSource(service, site, 'cloudflare_zone', { connected_at: service.clock.now() + 1 })
    await intake.covered('2026-01-01T00:00:00Z', '2026-03-10T11:00:00Z', { sender: 'web1' })
    await zone.covered('2026-01-01T00:00:00Z', '2026-03-10T11:00:00Z', { host: WWW })
    await setGate(true)
    const { authority } = await performance('90d')
    expect(authority.shadow_diagnostics).toHaveLength(31)
    expect(authority.shadow_diagnostics[0]?.day).toBe('2026-02-08')
    expect((await performance('7d')).authority.shadow_diagnostics).toHaveLength(7)
    const listed = await read('sources')
    expect(listed.authority.shadow_diagnostics).toHaveLength(30)
    expect(listed.authority.hosts).toMatchObject([{ interval_start: '2026-02-09T00:00:00.000Z' }])
  })
})

describe('uploads under authority', () => {
  test('named servers count together, and the root domain represents a site whose logs show no crawler', async () => {
    const log = history()
    for (const day of ['2026-03-04', '2026-03-05']) log.on(day).humans()
    await service.importText(site, log)
    expect((await setGate(true)).assigned).toMatchObject([{ hostname: 'example.com', effective_day: '2026-03-04' }])
    const { authority } = await performance()
    expect(authority.hosts).toMatchObject([
      { hostname: 'example.com', provider: 'log_upload', evidence_state: 'stale' },
    ])
    expect(await performance()).toMatchObject({ observed_request_count: null, coverage_state: 'partial' })
    const web1 = await addLiveSource(service, site, 'log_upload', { name: 'web1' })
    const web2 = await addLiveSource(service, site, 'log_upload', { name: 'web2' })
    for (const server of [web1, web2]) {
      await server.covered(...wholeDays('2026-03-01', '2026-03-09'))
      await server.saw('2026-03-08', 'example.com', 2)
    }
    await assign(web2, '2026-03-01', 'example.com')
    expect(await performance()).toMatchObject({
      observed_request_count: 4,
      gaps: [{ from: '2026-03-10', to: '2026-03-10' }],
      authority: { hosts: [{ limitation: expect.stringContaining('count together') }] },
    })
  })
})
