/**
 * Polling a zone against the stand-in: hours, readings that replace, sampling, caps, outages (decisions 3.7, rules 4).
 */
import Type from 'typebox'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#clock.ts'
import type { Meta } from '#contract/meta.ts'
import { readLastRequests } from '#crawlers/last-requests.ts'
import { readPageEvidence } from '#crawlers/page-evidence.ts'
import { updateRegistry } from '#crawlers/registry/adopt-version.ts'
import { builtInDocument } from '#crawlers/registry/built-in.ts'
import { count, rows } from '#evidence/sql.ts'
import { queueInspections } from '#inspections/queue.ts'
import { enforceRetention } from '#retention/enforce-crawler-retention.ts'
import { exportSite } from '#sites/export/export-site.ts'
import { setPrimary } from '#sources/change-source.ts'
import { addIntakeSource } from '#sources/sources.ts'
import { runOperation } from '#surfaces/operator/operations.ts'
import { serviceOfFile } from '../../support/fresh.ts'
import { CLAUDEBOT, GPTBOT, openZoneService, PERSON, type ZoneService } from './zone-service.ts'

const NOW = '2026-03-10T12:06:00Z'
const ALL = 'window=3d&purpose=search,assistant,training,unknown'

let it: ZoneService
const shared = serviceOfFile()
beforeEach(async () => {
  it = await openZoneService(await shared.fresh(NOW))
})
afterEach(() => it.close())

const estimates = rows(Type.Object({ requests: count(), provider_estimate: count() }))`
  SELECT requests, assumeNotNull(provider_estimate) AS provider_estimate FROM spoor.requests`

const counted = async () => (await it.read(`performance?${ALL}`)).observed_request_count

