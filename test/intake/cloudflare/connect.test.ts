/** Connecting a zone: the token, the zone, its hostnames, and what is refused (decisions 3.7). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, instantText } from '#clock.ts'
import { openAuthority } from '#crawlers/authority/open-authority.ts'
import { setPrimary } from '#sources/change-source.ts'
import { disconnectSource, reconnectSource } from '#sources/disconnect-source.ts'
import { listSources } from '#sources/sources.ts'
import { serviceOfFile } from '../../support/fresh.ts'
import { beforeInsert, EVERY_PURPOSE, openZoneService, type ZoneService } from './zone-service.ts'

const NOW = '2026-03-10T12:06:00Z'

let it: ZoneService
const shared = serviceOfFile()
beforeEach(async () => {
  it = await openZoneService(await shared.fresh(NOW))
})
afterEach(() => it.close())

const disconnect = (id: string) => disconnectSource(it.ctx, id)
const nothing = async () => {
  expect(await it.ctx.control.db.selectFrom('sources').selectAll().execute()).toEqual([])
  expect(await it.ctx.control.db.selectFrom('zones').selectAll().execute()).toEqual([])
}
const hosts = async () => {
  const rows = await it.ctx.control.db
    .selectFrom('coverage_intervals')
    .select('host')
    .distinct()
    .orderBy('host')
    .execute()
  return rows.map(({ host }) => host)
}
/** The time for which a host is covered, ascending. */
const covered = async (host: string) => {
  const rows = await it.ctx.control.db
    .selectFrom('coverage_intervals')
    .select(['from_at', 'to_at'])
    .where('host', '=', host)
    .orderBy('from_at')
    .execute()
  return rows.map(({ from_at, to_at }) => `${instantText(from_at)}/${instantText(to_at)}`)
}

describe('connecting', () => {
  test('leaves a pending source and no token that can be read', async () => {
    const { token } = it.cloudflare
    const connected = await it.connect({ token: ` ${token}\n` })
    expect(connected).toMatchObject({
      connection_status: 'pending',
      zone_id: it.cloudflare.zone.id,
      zone_name: 'example.com',
    })
    expect(await it.source()).toMatchObject({ connection_status: 'pending', is_primary: false, data_through: null })
    expect(await it.read('performance')).toMatchObject({
      observed_request_count: null,
      meta: { coverage_state: 'unknown' },
    })
    await it.pollAll()
    expect(readFileSync(join(it.folder, 'control.sqlite'), 'latin1')).not.toContain(token)
    expect(JSON.stringify(await it.zone())).not.toContain(token)
    expect(it.cloudflare.asked.every(({ path, body }) => !path.includes(token) && !body.includes(token))).toBe(true)
  })

  test('finds the zone by name, by id, and above a site that is a subdomain', async () => {
    expect(await it.connect({ named: 'Example.com' })).toMatchObject({ zone_name: 'example.com' })
    const again = await it.connect({ named: it.cloudflare.zone.id })
    expect(await it.ctx.control.db.selectFrom('sources').select('id').execute()).toEqual([{ id: again.source_id }])
    const site = await it.addSite('shop.example.com')
    const { connectZone } = await import('#intake/cloudflare/connect.ts')
    expect(await connectZone(it.ctx, { site, token: it.cloudflare.token })).toMatchObject({ zone_name: 'example.com' })
  })

  test.each([
    ['a zone of another name', () => it.connect({ named: 'example.org' }), /does not see a zone named example\.org/],
    ['what is not a token', () => it.connect({ token: 'curl -H "Authorization: Bearer …"' }), /not an API token/],
    ['an unknown token', () => it.connect({ token: 'another-token-00000000000000000' }), /unknown to Cloudflare/],
  ])('refuses %s and leaves nothing', async (_what, connect, message) => {
    await expect(connect()).rejects.toMatchObject({ kind: 'invalid_input', message: expect.stringMatching(message) })
    await nothing()
  })

  test('refuses a zone that is not the site’s, named by its id', async () => {
    it.cloudflare.zone.name = 'elsewhere.net'
    await expect(it.connect({ named: it.cloudflare.zone.id })).rejects.toMatchObject({
      kind: 'invalid_input',
      message: expect.stringMatching(/elsewhere\.net is not that of example\.com/),
    })
    await nothing()
  })

  test.each(['disabled', 'expired'] as const)('refuses a %s token', async (status) => {
    it.cloudflare.token_status = status
    await expect(it.connect()).rejects.toMatchObject({ message: expect.stringMatching(status) })
    await nothing()
  })

  test('refuses a token that cannot read analytics, and says which permission it lacks', async () => {
    it.cloudflare.limits.enabled = false
    await expect(it.connect()).rejects.toMatchObject({
      kind: 'invalid_input',
      message: expect.stringMatching(/Zone Analytics Read/),
    })
    it.cloudflare.limits.enabled = true
    it.cloudflare.faults = ['unauthorized_zone']
    await expect(it.connect()).rejects.toMatchObject({ message: expect.stringMatching(/Zone Analytics Read/) })
    await nothing()
  })

  test.each(['server_error', 'no_json', 'other_shape', 'partial_data', 'hangs_up', 'quota'] as const)(
    'a provider in trouble (%s) is not the owner’s fault',
    async (fault) => {
      it.cloudflare.faults = [fault]
      await expect(it.connect()).rejects.toMatchObject({
        kind: 'reader_unavailable',
        message: expect.stringMatching(/Nothing was connected/),
      })
      await nothing()
    },
  )
})

