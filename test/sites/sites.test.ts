import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ensureInstallation, type OperatorAccount } from '#accounts/ensure-installation.ts'
import { forgetAlias, readAliases, renameSite } from '#sites/aliases.ts'
import { beginErasing, findSitesToErase, recordErased } from '#sites/erase-removed.ts'
import { findAnySite, findVisibleSite } from '#sites/find-site.ts'
import { readSites } from '#sites/list-sites.ts'
import { addSite, listAllSites, removeSite } from '#sites/sites.ts'
import { type FakeClock, fakeClock } from '../support/clock.ts'
import { openTestControl, type TestControl } from '../support/control.ts'

let store: TestControl
let clock: FakeClock
let owner: OperatorAccount
let stranger: { account_id: string; user_id: string }
let ctx: { control: TestControl['control']; clock: FakeClock }

beforeEach(async () => {
  store = await openTestControl()
  clock = fakeClock('2026-03-01T12:00:00Z')
  ctx = { control: store.control, clock }
  owner = await ensureInstallation(store.control, clock)
  stranger = { account_id: 'other-account', user_id: 'stranger' }
  const created_at = clock.now()
  const { db } = store.control
  await db
    .insertInto('accounts')
    .values({ id: stranger.account_id, name: 'other', status: 'active', access: 'subscription', created_at })
    .execute()
  await db
    .insertInto('users')
    .values({ id: stranger.user_id, account_id: stranger.account_id, email: null, is_operator: 0, created_at })
    .execute()
})
afterEach(() => store.remove())

const everySite = (user: { user_id: string }) => ({ user_id: user.user_id, site_ids: null })
const refusal = (asked: Promise<unknown>) =>
  asked.then(
    () => expect.fail('not refused'),
    (error) => ({ kind: error.kind, message: error.message }),
  )

describe('adding', () => {
  test('who adds a site owns it', async () => {
    const site = await addSite(ctx, { ...owner, domain: 'WWW.Example.com.' })
    expect(site).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      account_id: owner.account_id,
      root_domain: 'example.com',
      role: 'owner',
    })
    expect(await findVisibleSite(ctx, everySite(owner), site.id)).toStrictEqual(site)
  })

  test('a domain is added once to an account, and the refusal names the id it has', async () => {
    const site = await addSite(ctx, { ...owner, domain: 'example.com' })
    const again = await refusal(addSite(ctx, { ...owner, domain: 'www.EXAMPLE.com' }))
    expect(again).toEqual({ kind: 'conflict', message: expect.stringContaining(site.id) })
    const both = await Promise.allSettled([1, 2].map(() => addSite(ctx, { ...owner, domain: 'example.org' })))
    expect(both.map((one) => one.status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await listAllSites(ctx)).toHaveLength(2)
  })

  test('what is not a domain is refused and nothing is stored', async () => {
    expect(await refusal(addSite(ctx, { ...owner, domain: 'not a domain' }))).toMatchObject({ kind: 'invalid_input' })
    expect(await listAllSites(ctx)).toEqual([])
  })

  test('a site whose owner cannot be written is not added', async () => {
    await expect(addSite(ctx, { ...owner, user_id: 'nobody', domain: 'example.com' })).rejects.toThrow(/foreign key/i)
    expect(await listAllSites(ctx)).toEqual([])
  })
})

