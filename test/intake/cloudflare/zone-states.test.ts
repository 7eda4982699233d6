/** How a zone fails and comes back, and what a crash leaves (rules 3: the table of sources). */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '#clock.ts'
import { recoverDeliveries } from '#intake/import/recover-broken-deliveries.ts'
import type { Fault } from '../../support/cloudflare-stand-in.ts'
import { serviceOfFile } from '../../support/fresh.ts'
import { beforeInsert, EVERY_PURPOSE, openZoneService, type ZoneService } from './zone-service.ts'

const NOW = '2026-03-10T12:06:00Z'

let it: ZoneService
const shared = serviceOfFile()
beforeEach(async () => {
  it = await openZoneService(await shared.fresh(NOW))
  it.cloudflare.limits.notOlderThan = 86_400
  it.cloudflare.limits.maxPageSize = 100
})
afterEach(() => it.close())

const failing = (fault: Fault) => {
  it.cloudflare.faults = Array(200).fill(fault)
}
const counted = async () => (await it.read(`performance?window=3d&${EVERY_PURPOSE}`)).observed_request_count

describe('failing polls', () => {
  test.each([
    ['server_error', 'provider_error'],
    ['no_json', 'bad_answer'],
    ['other_shape', 'bad_answer'],
    ['partial_data', 'provider_error'],
    ['hangs_up', 'unreachable'],
    ['never_answers', 'unreachable'],
    ['quota', 'rate_limited'],
    ['too_many_requests', 'rate_limited'],
    ['forbidden', 'not_permitted'],
    ['unauthorized_zone', 'not_permitted'],
  ] as [Fault, string][])(
    '%s three times in a row shows the error %s; the next good poll ends it',
    async (fault, code) => {
      await it.connect()
      await it.pollAll()
      it.clock.advance(HOUR_MS)
      it.made('2026-03-10T12:10:00Z', 4)
      failing(fault)
      // What never answers need not be waited for.
      const poll = () => it.poll(fault === 'never_answers' ? 200 : undefined)
      for (const failed_polls of [1, 2]) {
        expect(await poll()).toEqual({ zones: 1, hours: 0 })
        expect(await it.zone()).toMatchObject({ failed_polls, error_code: code })
        expect(await it.source()).toMatchObject({ connection_status: 'live' })
        expect(await it.poll()).toMatchObject({ zones: 0 })
        it.clock.advance(10 * MINUTE_MS)
      }
      await poll()
      expect(await it.source()).toMatchObject({ connection_status: 'error', is_primary: true })
      it.cloudflare.faults = []
      it.clock.advance(30 * MINUTE_MS)
      await it.poll()
      expect(await it.source()).toMatchObject({ connection_status: 'live' })
      expect(await it.zone()).toMatchObject({ failed_polls: 0, error_code: null })
      expect(await counted()).toBe(4)
    },
  )

  test('the doctor lists the zones that fail, with the code, and those whose token is refused', async () => {
    await it.connect()
    failing('quota')
    for (let poll = 0; poll < 3; poll++) {
      await it.poll()
      it.clock.advance(5 * MINUTE_MS)
    }
    const found = async () => (await it.installation.operator.checkHealth()).map(({ code, message }) => [code, message])
    expect(await found()).toContainEqual(['zone_failing', 'example.com (rate_limited).'])
    expect((await found()).map(([code]) => code)).not.toContain('source_broken')
    it.cloudflare.faults = []
    it.cloudflare.token_status = 'disabled'
    await it.poll()
    expect(await found()).toContainEqual(['zone_revoked', 'example.com.'])
  })

  test('Retry-After is waited for', async () => {
    await it.connect()
    it.cloudflare.faults = ['too_many_requests']
    await it.poll()
    it.clock.advance(119_000)
    expect(await it.poll()).toMatchObject({ zones: 0 })
    it.clock.advance(1_000)
    expect(await it.poll()).toMatchObject({ zones: 1, hours: 23 })
  })

  test('a pending zone that never had a good poll shows the error too', async () => {
    await it.connect()
    failing('server_error')
    for (let poll = 0; poll < 3; poll++) {
      await it.poll()
      it.clock.advance(30 * MINUTE_MS)
    }
    expect(await it.source()).toMatchObject({ connection_status: 'error', is_primary: false, data_through: null })
    expect(await counted()).toBeNull()
  })

  test('a single hour of the backfill that fails is still a gap and fails no poll', async () => {
    it.cloudflare.hour_faults['2026-03-10T03:00:00Z'] = 'no_json'
    await it.connect()
    expect(await it.pollAll()).toEqual({ zones: 1, hours: 22 })
    expect(await it.source()).toMatchObject({ connection_status: 'live' })
    delete it.cloudflare.hour_faults['2026-03-10T03:00:00Z']
    it.clock.advance(HOUR_MS)
    expect(await it.pollAll()).toEqual({ zones: 1, hours: 4 })
  })

  test('if the last hour alone fails, the poll fails, and the other hours count', async () => {
    it.made('2026-03-10T10:10:00Z', 2)
    it.cloudflare.hour_faults['2026-03-10T11:00:00Z'] = 'no_json'
    await it.connect()
    expect(await it.poll()).toMatchObject({ hours: 22 })
    expect(await it.source()).toMatchObject({ connection_status: 'pending', data_through: '2026-03-10T11:00:00.000Z' })
    expect(await it.zone()).toMatchObject({ failed_polls: 1, error_code: 'bad_answer' })
    expect(await counted()).toBe(2)
  })

  test('a token encrypted with another secret key is an error, and the provider is not asked', async () => {
    await it.connect()
    await it.ctx.control.db.updateTable('zones').set({ sealed_token: 'v1.damaged' }).execute()
    const asked = it.cloudflare.asked.length
    await it.poll()
    expect(await it.zone()).toMatchObject({ failed_polls: 1, error_code: 'token_unreadable' })
    expect(it.cloudflare.asked).toHaveLength(asked)
  })
})