describe('hostnames', () => {
  test('coverage belongs to the proxied names; unproxied ones are distinguished', async () => {
    it.cloudflare.records = [
      { name: 'example.com', type: 'A', proxied: true },
      { name: 'www.example.com', type: 'CNAME', proxied: true },
      { name: 'mail.example.com', type: 'A', proxied: false },
      { name: 'Shop.example.com', type: 'A', proxied: false },
      { name: 'shop.example.com', type: 'AAAA', proxied: true },
      { name: 'example.com', type: 'MX' },
      { name: 'txt.example.com', type: 'TXT' },
      { name: '*.app.example.com', type: 'A', proxied: true },
    ]
    const connected = await it.connect()
    const proxied = ['*.app.example.com', 'example.com', 'shop.example.com', 'www.example.com']
    expect(connected.hostnames).toEqual({ proxied, unproxied: ['mail.example.com'] })
    expect(it.cloudflare.asked.filter(({ path }) => path.includes('dns_records'))).toHaveLength(3)
    await it.pollAll()
    expect(await hosts()).toEqual(proxied)
    expect(await it.zone()).toMatchObject({
      proxied: JSON.stringify(proxied),
      unproxied: '["mail.example.com"]',
      hostnames_checked_at: Date.parse(NOW),
    })
  })

  test('without the permission the names are unknown, and coverage includes every host', async () => {
    it.cloudflare.may_read_dns = false
    const connected = await it.connect()
    expect(connected.hostnames).toBeNull()
    await it.pollAll()
    expect(await hosts()).toEqual(['*'])
    expect(await it.zone()).toMatchObject({ proxied: null, unproxied: null, hostnames_checked_at: null })
    expect(await it.source()).toMatchObject({ connection_status: 'live', hostname_coverage: {} })
  })

  test('a zone without proxied names covers no host, so that none of its days counts as zero', async () => {
    it.cloudflare.records = [{ name: 'example.com', type: 'A', proxied: false }]
    await it.connect()
    await it.pollAll()
    expect(await hosts()).toEqual([])
    expect(await it.read('performance')).toMatchObject({ observed_request_count: null })
  })

  test('a name that is listed later was covered all the time, unless it went past Cloudflare before', async () => {
    it.cloudflare.records = [
      { name: 'example.com', type: 'A', proxied: true },
      { name: 'moved.example.com', type: 'A', proxied: false },
    ]
    await it.connect()
    await it.pollAll()
    it.cloudflare.records[1] = { name: 'moved.example.com', type: 'A', proxied: true }
    it.cloudflare.records.push({ name: 'new.example.com', type: 'A', proxied: true })
    it.clock.advance(DAY_MS + HOUR_MS)
    await it.pollAll()
    expect(await covered('new.example.com')).toEqual(await covered('example.com'))
    expect(await covered('moved.example.com')).toEqual([])
    // Hours that began before the records were read at 13:06 may have gone past Cloudflare.
    it.clock.advance(2 * HOUR_MS)
    await it.pollAll()
    expect(await covered('moved.example.com')).toEqual(['2026-03-11T14:00:00.000Z/2026-03-11T15:00:00.000Z'])
    it.clock.advance(DAY_MS)
    await it.pollAll()
    expect(await covered('moved.example.com')).toEqual(['2026-03-11T14:00:00.000Z/2026-03-12T15:00:00.000Z'])
  })

  test('a name that went past Cloudflare before is not covered for earlier hours that are read late', async () => {
    it.cloudflare.records = [
      { name: 'example.com', type: 'A', proxied: true },
      { name: 'moved.example.com', type: 'A', proxied: false },
    ]
    it.cloudflare.hour_faults['2026-03-10T11:00:00Z'] = 'no_json'
    await it.connect()
    await it.pollAll()
    it.cloudflare.records[1] = { name: 'moved.example.com', type: 'A', proxied: true }
    for (const hour of ['13', '15']) {
      it.clock.set(`2026-03-11T${hour}:06:00Z`)
      await it.pollAll()
    }
    it.cloudflare.hour_faults = {}
    it.clock.advance(DAY_MS)
    await it.pollAll()
    expect((await covered('example.com')).at(-1)).toBe('2026-03-10T00:00:00.000Z/2026-03-12T15:00:00.000Z')
    expect(await covered('moved.example.com')).toEqual(['2026-03-11T14:00:00.000Z/2026-03-12T15:00:00.000Z'])
  })

  test('a name that goes past Cloudflare keeps the hours that were covered, and their requests count', async () => {
    it.cloudflare.records = [
      { name: 'example.com', type: 'A', proxied: true },
      { name: 'www.example.com', type: 'A', proxied: true },
    ]
    it.made('2026-03-10T11:10:00Z', 2, { host: 'www.example.com' })
    it.made('2026-03-11T05:10:00Z', 3, { host: 'www.example.com' })
    await it.connect()
    await it.pollAll()
    it.clock.set('2026-03-11T11:06:00Z')
    await it.pollAll()
    await openAuthority({ ...it.ctx, site: it.site })
    const before = await it.read(`performance?window=3d&${EVERY_PURPOSE}`)
    expect(before).toMatchObject({ observed_request_count: 5 })
    it.cloudflare.records[1] = { name: 'www.example.com', type: 'A', proxied: false }
    it.clock.set('2026-03-11T12:06:00Z')
    await it.pollAll()
    expect(await covered('www.example.com')).toEqual([
      '2026-03-07T13:00:00.000Z/2026-03-10T00:00:00.000Z',
      '2026-03-10T00:00:00.000Z/2026-03-11T11:00:00.000Z',
    ])
    expect(await it.read(`performance?window=3d&${EVERY_PURPOSE}`)).toMatchObject({ observed_request_count: 5 })
    it.clock.set('2026-03-11T13:06:00Z')
    await it.pollAll()
    expect((await covered('www.example.com')).at(-1)).toMatch(/2026-03-11T11:00:00\.000Z$/)
    it.cloudflare.records[1] = { name: 'www.example.com', type: 'A', proxied: true }
    for (const hour of ['12', '14']) {
      it.clock.set(`2026-03-12T${hour}:06:00Z`)
      await it.pollAll()
    }
    const back = '2026-03-12T13:00:00.000Z/2026-03-12T14:00:00.000Z'
    expect((await covered('www.example.com')).slice(-2)).toEqual([expect.stringMatching(/03-11T11:00:00\.000Z$/), back])
  })

  test('a deleted name is covered until its last day ends, also where hours of the next day are read first', async () => {
    it.cloudflare.records = [
      { name: 'example.com', type: 'A', proxied: true },
      { name: 'old.example.com', type: 'A', proxied: true },
    ]
    await it.connect()
    await it.pollAll()
    it.cloudflare.records.pop()
    it.clock.advance(DAY_MS)
    await it.pollAll()
    expect((await covered('old.example.com')).at(-1)).toBe('2026-03-10T00:00:00.000Z/2026-03-11T00:00:00.000Z')
  })

  test('a deleted name needs no coverage, and an unproxied one does', async () => {
    it.cloudflare.records = [
      { name: 'example.com', type: 'A', proxied: true },
      { name: 'old.example.com', type: 'A', proxied: true },
    ]
    await it.connect()
    await it.pollAll()
    it.clock.advance(DAY_MS)
    await it.pollAll()
    it.cloudflare.records.pop()
    for (let day = 0; day < 3; day++) {
      it.clock.advance(DAY_MS)
      await it.pollAll()
    }
    expect(await hosts()).toEqual(['example.com', 'old.example.com'])
    expect(await it.read('performance?window=3d')).toMatchObject({ meta: { coverage_state: 'complete' } })
    it.cloudflare.records.push({ name: 'old.example.com', type: 'A', proxied: false })
    it.clock.advance(DAY_MS)
    await it.pollAll()
    expect(await it.read('performance?window=3d')).toMatchObject({ meta: { coverage_state: 'partial' } })
  })

  test('become known with a token that may read them: coverage of every host becomes theirs', async () => {
    it.cloudflare.may_read_dns = false
    it.cloudflare.records = [{ name: 'example.com', type: 'A', proxied: true }]
    await it.connect()
    await it.pollAll()
    it.cloudflare.may_read_dns = true
    await it.connect()
    expect(await hosts()).toEqual(['example.com'])
    it.cloudflare.may_read_dns = false
    await it.connect()
    await it.pollAll()
    expect(await hosts()).toEqual(['example.com'])
    expect(await it.zone()).toMatchObject({ proxied: '["example.com"]' })
  })

  test('become known on a later day, when the same token may read them by then', async () => {
    it.cloudflare.may_read_dns = false
    it.cloudflare.records = [{ name: 'example.com', type: 'A', proxied: true }]
    await it.connect()
    await it.pollAll()
    it.cloudflare.may_read_dns = true
    it.clock.advance(HOUR_MS)
    await it.pollAll()
    expect(await hosts()).toEqual(['*'])
    it.clock.advance(DAY_MS)
    await it.pollAll()
    expect(await hosts()).toEqual(['example.com'])
    expect(await it.zone()).toMatchObject({ proxied: '["example.com"]', hostnames_checked_at: it.clock.now() })
  })

  test('are read again once a day; if that fails, the previous ones remain', async () => {
    it.cloudflare.records = [{ name: 'example.com', type: 'A', proxied: true }]
    await it.connect()
    await it.pollAll()
    it.cloudflare.records.push({ name: 'new.example.com', type: 'A', proxied: true })
    it.clock.advance(HOUR_MS)
    await it.pollAll()
    expect(await hosts()).toEqual(['example.com'])
    it.clock.advance(DAY_MS)
    it.cloudflare.may_read_dns = false
    await it.pollAll()
    expect(await it.zone()).toMatchObject({ proxied: '["example.com"]', hostnames_checked_at: Date.parse(NOW) })
    it.cloudflare.may_read_dns = true
    it.clock.advance(HOUR_MS)
    await it.pollAll()
    expect(await hosts()).toEqual(['example.com', 'new.example.com'])
    expect(await it.zone()).toMatchObject({ proxied: '["example.com","new.example.com"]' })
  })
})