describe('renaming (rules 1)', () => {
  test('id and members are kept, the old name no longer finds anything', async () => {
    const site = await addSite(ctx, { ...owner, domain: 'example.com' })
    const renamed = await renameSite(ctx, { site, domain: 'WWW.Example.org', keep_alias: false })
    expect(renamed).toEqual({ id: site.id, root_domain: 'example.org', aliases: [] })
    const found = await findVisibleSite(ctx, everySite(owner), 'example.org')
    expect(found).toEqual({ ...site, root_domain: 'example.org' })
    expect(await refusal(findVisibleSite(ctx, everySite(owner), 'example.com'))).toMatchObject({
      kind: 'site_not_found',
    })
    await addSite(ctx, { ...owner, domain: 'example.com' })
  })

  test('an alias finds the site, for its members only, until it is removed', async () => {
    const site = await addSite(ctx, { ...owner, domain: 'example.com' })
    const foreign = await addSite(ctx, { ...stranger, domain: 'example.com' })
    const renamed = await renameSite(ctx, { site, domain: 'example.org', keep_alias: true })
    expect(renamed.aliases).toEqual(['example.com'])
    expect(await findVisibleSite(ctx, everySite(owner), 'www.example.com')).toMatchObject({ id: site.id })
    expect(await findVisibleSite(ctx, everySite(stranger), 'example.com')).toMatchObject({ id: foreign.id })
    expect(await refusal(findAnySite(ctx, 'example.com'))).toMatchObject({ message: expect.stringMatching(/by id/) })

    const taken = await refusal(addSite(ctx, { ...owner, domain: 'example.com' }))
    expect(taken).toEqual({ kind: 'conflict', message: expect.stringMatching(/alias of the site example\.org/) })
    await forgetAlias(ctx, { site, alias: 'example.com' })
    expect(await refusal(forgetAlias(ctx, { site, alias: 'example.com' }))).toMatchObject({ kind: 'not_found' })
    expect(await refusal(findVisibleSite(ctx, everySite(owner), 'example.com'))).toMatchObject({
      kind: 'site_not_found',
    })
  })

  test('a name of another site is refused; the own name and an own alias are not', async () => {
    const site = await addSite(ctx, { ...owner, domain: 'example.com' })
    await addSite(ctx, { ...owner, domain: 'example.net' })
    const rename = (domain: string, keep_alias: boolean) => renameSite(ctx, { site, domain, keep_alias })
    expect(await refusal(rename('example.net', true))).toMatchObject({ kind: 'conflict' })
    expect(await refusal(rename('not a domain', true))).toMatchObject({ kind: 'invalid_input' })
    expect(await rename('example.com', true)).toMatchObject({ root_domain: 'example.com', aliases: [] })
    await rename('example.org', true)
    expect(await rename('example.com', true)).toMatchObject({ root_domain: 'example.com', aliases: ['example.org'] })
    await removeSite(ctx, { account_id: owner.account_id, site_id: site.id })
    expect(await readAliases(store.control.db, site.id)).toEqual([])
  })
})

describe('finding', () => {
  test('a site is found by its id in any case and by its domain in any spelling', async () => {
    const site = await addSite(ctx, { ...owner, domain: 'example.com' })
    const idn = await addSite(ctx, { ...owner, domain: 'bücher.example' })
    expect(idn.root_domain).toBe('xn--bcher-kva.example')
    for (const text of [
      site.id,
      site.id.toUpperCase(),
      'example.com',
      'EXAMPLE.COM',
      'www.example.com',
      'example.com.',
    ]) {
      expect((await findVisibleSite(ctx, everySite(owner), text)).id, text).toBe(site.id)
    }
    for (const text of ['bücher.example', 'BÜCHER.example', 'xn--bcher-kva.example', 'XN--BCHER-KVA.EXAMPLE']) {
      expect((await findVisibleSite(ctx, everySite(owner), text)).id, text).toBe(idn.id)
    }
  })

  test('a foreign site, a missing one and nonsense are the same refusal in the same words', async () => {
    const foreign = await addSite(ctx, { ...stranger, domain: 'example.org' })
    await addSite(ctx, { ...owner, domain: 'example.com' })
    const asked = [
      ...[foreign.id, 'example.org', '00000000-0000-4000-8000-000000000000', 'missing.example', 'not a domain'],
      ...['', '..', "' OR 1=1 --", '%', 'x'.repeat(300), `${foreign.id}x`],
    ]
    const refusals = await Promise.all(asked.map((text) => refusal(findVisibleSite(ctx, everySite(owner), text))))
    for (const one of refusals) expect(one).toEqual(refusals[0])
    expect(refusals[0]).toMatchObject({ kind: 'site_not_found' })
  })

  test('a key of named sites opens only those, and of them only the sites that its member still has', async () => {
    const one = await addSite(ctx, { ...owner, domain: 'one.example' })
    const two = await addSite(ctx, { ...owner, domain: 'two.example' })
    const foreign = await addSite(ctx, { ...stranger, domain: 'three.example' })
    const viewer = { user_id: owner.user_id, site_ids: [one.id, foreign.id] }
    expect((await readSites(ctx, viewer)).sites.map((site) => site.id)).toEqual([one.id])
    const missing = await refusal(findVisibleSite(ctx, viewer, 'missing.example'))
    expect(await refusal(findVisibleSite(ctx, viewer, two.id))).toEqual(missing)
    expect(await refusal(findVisibleSite(ctx, viewer, 'two.example'))).toEqual(missing)
    expect(await refusal(findVisibleSite(ctx, viewer, foreign.id))).toEqual(missing)
    const nothing = { user_id: owner.user_id, site_ids: [] }
    expect(await refusal(findVisibleSite(ctx, nothing, one.id))).toEqual(missing)
    expect(await readSites(ctx, nothing)).toEqual({ sites: [] })
    await store.control.db.deleteFrom('members').where('site_id', '=', one.id).execute()
    expect(await refusal(findVisibleSite(ctx, viewer, one.id))).toEqual(missing)
  })

  test('two accounts with the same domain each find their own; who is a member of both addresses by id', async () => {
    const own = await addSite(ctx, { ...owner, domain: 'example.com' })
    const theirs = await addSite(ctx, { ...stranger, domain: 'example.com' })
    expect((await findVisibleSite(ctx, everySite(owner), 'example.com')).id).toBe(own.id)
    expect((await findVisibleSite(ctx, everySite(stranger), 'example.com')).id).toBe(theirs.id)
    await store.control.db
      .insertInto('members')
      .values({ site_id: theirs.id, user_id: owner.user_id, role: 'viewer', created_at: clock.now() })
      .execute()
    expect(await refusal(findVisibleSite(ctx, everySite(owner), 'example.com'))).toEqual({
      kind: 'site_not_found',
      message: expect.stringContaining('address it by id'),
    })
    expect(await findVisibleSite(ctx, everySite(owner), theirs.id)).toMatchObject({ role: 'viewer' })
  })

  test('sites are listed by root_domain, then id, with the role of the asker', async () => {
    for (const domain of ['b.example', 'a-b.example', 'a.example']) await addSite(ctx, { ...owner, domain })
    const theirs = await addSite(ctx, { ...stranger, domain: 'a.example' })
    await store.control.db
      .insertInto('members')
      .values({ site_id: theirs.id, user_id: owner.user_id, role: 'editor', created_at: clock.now() })
      .execute()
    const { sites } = await readSites(ctx, everySite(owner))
    expect(sites.map((site) => site.root_domain)).toEqual(['a-b.example', 'a.example', 'a.example', 'b.example'])
    const same = sites.slice(1, 3).map((site) => site.id)
    expect(same).toEqual(same.toSorted())
    expect(sites.find((site) => site.id === theirs.id)).toStrictEqual({
      id: theirs.id,
      root_domain: 'a.example',
      role: 'editor',
    })
  })
})