describe('a rejected token', () => {
  test.each(['unknown', 'disabled', 'expired'] as const)(
    '(%s) revokes the source; a new one continues it',
    async (status) => {
      const { source_id } = await it.connect()
      await it.pollAll()
      it.clock.advance(HOUR_MS)
      it.made('2026-03-10T12:10:00Z', 4)
      it.cloudflare.token_status = status
      await it.poll()
      expect(await it.source()).toMatchObject({ id: source_id, connection_status: 'revoked', is_primary: true })
      expect(await it.zone()).toMatchObject({ sealed_token: null, error_code: 'token_rejected' })
      it.clock.advance(HOUR_MS)
      expect(await it.poll()).toEqual({ zones: 0, hours: 0 })
      it.cloudflare.token_status = 'active'
      it.cloudflare.token = 'made-up-token-of-a-stand-in-000000000002'
      expect((await it.connect()).source_id).toBe(source_id)
      expect(await it.source()).toMatchObject({ id: source_id, connection_status: 'pending' })
      await it.pollAll()
      expect(await it.source()).toMatchObject({ id: source_id, connection_status: 'live' })
      expect(await it.read(`performance?window=3d&${EVERY_PURPOSE}`)).toMatchObject({
        observed_request_count: 4,
        meta: { gaps: [{ from: '2026-03-08', to: '2026-03-08' }] },
      })
    },
  )
})

describe('stops and crashes', () => {
  test('a stop keeps the hours that were read, and the rest is read when the service runs again', async () => {
    await it.connect()
    const stop = new AbortController()
    const { pollZones } = await import('#intake/cloudflare/poll-zones.ts')
    it.made('2026-03-10T11:10:00Z', 1)
    const stopping = { ...it.ctx, evidence: beforeInsert(it.ctx.evidence, () => stop.abort()) }
    expect(await pollZones(stopping, stop.signal)).toEqual({ zones: 1, hours: 12 })
    expect(await pollZones(it.ctx, stop.signal)).toEqual({ zones: 0, hours: 0 })
    expect(await it.poll()).toEqual({ zones: 1, hours: 11 })
    expect(await it.source()).toMatchObject({ connection_status: 'live' })
  })

  test('a crash between facts and coverage: the facts never count, the hours are read again, nothing is doubled', async () => {
    it.made('2026-03-10T11:10:00Z', 3)
    await it.connect()
    await it.pollAll()
    it.made('2026-03-10T12:10:00Z', 4)
    it.clock.advance(HOUR_MS)
    const { control } = it.ctx
    let isInserted = false
    const dying = {
      ...it.ctx,
      evidence: beforeInsert(it.ctx.evidence, () => {
        isInserted = true
      }),
      control: {
        ...control,
        transaction: ((work) =>
          isInserted ? Promise.reject(new Error('killed')) : control.transaction(work)) as typeof control.transaction,
      },
    }
    const { pollZones } = await import('#intake/cloudflare/poll-zones.ts')
    await expect(pollZones(dying, new AbortController().signal)).rejects.toThrow('1 zones could not be stored')
    expect(await it.storedFacts()).toBe(3)
    expect(await counted()).toBe(3)
    expect(await recoverDeliveries(it.ctx)).toBe(1)
    expect(await it.source()).toMatchObject({ connection_status: 'live', data_through: '2026-03-10T12:00:00.000Z' })
    await it.rebuild()
    expect(await counted()).toBe(3)
    expect(await it.poll()).toEqual({ zones: 1, hours: 3 })
    expect(await counted()).toBe(7)
    await it.rebuild()
    it.clock.advance(11 * MINUTE_MS)
    await it.clear()
    expect(await it.storedFacts()).toBe(2)
    expect(await counted()).toBe(7)
    expect(
      await control.db.selectFrom('retired_builds').selectAll().where('kind', '=', 'zone_readings').execute(),
    ).toEqual([])
  })

  test('a site that is removed during a poll is erased again', async () => {
    it.made('2026-03-10T11:10:00Z', 3)
    await it.connect()
    const { control } = it.ctx
    const { removeSite } = await import('#sites/sites.ts')
    it.ctx.evidence = beforeInsert(it.ctx.evidence, async (table) => {
      if (table !== 'requests') return
      const { account_id, id: site_id } = it.site
      await removeSite({ control, clock: it.clock }, { account_id, site_id })
      await control.db.updateTable('removed_sites').set({ evidence_deleted_at: 1 }).execute()
    })
    await it.poll()
    const removed = await control.db.selectFrom('removed_sites').select('evidence_deleted_at').execute()
    expect(removed).toEqual([{ evidence_deleted_at: null }])
  })
})