describe('hours of a zone', () => {
  test('the first poll reads what has ended and backfills as far as the provider answers', async () => {
    it.made('2026-03-10T11:10:00Z', 3)
    it.made('2026-03-10T11:20:00Z', 5, { user_agent: PERSON })
    it.made('2026-03-09T01:00:00Z', 2, { user_agent: CLAUDEBOT, path: '/a?secret=1', status: 404 })
    it.made('2026-03-10T12:01:00Z', 7)
    const connected = await it.connect()
    expect(connected).toMatchObject({ connection_status: 'pending', zone_name: 'example.com' })
    expect(await it.pollAll()).toEqual({ zones: 1, hours: 71 })
    expect(await counted()).toBe(5)
    expect(await it.read(`crawlers?${ALL}`)).toMatchObject({
      crawlers: [
        { crawler_id: 'gptbot', observed_request_count: 3, identity: 'ua_identified' },
        { crawler_id: 'claudebot', observed_request_count: 2 },
      ],
    })
    expect(await it.read(`top-pages?${ALL}`)).toMatchObject({
      pages: [
        { host: 'example.com', path: '/' },
        { path: '/a', observed_response_count: 2 },
      ],
    })
    expect(await it.source()).toMatchObject({
      id: connected.source_id,
      source_type: 'cloudflare_zone',
      connection_status: 'live',
      is_primary: true,
      connected_at: '2026-03-10T12:06:00.000Z',
      data_through: '2026-03-10T12:00:00.000Z',
      evidence_from: '2026-03-07',
      http_status_fidelity: 'exact',
    })
    const slices = it.cloudflare.slices()
    expect(slices.slice(0, 2)).toEqual([
      '2026-03-10T11:00:00Z/2026-03-10T12:00:00Z',
      '2026-03-10T10:00:00Z/2026-03-10T11:00:00Z',
    ])
    expect(slices.at(-1)).toBe('2026-03-07T13:00:00Z/2026-03-07T14:00:00Z')
  })

  test('hours that were read again are counted once in the report of a registry update', async () => {
    it.made('2026-03-10T11:10:00Z', 3)
    await it.connect()
    await it.pollAll()
    it.clock.advance(HOUR_MS)
    await it.pollAll()
    expect(await it.storedFacts()).toBe(2)
    const entries = builtInDocument.entries.filter((entry) => entry.crawler_id !== 'gptbot')
    const { changes } = await updateRegistry(
      it.ctx,
      JSON.stringify({ ...builtInDocument, version: '2027-01-01.1', entries }),
    )
    expect(changes).toMatchObject([{ crawler_id: 'gptbot', before: { requests: 3 }, after: null }])
  })

  test('counts from its first evidence, and only afterwards as its owner decides', async () => {
    it.made('2026-03-10T11:10:00Z', 3)
    const { source_id } = await it.connect()
    const choose = (is_primary: boolean) => setPrimary(it.ctx, { source: source_id, is_primary })
    for (const word of [true, false]) {
      await expect(choose(word)).rejects.toMatchObject({ kind: 'conflict' })
    }
    expect(await it.source()).toMatchObject({ is_primary: false })
    await it.pollAll()
    expect(await it.source()).toMatchObject({ is_primary: true })
    await choose(false)
    it.clock.advance(HOUR_MS)
    await it.pollAll()
    expect(await it.source()).toMatchObject({ is_primary: false })
  })

  test('days before the connection are backfill, the day of the connection is not', async () => {
    await it.connect()
    await it.pollAll()
    const intervals = await it.ctx.control.db
      .selectFrom('coverage_intervals')
      .select(['host', 'from_at', 'to_at', 'quality', 'reason', 'sampling', 'is_backfill'])
      .orderBy('from_at')
      .execute()
    const at = (text: string) => Date.parse(text)
    const same = { host: '*', sampling: null }
    expect(intervals).toEqual([
      {
        ...same,
        from_at: at('2026-03-07T13:00:00Z'),
        to_at: at('2026-03-10T00:00:00Z'),
        quality: 'partial',
        reason: 'backfill',
        is_backfill: 1,
      },
      {
        ...same,
        from_at: at('2026-03-10T00:00:00Z'),
        to_at: at('2026-03-10T12:00:00Z'),
        quality: 'complete',
        reason: '',
        is_backfill: 0,
      },
    ])
    expect(await it.read('performance?window=3d')).toMatchObject({
      observed_request_count: 0,
      meta: { coverage_state: 'partial', gaps: [] },
    })
  })

  test('an hour is read five minutes after its end, and the last three again then', async () => {
    await it.connect()
    await it.pollAll()
    it.cloudflare.asked.length = 0
    it.clock.set('2026-03-10T13:04:59Z')
    expect(await it.pollAll()).toEqual({ zones: 0, hours: 0 })
    it.clock.set('2026-03-10T13:05:00Z')
    expect(await it.pollAll()).toEqual({ zones: 1, hours: 3 })
    expect(it.cloudflare.slices()).toEqual([
      '2026-03-10T12:00:00Z/2026-03-10T13:00:00Z',
      '2026-03-10T11:00:00Z/2026-03-10T12:00:00Z',
      '2026-03-10T10:00:00Z/2026-03-10T11:00:00Z',
    ])
    expect(await it.pollAll()).toEqual({ zones: 0, hours: 0 })
  })

  test('a reading replaces the earlier one, when it grows and when it shrinks, from facts and from roll-ups', async () => {
    it.made('2026-03-10T11:10:00Z', 3)
    it.made('2026-03-10T11:20:00Z', 4, { user_agent: CLAUDEBOT, path: '/only-once' })
    await it.connect()
    await it.pollAll()
    expect(await counted()).toBe(7)
    it.made('2026-03-10T11:30:00Z', 6)
    it.clock.advance(HOUR_MS)
    await it.pollAll()
    expect(await counted()).toBe(13)
    it.cloudflare.requests = it.cloudflare.requests.filter((made) => made.user_agent !== CLAUDEBOT).slice(0, 2)
    it.clock.advance(HOUR_MS)
    await it.pollAll()
    expect(await counted()).toBe(2)
    await it.rebuild()
    it.clock.set('2026-03-11T00:06:00Z')
    await it.pollAll()
    await it.rebuild()
    it.clock.set('2026-03-11T00:30:00Z')
    expect(await counted()).toBe(2)
    expect(await it.read(`top-pages?${ALL}`)).toMatchObject({ total_count: 1, pages: [{ path: '/' }] })
  })

  test('an export contains the reading of each request, and which readings count', async () => {
    it.made('2026-03-10T11:10:00Z', 3)
    it.made('2026-03-10T11:20:00Z', 1, { status: 499, path: '/left' })
    await it.connect()
    await it.pollAll()
    it.clock.advance(HOUR_MS)
    await it.pollAll()
    const lines: Record<string, unknown>[] = []
    for await (const line of exportSite(it.ctx, it.site)) lines.push(JSON.parse(line))
    const counting = new Set(lines.flatMap(({ record, reading }) => (record === 'hour_readings' ? [reading] : [])))
    const requests = lines.filter(({ record }) => record === 'requests')
    const counts = requests.filter(({ reading }) => counting.has(reading))
    expect(counts.length).toBeLessThan(requests.length)
    expect(counts.reduce((sum, row) => sum + Number(row.requests), 0)).toBe(await counted())
    expect(counts.find(({ path }) => path === '/left')).toMatchObject({ status: null, status_raw: 499 })
  })

  test('facts of replaced readings are kept for running reads, and deleted ten minutes later', async () => {
    it.made('2026-03-10T11:10:00Z', 3)
    await it.connect()
    await it.pollAll()
    it.clock.advance(HOUR_MS)
    await it.pollAll()
    expect(await it.storedFacts()).toBe(2)
    it.clock.advance(9 * MINUTE_MS)
    expect(await it.clear()).toBe(0)
    it.clock.advance(MINUTE_MS + 1)
    expect(await it.clear()).toBe(2)
    expect(await it.storedFacts()).toBe(1)
    expect(await counted()).toBe(3)
    expect(await it.clear()).toBe(0)
  })

  test('sampled hours count the sampled requests, keep the estimate beside them, and make their day partial', async () => {
    it.made('2026-03-10T11:10:00Z', 40)
    it.cloudflare.sample_intervals['2026-03-10T11:00:00Z'] = 10
    await it.connect()
    await it.pollAll()
    expect(await counted()).toBe(4)
    const [interval] = await it.ctx.control.db
      .selectFrom('coverage_intervals')
      .selectAll()
      .where('is_backfill', '=', 0)
      .execute()
    expect(interval).toMatchObject({ quality: 'partial', reason: 'sampled', sampling: 0.1 })
    expect(await it.ctx.evidence.all(estimates)).toEqual([{ requests: 4, provider_estimate: 40 }])
    it.cloudflare.sample_intervals = {}
    it.clock.advance(HOUR_MS)
    await it.pollAll()
    expect(await counted()).toBe(40)
    const now = await it.ctx.control.db
      .selectFrom('coverage_intervals')
      .selectAll()
      .where('is_backfill', '=', 0)
      .execute()
    expect(now).toMatchObject([{ quality: 'complete', reason: '', sampling: null }])
  })

  test('a capped answer is halved until it fits', async () => {
    it.cloudflare.limits.maxPageSize = 10
    for (let page = 0; page < 30; page++) {
      it.made(new Date(Date.parse('2026-03-10T11:00:00Z') + page * 2 * MINUTE_MS).toISOString(), 1, {
        path: `/${page}`,
      })
    }
    await it.connect()
    await it.pollAll()
    expect(await counted()).toBe(30)
    expect(it.cloudflare.slices().filter((slice) => slice.startsWith('2026-03-10T11'))).toEqual([
      '2026-03-10T11:00:00Z/2026-03-10T12:00:00Z',
      '2026-03-10T11:00:00Z/2026-03-10T11:30:00Z',
      '2026-03-10T11:00:00Z/2026-03-10T11:15:00Z',
      '2026-03-10T11:15:00Z/2026-03-10T11:30:00Z',
      '2026-03-10T11:30:00Z/2026-03-10T12:00:00Z',
      '2026-03-10T11:30:00Z/2026-03-10T11:45:00Z',
      '2026-03-10T11:45:00Z/2026-03-10T12:00:00Z',
    ])
    const intervals = await it.ctx.control.db.selectFrom('coverage_intervals').select('reason').distinct().execute()
    expect(intervals.map(({ reason }) => reason).sort()).toEqual(['', 'backfill'])
  })

  test('a minute that is still capped makes its day partial, and the returned requests count', async () => {
    it.cloudflare.limits.maxPageSize = 10
    for (let page = 0; page < 20; page++) it.made('2026-03-10T11:10:00Z', 1, { path: `/${page}` })
    await it.connect()
    await it.pollAll()
    expect(await counted()).toBe(10)
    const [interval] = await it.ctx.control.db
      .selectFrom('coverage_intervals')
      .selectAll()
      .where('is_backfill', '=', 0)
      .execute()
    expect(interval).toMatchObject({ quality: 'partial', reason: 'capped' })
  })

  test('a provider that answers only short ranges is queried for those', async () => {
    it.cloudflare.limits.maxDuration = 1_800
    it.made('2026-03-10T11:10:00Z', 3)
    await it.connect()
    await it.pollAll()
    expect(await counted()).toBe(3)
    expect(it.cloudflare.slices()[0]).toBe('2026-03-10T11:00:00Z/2026-03-10T11:30:00Z')
  })

  test('requests of Workers do not count as visits', async () => {
    it.made('2026-03-10T11:10:00Z', 3)
    it.made('2026-03-10T11:20:00Z', 3, { source: 'edgeWorkerFetch' })
    await it.connect()
    await it.pollAll()
    expect(await counted()).toBe(3)
  })

  test('an outage is caught up as far as the provider answers; earlier time is still a gap', async () => {
    it.cloudflare.limits.notOlderThan = 86_400
    await it.connect()
    await it.pollAll()
    it.made('2026-03-10T15:00:00Z', 2)
    it.made('2026-03-12T15:00:00Z', 5)
    it.clock.set('2026-03-13T10:06:00Z')
    expect(await it.pollAll()).toMatchObject({ hours: 23 })
    expect(await it.read('performance?window=7d&purpose=training')).toMatchObject({
      observed_request_count: 5,
      meta: {
        coverage_state: 'partial',
        gaps: [
          { from: '2026-03-07', to: '2026-03-08' },
          { from: '2026-03-11', to: '2026-03-11' },
        ],
      },
    })
  })

  test('evidence that is newer than a restored control store is not counted, even if its hours are read again', async () => {
    const { db } = it.ctx.control
    it.made('2026-03-10T11:10:00Z', 3)
    await it.connect()
    await it.pollAll()
    const backup = {
      readings: await db.selectFrom('hour_readings').selectAll().execute(),
      settings: await db.selectFrom('settings').selectAll().execute(),
    }
    it.made('2026-03-10T11:20:00Z', 5)
    it.clock.advance(HOUR_MS)
    await it.pollAll()
    expect(await counted()).toBe(8)
    await db.deleteFrom('hour_readings').execute()
    await db.deleteFrom('retired_builds').execute()
    await db.deleteFrom('settings').where('name', '=', 'last_reading').execute()
    await db.insertInto('hour_readings').values(backup.readings).execute()
    const last = backup.settings.filter(({ name }) => name === 'last_reading')
    await db.insertInto('settings').values(last).execute()
    expect(await counted()).toBe(3)
    it.clock.advance(HOUR_MS)
    await it.pollAll()
    expect(await counted()).toBe(8)
  })

  test('hours beyond the retention are deleted and not read again', async () => {
    await it.ctx.control.db.updateTable('sites').set({ retention_days: 1 }).execute()
    await it.connect()
    await it.pollAll()
    expect(it.cloudflare.slices().at(-1)).toBe('2026-03-09T00:00:00Z/2026-03-09T01:00:00Z')
    it.clock.set('2026-03-11T00:06:00Z')
    expect(await enforceRetention(it.ctx)).toBe(1)
    const [oldest] = await it.ctx.control.db.selectFrom('hour_readings').select('hour').orderBy('hour').execute()
    expect(oldest?.hour).toBe(Date.parse('2026-03-10T00:00:00Z'))
    expect(await it.pollAll()).toEqual({ zones: 1, hours: 12 })
  })
})