describe('removing', () => {
  test('everything of the site is removed at once, and its evidence is marked until it is deleted', async () => {
    const site = await addSite(ctx, { ...owner, domain: 'example.com' })
    const kept = await addSite(ctx, { ...owner, domain: 'example.org' })
    const { db } = store.control
    for (const site_id of [site.id, kept.id]) {
      await db
        .insertInto('dirty_days')
        .values({ site_id, day: '2026-03-01', kind: 'crawlers', cause: 'd', state: 'written', marked: 1 })
        .execute()
      await db
        .insertInto('builds')
        .values({ site_id, day: '2026-03-01', kind: 'crawlers', part: '', build: 1 })
        .execute()
    }
    clock.advance(1_000)
    expect(await removeSite(ctx, { ...owner, site_id: site.id })).toEqual({
      id: site.id,
      root_domain: 'example.com',
      removed_at: clock.now(),
      revoked_key_ids: [],
    })
    for (const table of ['members', 'dirty_days', 'builds'] as const) {
      expect(await db.selectFrom(table).select('site_id').execute(), table).toEqual([{ site_id: kept.id }])
    }
    expect((await refusal(findVisibleSite(ctx, everySite(owner), site.id))).kind).toBe('site_not_found')
    expect(await findSitesToErase(ctx)).toEqual([site.id])
    // Without a beginning more may have been stored since.
    await recordErased(ctx, site.id)
    expect(await findSitesToErase(ctx)).toEqual([site.id])
    await beginErasing(ctx, site.id)
    await recordErased(ctx, site.id)
    expect(await findSitesToErase(ctx)).toEqual([])
  })

  test('a domain may be added again after its removal, as another site', async () => {
    const site = await addSite(ctx, { ...owner, domain: 'example.com' })
    await removeSite(ctx, { ...owner, site_id: site.id })
    const again = await addSite(ctx, { ...owner, domain: 'example.com' })
    expect(again.id).not.toBe(site.id)
    expect(await findSitesToErase(ctx)).toEqual([site.id])
  })

  test('a site of another account, or one removed before, is not removed', async () => {
    const foreign = await addSite(ctx, { ...stranger, domain: 'example.org' })
    expect((await refusal(removeSite(ctx, { ...owner, site_id: foreign.id }))).kind).toBe('site_not_found')
    expect(await listAllSites(ctx)).toHaveLength(1)
    expect(await findSitesToErase(ctx)).toEqual([])
    await removeSite(ctx, { ...stranger, site_id: foreign.id })
    expect((await refusal(removeSite(ctx, { ...stranger, site_id: foreign.id }))).kind).toBe('site_not_found')
  })
})
