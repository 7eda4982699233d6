import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { authenticateSiteKey } from '#accounts/authenticate-site-key.ts'
import { ensureInstallation, type OperatorAccount } from '#accounts/ensure-installation.ts'
import { PERMISSIONS } from '#accounts/roles.ts'
import { createSiteKey } from '#accounts/site-keys.ts'
import { addUser } from '#accounts/users.ts'
import type { SitePermission } from '#contract/permissions.ts'
import { findAnySite, findVisibleSite } from '#sites/find-site.ts'
import { addMember, listMembers, removeMember, setMemberRole } from '#sites/members.ts'
import type { Site } from '#sites/site.ts'
import { addSite, removeSite } from '#sites/sites.ts'
import { fakeClock } from '../support/clock.ts'
import { openTestControl, type TestControl } from '../support/control.ts'

const clock = fakeClock('2026-03-01T12:00:00Z')
let store: TestControl
let ctx: { control: TestControl['control']; clock: typeof clock }
let first: OperatorAccount
let site: Site
let ada: string

beforeEach(async () => {
  store = await openTestControl()
  ctx = { control: store.control, clock }
  first = await ensureInstallation(store.control, clock)
  site = await addSite(ctx, { ...first, domain: 'example.com' })
  ada = (await addUser(ctx, { ...first, email: 'ada@example.com', is_operator: false })).user.id
})
afterEach(() => store.remove())

const owner = () => ({ site_id: site.id, user_id: first.user_id })
const member = () => ({ site_id: site.id, user_id: ada })
const rolesOf = async () =>
  Object.fromEntries((await listMembers(ctx, site.id)).map(({ user_id, role }) => [user_id, role]))
const lastOwner = { kind: 'conflict', message: expect.stringMatching(/only owner of example\.com.*remove the site/) }

describe('members of a site (decisions 2)', () => {
  test('are added in a role, listed with their address, changed and removed', async () => {
    await addMember(ctx, { ...member(), role: 'viewer' })
    expect(await listMembers(ctx, site.id)).toEqual(
      expect.arrayContaining([
        { ...owner(), role: 'owner', email: null, created_at: clock.now() },
        { ...member(), role: 'viewer', email: 'ada@example.com', created_at: clock.now() },
      ]),
    )
    await expect(addMember(ctx, { ...member(), role: 'owner' })).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringMatching(/already/),
      next: { step: 'member.set_role' },
    })
    expect(await rolesOf()).toEqual({ [first.user_id]: 'owner', [ada]: 'viewer' })
    expect(await setMemberRole(ctx, { ...member(), role: 'editor' })).toMatchObject({ role: 'editor' })
    await removeMember(ctx, member())
    expect(await rolesOf()).toEqual({ [first.user_id]: 'owner' })
  })

  test('a person who is not a member is neither changed nor removed, and a removed site is not mentioned', async () => {
    await expect(setMemberRole(ctx, { ...member(), role: 'owner' })).rejects.toMatchObject({ kind: 'not_found' })
    await expect(setMemberRole(ctx, { ...member(), role: 'viewer' })).rejects.toMatchObject({ kind: 'not_found' })
    await expect(removeMember(ctx, member())).rejects.toMatchObject({ kind: 'not_found' })
    await removeSite(ctx, { account_id: first.account_id, site_id: site.id })
    await expect(removeMember(ctx, owner())).rejects.toMatchObject({ kind: 'site_not_found' })
  })

  test('are people of the site’s account', async () => {
    const account = { id: 'other', name: 'other', status: 'active', access: 'none', created_at: clock.now() } as const
    await store.control.db.insertInto('accounts').values(account).execute()
    const { user } = await addUser(ctx, { account_id: 'other', email: 'eve@example.com', is_operator: false })
    const added = addMember(ctx, { site_id: site.id, user_id: user.id, role: 'viewer' })
    await expect(added).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringMatching(/not of one account/),
    })
  })
})

