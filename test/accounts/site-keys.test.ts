import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { authenticateSiteKey } from '#accounts/authenticate-site-key.ts'
import { ensureInstallation, type OperatorAccount } from '#accounts/ensure-installation.ts'
import { collectKeyUses } from '#accounts/key-uses.ts'
import { createSiteKey, listSiteKeys, revokeSiteKey } from '#accounts/site-keys.ts'
import { addSite, removeSite } from '#sites/sites.ts'
import { type FakeClock, fakeClock } from '../support/clock.ts'
import { openTestControl, type TestControl } from '../support/control.ts'

let store: TestControl
let clock: FakeClock
let owner: OperatorAccount
let ctx: { control: TestControl['control']; clock: FakeClock }
let site_id: string

beforeEach(async () => {
  store = await openTestControl()
  clock = fakeClock('2026-03-01T12:00:20Z')
  ctx = { control: store.control, clock }
  owner = await ensureInstallation(store.control, clock)
  site_id = (await addSite(ctx, { ...owner, domain: 'example.com' })).id
})
afterEach(() => store.remove())

const newKey = (sites?: string[]) =>
  createSiteKey(ctx, { user_id: owner.user_id, name: 'reports', ...(sites && { sites }) })

describe('secrets', () => {
  test('a key is spoor_site_ and 256 random bits, its prefix the first 19 characters', async () => {
    const [one, two] = [await newKey(), await newKey()]
    expect(one.secret).toMatch(/^spoor_site_[A-Za-z0-9_-]{43}$/)
    expect(Buffer.from(one.secret.slice(11), 'base64url')).toHaveLength(32)
    expect(one.prefix).toBe(one.secret.slice(0, 19))
    expect(two.secret).not.toBe(one.secret)
  })

  test('the secret is nowhere in the store, its prefix is', async () => {
    const { secret, prefix } = await newKey()
    const found = await store.contents()
    expect(found).toContain(prefix)
    expect(found).not.toContain(secret)
    expect(found).not.toContain(secret.slice(11))
    await store.control.close()
    expect(await store.contents()).not.toContain(secret.slice(20))
  })

  test('the list shows everything but secret and hash', async () => {
    const { id, prefix } = await newKey([site_id])
    expect(await listSiteKeys(ctx, owner)).toStrictEqual([
      {
        id,
        user_id: owner.user_id,
        name: 'reports',
        prefix,
        sites: [site_id],
        created_at: clock.now(),
        revoked_at: null,
        last_used_at: null,
      },
    ])
    expect(await listSiteKeys(ctx, { account_id: 'another' })).toEqual([])
  })
})

