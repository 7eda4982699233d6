import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hashSecret } from '#accounts/bearer-secret.ts'
import { createTrackerKey, listTrackerKeys, revokeTrackerKey } from '#tracker/keys/keys.ts'
import { orderKeyContext } from '#tracker/keys/order-key.ts'
import { disableTracker, enableTracker, readTracker, snippetOf } from '#tracker/keys/trackers.ts'
import { readTrackerSettings, setPrivacyFloor } from '#tracker/privacy-settings.ts'
import { openDefinitions, refusal, refusalWith, type TestDefinitions } from '../../support/definitions.ts'

let t: TestDefinitions
let site_id: string
beforeEach(async () => {
  t = await openDefinitions()
  site_id = t.site.id
})
afterEach(() => t.opened.remove())

const enable = () => enableTracker(t.ctx, { site_id })
const disable = () => disableTracker(t.ctx, { site_id })
const create = (kind: 'public' | 'server') => createTrackerKey(t.ctx, { site_id, kind })
const pauses = () => t.ctx.control.db.selectFrom('tracker_pauses').select(['from_at', 'to_at']).execute()

describe('the tracker of a site (rules 6)', () => {
  test('is enabled with a public id that is not a secret and a sealed key for order ids', async () => {
    await expect(readTracker(t.ctx, { site_id })).rejects.toMatchObject(refusalWith('not_found', 'tracker.enable'))
    await expect(create('server')).rejects.toMatchObject(refusal('conflict', /enable it first/))
    const tracker = await enable()
    expect(tracker).toMatchObject({ enabled_at: t.ctx.clock.now(), disabled_at: null, first_event_at: null })
    expect(tracker.public_id).toMatch(/^spoor_pub_[\w-]{43}$/)
    const row = await t.ctx.control.db.selectFrom('tracker_keys').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({
      kind: 'public',
      prefix: tracker.public_id,
      secret_sha256: hashSecret(String(tracker.public_id)),
    })
    const { sealed_order_key } = await t.ctx.control.db.selectFrom('trackers').selectAll().executeTakeFirstOrThrow()
    expect(t.ctx.secrets.open(sealed_order_key, orderKeyContext(site_id))).toMatch(/^[0-9a-f]{64}$/)
    expect(await enable()).toEqual(tracker)
    expect(snippetOf('https://spoor.example', 'spoor_pub_x')).toBe(
      '<script defer src="https://spoor.example/spoor.js?site=spoor_pub_x" data-site="spoor_pub_x"></script>',
    )
    const kept = await t.ctx.control.db.selectFrom('trackers').select('sealed_order_key').executeTakeFirstOrThrow()
    expect(kept.sealed_order_key).toBe(sealed_order_key)
  })

  test('is enabled once by two at the same time', async () => {
    const [one, two] = await Promise.all([enable(), enableTracker({ ...t.ctx, ...(await t.another()) }, { site_id })])
    expect(one).toEqual(two)
    expect(await listTrackerKeys(t.ctx.control.db, site_id)).toHaveLength(1)
  })

  test('is switched off and on again: the time between is a pause', async () => {
    await expect(disable()).rejects.toMatchObject({ kind: 'not_found' })
    await enable()
    const from_at = t.ctx.clock.now()
    expect(await disable()).toMatchObject({ disabled_at: from_at })
    t.ctx.clock.advance(60_000)
    expect(await disable()).toMatchObject({ disabled_at: from_at })
    expect(await pauses()).toEqual([{ from_at, to_at: null }])
    expect(await enable()).toMatchObject({ disabled_at: null })
    expect(await pauses()).toEqual([{ from_at, to_at: from_at + 60_000 }])
    t.ctx.clock.advance(60_000)
    await disable()
    t.ctx.clock.advance(-30_000)
    await enable()
    await enable()
    expect((await pauses())[1]).toEqual({ from_at: from_at + 120_000, to_at: from_at + 120_000 })
  })

  test('of a removed site identifies no tracker', async () => {
    await t.ctx.control.db.deleteFrom('sites').where('id', '=', site_id).execute()
    await expect(enable()).rejects.toMatchObject({ kind: 'site_not_found' })
    await expect(t.conversion({ name: 'x', matcher: { kind: 'event', event_name: 'x' } })).rejects.toMatchObject({
      kind: 'site_not_found',
    })
  })
})

describe('tracker keys', () => {
  test('a server key is shown once and kept as a hash', async () => {
    await enable()
    const made = await create('server')
    expect(made.secret).toMatch(/^spoor_srv_[\w-]{43}$/)
    expect(made.prefix).toBe(made.secret.slice(0, 18))
    expect(await t.opened.contents()).not.toContain(made.secret.slice(18))
    expect(await listTrackerKeys(t.ctx.control.db, site_id)).toContainEqual(
      expect.not.objectContaining({ secret: made.secret }),
    )
  })

  test.each(['id', 'prefix', 'secret'] as const)('is revoked by its %s, once', async (by) => {
    await enable()
    const { secret: _shown, ...made } = await create('server')
    const key = by === 'secret' ? _shown : made[by]
    t.ctx.clock.advance(1_000)
    const revoked = await revokeTrackerKey(t.ctx, { site_id, key })
    expect(revoked).toEqual({ ...made, revoked_at: t.ctx.clock.now() })
    t.ctx.clock.advance(1_000)
    expect(await revokeTrackerKey(t.ctx, { site_id, key })).toEqual(revoked)
    await expect(revokeTrackerKey(t.ctx, { site_id: crypto.randomUUID(), key })).rejects.toMatchObject({
      kind: 'not_found',
    })
  })

  test('20 are in force at most; without a public one enabling makes one', async () => {
    const { public_id } = await enable()
    for (let n = 1; n < 20; n += 1) await create('server')
    await expect(create('public')).rejects.toMatchObject(refusal('conflict', /20 tracker keys/))
    await revokeTrackerKey(t.ctx, { site_id, key: String(public_id) })
    expect(await readTracker(t.ctx, { site_id })).toMatchObject({ public_id: null })
    const again = await enable()
    expect(again.public_id).toMatch(/^spoor_pub_/)
    expect(again.public_id).not.toBe(public_id)
  })
})

describe('the privacy floor (decisions 5)', () => {
  test('is 0 until it is set', async () => {
    const read = async () => (await readTrackerSettings(t.ctx.control.db, site_id)).privacy_floor
    expect(await read()).toBe(0)
    for (const privacy_floor of [5, 0, 1_000_000]) {
      await setPrivacyFloor(t.ctx, { site_id, privacy_floor })
      expect(await read()).toBe(privacy_floor)
    }
    for (const privacy_floor of [-1, 0.5, 1_000_001, Number.NaN]) {
      await expect(setPrivacyFloor(t.ctx, { site_id, privacy_floor })).rejects.toMatchObject({ kind: 'invalid_input' })
    }
  })
})