describe('a site keeps an owner', () => {
  test('the last one is neither removed nor demoted, even if there are editors and viewers', async () => {
    await addMember(ctx, { ...member(), role: 'editor' })
    await expect(removeMember(ctx, owner())).rejects.toMatchObject(lastOwner)
    for (const role of ['editor', 'viewer'] as const) {
      await expect(setMemberRole(ctx, { ...owner(), role })).rejects.toMatchObject(lastOwner)
    }
    expect(await setMemberRole(ctx, { ...owner(), role: 'owner' })).toMatchObject({ role: 'owner' })
    expect(await rolesOf()).toEqual({ [first.user_id]: 'owner', [ada]: 'editor' })
  })

  test('two owners leave at once: one is kept', async () => {
    await addMember(ctx, { ...member(), role: 'owner' })
    const both = await Promise.allSettled([
      removeMember(ctx, owner()),
      setMemberRole(ctx, { ...member(), role: 'viewer' }),
    ])
    expect(both.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(Object.values(await rolesOf())).toContain('owner')
  })
})

describe('keys follow their member (rules 1)', () => {
  test('a viewer has a key for reading; it loses sites with the member and is revoked with the last', async () => {
    const other = await addSite(ctx, { ...first, domain: 'example.org' })
    await addMember(ctx, { ...member(), role: 'viewer' })
    await addMember(ctx, { site_id: other.id, user_id: ada, role: 'viewer' })
    const { id, secret } = await createSiteKey(ctx, { user_id: ada, name: 'reading' })
    const sees = async (domain: string) => {
      const caller = await authenticateSiteKey(ctx, secret)
      return caller === null
        ? null
        : findVisibleSite(ctx, caller, domain).then(
            () => true,
            () => false,
          )
    }
    expect([await sees('example.com'), await sees('example.org')]).toEqual([true, true])
    expect(await removeMember(ctx, member())).toMatchObject({ revoked_key_ids: [] })
    expect([await sees('example.com'), await sees('example.org')]).toEqual([false, true])
    expect(await removeMember(ctx, { site_id: other.id, user_id: ada })).toMatchObject({ revoked_key_ids: [id] })
    expect(await sees('example.org')).toBeNull()
    await addMember(ctx, { ...member(), role: 'owner' })
    expect(await sees('example.com')).toBeNull()
  })

  test('a member without a site gets no key, and none for a site of others', async () => {
    await expect(createSiteKey(ctx, { user_id: ada, name: 'reading' })).rejects.toMatchObject({ kind: 'invalid_input' })
    const other = await addSite(ctx, { ...first, domain: 'example.org' })
    await addMember(ctx, { ...member(), role: 'viewer' })
    const foreign = createSiteKey(ctx, { user_id: ada, name: 'reading', sites: [other.id] })
    await expect(foreign).rejects.toMatchObject({ kind: 'site_not_found' })
  })
})

describe('finding a site for a caller with a permission', () => {
  test('a role that permits less finds no site, in the words of a missing one (rules 1)', async () => {
    await addMember(ctx, { ...member(), role: 'editor' })
    const viewer = { user_id: ada, site_ids: null }
    const missing = await findVisibleSite(ctx, viewer, 'missing.example').catch((error: Error) => error)
    for (const permission of Object.keys(PERMISSIONS) as SitePermission[]) {
      const found = await findVisibleSite(ctx, viewer, 'example.com', permission).catch((error: Error) => error)
      const roles: readonly string[] = PERMISSIONS[permission]
      if (roles.includes('editor')) expect(found).toMatchObject({ id: site.id, role: 'editor' })
      else expect(found).toEqual(missing)
    }
  })

  test('the operator finds any site, a member of it or not', async () => {
    await addMember(ctx, { ...member(), role: 'owner' })
    await removeMember(ctx, owner())
    for (const text of ['example.com', site.id.toUpperCase()]) {
      expect(await findAnySite(ctx, text)).toEqual({ ...site, role: 'owner' })
    }
    const next_steps = [
      // It may be a site that nobody has added yet.
      ['missing.example', { step: 'find_or_add_site', root_domain: 'missing.example' }],
      ['no domain', { step: 'site.list' }],
    ] as const
    for (const [text, next] of next_steps) {
      await expect(findAnySite(ctx, text)).rejects.toMatchObject({
        kind: 'site_not_found',
        next,
      })
    }
  })
})