describe('questions', () => {
  test('no more than the budget in five minutes; the rest follows when it fits', async () => {
    it.cloudflare.limits.notOlderThan = 31 * 86_400
    await it.connect()
    const before = it.cloudflare.asked.length
    await it.pollAll()
    expect(it.cloudflare.asked.length - before).toBeLessThanOrEqual(250)
    expect(await it.source()).toMatchObject({ connection_status: 'live' })
    expect(await it.poll()).toMatchObject({ zones: 0 })
    it.clock.advance(5 * MINUTE_MS)
    await it.pollAll()
    it.clock.advance(5 * MINUTE_MS)
    await it.pollAll()
    const hours = await it.ctx.control.db.selectFrom('hour_readings').selectAll().execute()
    expect(hours.length).toBe(31 * 24 - 1)
  })

  test('fields that the plan refuses are requested once and then left out', async () => {
    it.cloudflare.refused_fields = ['clientRequestPath', 'edgeResponseStatus', 'verifiedBotCategory', 'confidence']
    it.cloudflare.sample_intervals['2026-03-10T11:00:00Z'] = 4
    it.made('2026-03-10T11:10:00Z', 8, { path: '/a' })
    await it.connect()
    await it.pollAll()
    expect(await counted()).toBe(2)
    expect(await it.read(`top-pages?${ALL}`)).toMatchObject({
      pages: [{ path: ':unknown', path_fidelity: 'redacted', observed_response_count: 0 }],
    })
    expect(await it.source()).toMatchObject({ connection_status: 'live', http_status_fidelity: 'unavailable' })
    expect(JSON.parse((await it.zone()).refused_fields as string).sort()).toEqual([
      'clientRequestPath',
      'edgeResponseStatus',
      'sampleSize',
      'verifiedBotCategory',
    ])
    const asked = it.cloudflare.slices().filter((slice) => slice.startsWith('2026-03-10T11'))
    expect(asked).toHaveLength(5)
    it.clock.advance(DAY_MS)
    it.cloudflare.asked.length = 0
    await it.pollAll()
    expect(it.cloudflare.asked.some(({ body }) => body.includes('clientRequestPath'))).toBe(false)
  })

  test('without paths, a zone proves of no page that crawlers did not request it', async () => {
    const days = { from: '2026-03-08', to: '2026-03-10' }
    const evidence = async () =>
      (await readPageEvidence({ ...it.ctx, site: it.site }, days, [[{ host: 'example.com', path: '/b' }]]))[0]
    const last = () => readLastRequests({ ...it.ctx, site: it.site }, { host: 'example.com', path: '/b' })
    it.cloudflare.refused_fields = ['clientRequestPath']
    it.made('2026-03-10T11:10:00Z', 8, { path: '/a' })
    await it.connect()
    await it.pollAll()
    expect(await counted()).toBe(8)
    expect(await evidence()).toMatchObject({ coverage_state: 'partial', observed_request_count: null })
    expect(await last()).toBeNull()
  })

  test('without paths, a zone promises none, and is compared exactly with no source that has them', async () => {
    const { operator } = it.installation
    it.cloudflare.refused_fields = ['clientRequestPath']
    await it.connect()
    await it.pollAll()
    const { token } = await addIntakeSource(operator, { site_id: it.site.id, name: 'web' })
    it.clock.set('2026-03-11T00:06:00Z')
    await it.pollAll()
    const body = { type: 'heartbeat', covered_from: '2026-03-10T00:00:00Z', covered_to: '2026-03-11T00:05:00Z' }
    await it.ask('/intake/logs', { method: 'POST', key: token.secret, body })
    await runOperation(operator, 'gate.set', { site: 'example.com', gate: 'crawler_authority_v2', is_open: true })
    const authority = async () => ((await it.read(`performance?${ALL}`)).meta as Meta).authority
    const opened = await authority()
    expect(opened?.hosts).toMatchObject([
      { hostname: 'example.com', provider: 'cloudflare', path_fidelity: 'unavailable' },
    ])
    expect(opened?.shadow_diagnostics.filter(({ day }) => day === '2026-03-10')).toMatchObject([
      { shadow_provider: 'https_intake', comparable: false, reason: 'fidelity_differs', delta: null },
    ])
    it.cloudflare.refused_fields = []
    await it.connect()
    it.clock.advance(HOUR_MS)
    await it.pollAll()
    expect((await authority())?.hosts.map(({ path_fidelity }) => path_fidelity)).toEqual(['unavailable', 'exact'])
  })

  test('the provider’s verdict proves who it is; a verified bot without a token of the registry is kept, unlabelled', async () => {
    it.made('2026-03-10T11:10:00Z', 2, { user_agent: PERSON, category: 'AI Assistant' })
    it.made('2026-03-10T11:20:00Z', 2, { category: 'AI Crawler' })
    it.made('2026-03-10T11:30:00Z', 2)
    await it.connect()
    await it.pollAll()
    expect(await it.storedFacts()).toBe(3)
    expect(await counted()).toBe(4)
    expect(await it.read(`crawlers?${ALL}`)).toMatchObject({
      crawlers: [
        {
          crawler_id: 'gptbot',
          identity: 'ua_identified',
          identities: { ua_identified: 2, provider_verified: 2, network_verified: 0, unknown: 0 },
        },
      ],
    })
  })

  test('requests of own inspections are left out, and marked ones with other ids belong to no crawler', async () => {
    const asked = { site_id: it.site.id, host: 'example.com', path: '/', crawler_id: 'gptbot', issue_id: null }
    const { db } = it.ctx.control
    const [own] = await queueInspections(db, [{ ...asked, reason: 'baseline' }], it.clock.now())
    const id = (own as { id: string }).id
    await db
      .updateTable('inspections')
      .set({ started_at: Date.parse('2026-03-10T10:59:59Z') })
      .execute()
    it.made('2026-03-10T11:00:01Z', 2, { user_agent: `${GPTBOT} SpoorInspector/1 (${id})` })
    it.made('2026-03-10T11:00:09Z', 3, { user_agent: `${GPTBOT} SpoorInspector/1 (${id.replace(/^./, 'x')})` })
    it.made('2026-03-10T11:00:19Z', 5, { user_agent: GPTBOT })
    await it.connect()
    await it.pollAll()
    expect(await counted()).toBe(5)
    expect(await it.storedFacts()).toBe(2)
  })

  test('hosts of other sites of the zone are left out', async () => {
    it.cloudflare.zone.name = 'example.com'
    it.made('2026-03-10T11:10:00Z', 2, { host: 'WWW.example.com' })
    it.made('2026-03-10T11:20:00Z', 2, { host: 'elsewhere.net' })
    it.made('2026-03-10T11:30:00Z', 2, { host: '192.0.2.7' })
    await it.connect()
    await it.pollAll()
    expect(await it.read(`top-pages?${ALL}`)).toMatchObject({
      total_count: 2,
      pages: [{ host: 'example.com' }, { host: 'www.example.com' }],
    })
  })
})