describe('decisions of the owner', () => {
  test('a zone that the owner does not count is still not counted when it continues', async () => {
    const { source_id } = await it.connect()
    await it.pollAll()
    await setPrimary(it.ctx, { source: source_id, is_primary: false })
    it.clock.advance(HOUR_MS)
    await it.pollAll()
    expect(await it.source()).toMatchObject({ connection_status: 'live', is_primary: false })
  })

  test('the list of sources says why the last poll failed', async () => {
    await it.connect()
    it.cloudflare.faults = ['quota']
    await it.poll()
    expect(await listSources(it.ctx, it.site.id)).toMatchObject([{ name: 'example.com', error_code: 'rate_limited' }])
  })
})

describe('disconnecting', () => {
  test('deletes the token at once; a new connection continues the same source and leaves the time between as a gap', async () => {
    it.made('2026-03-10T11:10:00Z', 3)
    it.made('2026-03-11T11:10:00Z', 5)
    it.made('2026-03-12T11:10:00Z', 7)
    const { source_id } = await it.connect()
    await it.pollAll()
    await disconnect(source_id)
    expect(await it.source()).toMatchObject({ id: source_id, connection_status: 'disconnected' })
    expect(await it.zone()).toMatchObject({ sealed_token: null })
    it.clock.set('2026-03-12T12:30:00Z')
    expect(await it.pollAll()).toEqual({ zones: 0, hours: 0 })
    expect(await it.read(`performance?window=3d&${EVERY_PURPOSE}`)).toMatchObject({ observed_request_count: 3 })
    expect((await it.connect()).source_id).toBe(source_id)
    expect(await it.source()).toMatchObject({ connection_status: 'pending' })
    await it.pollAll()
    expect(await it.source()).toMatchObject({ id: source_id, connection_status: 'live' })
    expect(await it.read(`performance?window=3d&${EVERY_PURPOSE}`)).toMatchObject({
      observed_request_count: 10,
      meta: { gaps: [{ from: '2026-03-11', to: '2026-03-11' }] },
    })
  })

  test('during a poll, the rest of the poll does not count', async () => {
    const { source_id } = await it.connect()
    it.made('2026-03-10T11:10:00Z', 3)
    it.ctx.evidence = beforeInsert(it.ctx.evidence, async (table) => {
      if (table === 'requests') await disconnect(source_id)
    })
    await it.poll()
    expect(await it.source()).toMatchObject({ connection_status: 'disconnected', data_through: null })
    expect(await it.ctx.control.db.selectFrom('hour_readings').selectAll().execute()).toEqual([])
    expect(await it.storedFacts()).toBe(1)
    it.clock.advance(HOUR_MS)
    await it.clear()
    expect(await it.storedFacts()).toBe(0)
  })

  test('a zone is reconnected only by its token', async () => {
    const { source_id } = await it.connect()
    await disconnect(source_id)
    await disconnect('example.com')
    await expect(reconnectSource(it.ctx, source_id)).rejects.toMatchObject({
      kind: 'conflict',
      next: { step: 'source.connect' },
    })
    expect(await it.source()).toMatchObject({ connection_status: 'disconnected' })
  })
})