describe('authentication', () => {
  test('a key identifies its member, with all of their sites', async () => {
    const { id, secret } = await newKey()
    expect(await authenticateSiteKey(ctx, secret)).toStrictEqual({
      kind: 'site_key',
      key_id: id,
      user_id: owner.user_id,
      account_id: owner.account_id,
      site_ids: null,
    })
  })

  test('another kind, a cut secret, a changed character, spaces or nothing identify no member', async () => {
    const { secret } = await newKey()
    const last = secret.endsWith('A') ? 'B' : 'A'
    const wrong = [
      secret.replace('spoor_site_', 'spoor_acct_'),
      secret.replace('spoor_site_', 'spoor_src_'),
      secret.replace('spoor_site_', 'SPOOR_SITE_'),
      secret.slice(0, -1),
      secret.slice(0, -1) + last,
      secret.slice(0, 11) + (secret[11] === 'x' ? 'y' : 'x') + secret.slice(12),
      `${secret}A`,
      ` ${secret}`,
      `${secret}\n`,
      secret.slice(11),
      'spoor_site_',
      '',
    ]
    for (const text of wrong) expect(await authenticateSiteKey(ctx, text), text).toBeNull()
  })

  test('the stored hash is not a secret', async () => {
    await newKey()
    const { secret_sha256 } = await store.control.db.selectFrom('site_keys').selectAll().executeTakeFirstOrThrow()
    expect(secret_sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(await authenticateSiteKey(ctx, secret_sha256)).toBeNull()
    expect(await authenticateSiteKey(ctx, `spoor_site_${secret_sha256.slice(0, 43)}`)).toBeNull()
  })

  test('a revoked key stops working with the next request', async () => {
    const { id, secret } = await newKey()
    expect(await authenticateSiteKey(ctx, secret)).not.toBeNull()
    await revokeSiteKey(ctx, { ...owner, key: id })
    expect(await authenticateSiteKey(ctx, secret)).toBeNull()
  })

  test('the keys of a suspended account stop working, and come back with it', async () => {
    const { secret } = await newKey()
    const { db } = store.control
    await db.updateTable('accounts').set({ status: 'suspended' }).execute()
    expect(await authenticateSiteKey(ctx, secret)).toBeNull()
    await db.updateTable('accounts').set({ status: 'active' }).execute()
    expect(await authenticateSiteKey(ctx, secret)).not.toBeNull()
  })

  test('a member without any membership has no working key', async () => {
    const { secret } = await newKey()
    await store.control.db.deleteFrom('members').execute()
    expect(await authenticateSiteKey(ctx, secret)).toBeNull()
  })

  test('a key dies with its member’s last site, for good', async () => {
    const { id, secret } = await newKey()
    const second = await addSite(ctx, { ...owner, domain: 'example.org' })
    expect((await removeSite(ctx, { ...owner, site_id })).revoked_key_ids).toEqual([])
    expect(await authenticateSiteKey(ctx, secret)).not.toBeNull()
    expect((await removeSite(ctx, { ...owner, site_id: second.id })).revoked_key_ids).toEqual([id])
    await addSite(ctx, { ...owner, domain: 'example.net' })
    expect(await authenticateSiteKey(ctx, secret)).toBeNull()
  })

  test('a key of named sites never widens when they are removed', async () => {
    const { secret } = await newKey([site_id, site_id.toUpperCase()])
    const other = await addSite(ctx, { ...owner, domain: 'example.org' })
    expect(await authenticateSiteKey(ctx, secret)).toMatchObject({ site_ids: [site_id] })
    await removeSite(ctx, { ...owner, site_id })
    expect(await authenticateSiteKey(ctx, secret)).toMatchObject({ site_ids: [] })
    expect(other.id).not.toBe(site_id)
  })
})

describe('making and ending keys', () => {
  test('a key is not made for a site the member does not have', async () => {
    const account_id = 'another'
    const { db } = store.control
    await db
      .insertInto('accounts')
      .values({ id: account_id, name: 'other', status: 'active', access: 'subscription', created_at: clock.now() })
      .execute()
    await db
      .insertInto('users')
      .values({ id: 'stranger', account_id, email: null, is_operator: 0, created_at: clock.now() })
      .execute()
    await expect(createSiteKey(ctx, { user_id: 'stranger', name: 'n' })).rejects.toMatchObject({
      kind: 'invalid_input',
    })
    await addSite(ctx, { account_id, user_id: 'stranger', domain: 'example.com' })
    const foreign = createSiteKey(ctx, { user_id: 'stranger', name: 'n', sites: [site_id] })
    await expect(foreign).rejects.toMatchObject({ kind: 'site_not_found' })
    expect(await db.selectFrom('site_keys').select('id').execute()).toEqual([])
  })

  test.each(['', '   ', 'x'.repeat(65), 'a\nb'])('the name %j is refused', async (name) => {
    const made = createSiteKey(ctx, { user_id: owner.user_id, name })
    await expect(made).rejects.toMatchObject({ kind: 'invalid_input' })
  })

  test('an empty list of sites is refused, not read as every site', async () => {
    await expect(newKey([])).rejects.toMatchObject({ kind: 'invalid_input' })
  })

  test('a key is ended by id, by prefix or by its whole secret; a repeat changes nothing', async () => {
    const keys = [await newKey(), await newKey(), await newKey()] as const
    const first = await revokeSiteKey(ctx, { ...owner, key: keys[0].id.toUpperCase() })
    expect(first).toMatchObject({ id: keys[0].id, revoked_at: clock.now() })
    clock.advance(5_000)
    expect(await revokeSiteKey(ctx, { ...owner, key: keys[0].prefix })).toEqual(first)
    expect(await revokeSiteKey(ctx, { ...owner, key: keys[1].prefix })).toMatchObject({ id: keys[1].id })
    expect(await revokeSiteKey(ctx, { ...owner, key: keys[2].secret })).toMatchObject({ id: keys[2].id })
    for (const key of keys) expect(await authenticateSiteKey(ctx, key.secret)).toBeNull()
  })

  test('an unknown key and a foreign one are not found, and what was typed is not repeated', async () => {
    const { id, secret } = await newKey()
    const typed = `${secret.slice(0, -4)}oops`
    for (const asked of [
      { ...owner, key: typed },
      { account_id: 'another', key: id },
    ]) {
      const refused = await revokeSiteKey(ctx, asked).catch((error) => error)
      expect(refused).toMatchObject({ kind: 'not_found' })
      expect(refused.message).not.toContain(asked.key)
    }
    expect(await authenticateSiteKey(ctx, secret)).not.toBeNull()
  })

  test('a prefix that fits two keys ends neither', async () => {
    const keys = [await newKey(), await newKey()] as const
    await store.control.db.updateTable('site_keys').set({ prefix: keys[0].prefix }).execute()
    const ended = revokeSiteKey(ctx, { ...owner, key: keys[0].prefix })
    await expect(ended).rejects.toMatchObject({ kind: 'conflict' })
    expect(await authenticateSiteKey(ctx, keys[0].secret)).not.toBeNull()
  })
})

describe('last_used_at', () => {
  const minute = Date.parse('2026-03-01T12:00:00Z')
  const lastUsed = async () => (await listSiteKeys(ctx, owner)).map((key) => key.last_used_at)

  test('uses are kept to the minute, and written at the flush only', async () => {
    const { secret } = await newKey()
    const uses = collectKeyUses(ctx)
    for (let n = 0; n < 3; n++) await authenticateSiteKey({ ...ctx, uses }, secret)
    expect(await lastUsed()).toEqual([null])
    await uses.flush()
    expect(await lastUsed()).toEqual([minute])
    clock.advance(60_000)
    await authenticateSiteKey({ ...ctx, uses }, secret)
    await authenticateSiteKey({ ...ctx, uses }, `${secret.slice(0, -1)}?`)
    await uses.flush()
    await uses.flush()
    expect(await lastUsed()).toEqual([minute + 60_000])
  })

  test('it never decreases, and a refused key does not change it', async () => {
    const { id, secret } = await newKey()
    const uses = collectKeyUses(ctx)
    uses.record(id, minute + 90_000)
    uses.record(id, minute)
    await uses.flush()
    uses.record(id, minute)
    await uses.flush()
    expect(await lastUsed()).toEqual([minute + 60_000])
    await revokeSiteKey(ctx, { ...owner, key: id })
    clock.advance(600_000)
    await authenticateSiteKey({ ...ctx, uses }, secret)
    await uses.flush()
    expect(await lastUsed()).toEqual([minute + 60_000])
  })

  test('uses that could not be written are written by a later flush', async () => {
    const { id } = await newKey()
    let refuse = true
    const flaky: typeof store.control = {
      ...store.control,
      transaction: (work) => (refuse ? Promise.reject(new Error('disk full')) : store.control.transaction(work)),
    }
    const uses = collectKeyUses({ control: flaky })
    uses.record(id, minute)
    await expect(uses.flush()).rejects.toThrow('disk full')
    refuse = false
    await uses.flush()
    expect(await lastUsed()).toEqual([minute])
  })
})
