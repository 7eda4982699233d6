import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { choosePassword } from '#accounts/choose-password.ts'
import { ensureInstallation, findOperator, type OperatorAccount } from '#accounts/ensure-installation.ts'
import { findLink, hasPassword, issueFirstLink, issueLink } from '#accounts/one-time-links.ts'
import { verifyPassword } from '#accounts/password.ts'
import { createSiteKey } from '#accounts/site-keys.ts'
import { addUser, findUser, listUsers, removeUser, resetLink } from '#accounts/users.ts'
import { HOUR_MS } from '#clock.ts'
import { addMember } from '#sites/members.ts'
import { addSite } from '#sites/sites.ts'
import { type FakeClock, fakeClock } from '../support/clock.ts'
import { openTestControl, type TestControl } from '../support/control.ts'

const WORDS = 'four words are enough'
const OTHER_WORDS = 'other words are enough'

let store: TestControl
let clock: FakeClock
let first: OperatorAccount
let ctx: { control: TestControl['control']; clock: FakeClock }

beforeEach(async () => {
  store = await openTestControl()
  clock = fakeClock('2026-03-01T12:00:00Z')
  ctx = { control: store.control, clock }
  first = await ensureInstallation(store.control, clock)
})
afterEach(() => store.remove())

const add = (email: string, is_operator = false) => addUser(ctx, { account_id: first.account_id, email, is_operator })
const storedPassword = async (user_id: string) => {
  const row = await store.control.db
    .selectFrom('passwords')
    .select('hash')
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row?.hash ?? null
}
const notInForce = {
  kind: 'not_found',
  message: expect.stringMatching(/not in force/),
  next: { step: 'user.reset_link' },
}
const filesOf = (folder: string) =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('')

describe('people of an installation', () => {
  test('an address is one person, in any spelling, even if two are added at once', async () => {
    const { user } = await add(' Ada@Example.com ')
    expect(user).toMatchObject({ email: 'ada@example.com', is_operator: 0, account_id: first.account_id })
    await expect(add('ADA@example.com')).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringMatching(/ada@example.com is a person/),
    })
    const both = await Promise.allSettled([add('grace@example.com'), add('Grace@example.com')])
    expect(both.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected'])
    const listed = (await listUsers(ctx)).map((one) => String(one.email))
    expect(listed.sort()).toEqual(['ada@example.com', 'grace@example.com', 'null'])
  })

  test('are found by address and by id, in any case', async () => {
    const { user } = await add('ada@example.com')
    expect(await findUser(store.control.db, 'ADA@EXAMPLE.COM')).toEqual(user)
    expect(await findUser(store.control.db, user.id.toUpperCase())).toEqual(user)
    await expect(findUser(store.control.db, 'nobody@example.com')).rejects.toMatchObject({ kind: 'not_found' })
    await expect(findUser(store.control.db, 'nobody')).rejects.toMatchObject({ kind: 'not_found' })
  })

  test('the list says who is an operator, who has a password, and on how many sites; never a hash', async () => {
    await addSite(ctx, { ...first, domain: 'example.com' })
    const { user, link } = await add('ada@example.com', true)
    await choosePassword(ctx, { token: link.token, password: WORDS, email: null })
    const listed = await listUsers(ctx)
    expect(listed).toHaveLength(2)
    expect(listed.find((one) => one.id === first.user_id)).toMatchObject({ email: null, has_password: false, sites: 1 })
    expect(listed.find((one) => one.id === user.id)).toStrictEqual({ ...user, has_password: true, sites: 0 })
  })

  test('the last operator cannot be removed; with a second one, the first can be, and the second acts', async () => {
    await expect(removeUser(ctx, first.user_id)).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringMatching(/only operator/),
      next: { step: 'add_operator' },
    })
    await add('ada@example.com')
    await expect(removeUser(ctx, first.user_id)).rejects.toMatchObject({ kind: 'conflict' })
    const { user } = await add('grace@example.com', true)
    await removeUser(ctx, first.user_id)
    expect((await findOperator(store.control.db)).user_id).toBe(user.id)
    expect((await ensureInstallation(store.control, clock)).user_id).toBe(user.id)
  })

  test('two operators removed at once: one is kept', async () => {
    const { user } = await add('grace@example.com', true)
    const both = await Promise.allSettled([removeUser(ctx, first.user_id), removeUser(ctx, user.id)])
    expect(both.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('the only owner of a site cannot be removed; with a second owner they can, with keys and links', async () => {
    const { user, link } = await add('ada@example.com')
    const site = await addSite(ctx, { account_id: first.account_id, user_id: user.id, domain: 'example.com' })
    const key = await createSiteKey(ctx, { user_id: user.id, name: 'reports' })
    await expect(removeUser(ctx, 'ada@example.com')).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringMatching(/only owner of example\.com.*someone else an owner/),
    })
    expect(await findLink(ctx, link.token)).toMatchObject({ email: 'ada@example.com' })
    await addMember(ctx, { site_id: site.id, user_id: first.user_id, role: 'owner' })
    expect(await removeUser(ctx, 'ada@example.com')).toMatchObject({ ended_key_ids: [key.id] })
    await expect(findLink(ctx, link.token)).rejects.toMatchObject(notInForce)
    for (const table of ['site_keys', 'one_time_links', 'passwords'] as const) {
      expect(await store.control.db.selectFrom(table).selectAll().execute()).toEqual([])
    }
  })
})

describe('a one-time link', () => {
  test('has 256 random bits, of which the store keeps a hash', async () => {
    const { token } = await issueLink(store.control.db, clock, { user_id: first.user_id })
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    const { token_sha256 } = await store.control.db.selectFrom('one_time_links').selectAll().executeTakeFirstOrThrow()
    expect(token_sha256).toMatch(/^[0-9a-f]{64}$/)
    await expect(findLink(ctx, token_sha256)).rejects.toMatchObject(notInForce)
    await expect(findLink(ctx, token_sha256.slice(0, 43))).rejects.toMatchObject(notInForce)
  })

  test('names the person once: the first user takes the address they sign in with', async () => {
    const { token } = await issueLink(store.control.db, clock, { user_id: first.user_id })
    expect(await findLink(ctx, token)).toEqual({ email: null, expires_at: clock.now() + 24 * HOUR_MS })
    const choose = (email: string | null) => choosePassword(ctx, { token, password: WORDS, email })
    await add('ada@example.com')
    await expect(choose(null)).rejects.toMatchObject({
      kind: 'invalid_input',
      message: expect.stringMatching(/has no e-mail address yet/),
    })
    await expect(choose('ada')).rejects.toMatchObject({
      kind: 'invalid_input',
      message: expect.stringMatching(/not an e-mail address: give/),
    })
    await expect(choose('ADA@example.com')).rejects.toMatchObject({ kind: 'conflict' })
    expect(await choose('Root@Example.com')).toEqual({ email: 'root@example.com', user_id: first.user_id })
    expect(await verifyPassword(String(await storedPassword(first.user_id)), WORDS)).toBe(true)
  })

  test('never renames a person, and a refusal leaves it in force', async () => {
    const { user, link } = await add('ada@example.com')
    const chosen = { token: link.token, password: WORDS, email: 'eve@example.com' }
    await expect(choosePassword(ctx, chosen)).rejects.toMatchObject({ kind: 'invalid_input' })
    await expect(choosePassword(ctx, { ...chosen, password: 'short' })).rejects.toMatchObject({ kind: 'invalid_input' })
    expect(await storedPassword(user.id)).toBeNull()
    expect(await choosePassword(ctx, { ...chosen, email: 'Ada@example.com' })).toMatchObject({
      email: 'ada@example.com',
    })
  })

  test('works once', async () => {
    const { link } = await add('ada@example.com')
    await choosePassword(ctx, { token: link.token, password: WORDS, email: null })
    await expect(findLink(ctx, link.token)).rejects.toMatchObject(notInForce)
    const again = choosePassword(ctx, { token: link.token, password: OTHER_WORDS, email: null })
    await expect(again).rejects.toMatchObject(notInForce)
  })

  test('used twice at once: exactly one succeeds, and its password is the one that counts', async () => {
    const { user, link } = await add('ada@example.com')
    const passwords = [WORDS, OTHER_WORDS]
    const all = await Promise.allSettled(
      passwords.map((password) => choosePassword(ctx, { token: link.token, password, email: null })),
    )
    expect(all.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(all.find((one) => one.status === 'rejected')).toMatchObject({ reason: notInForce })
    const won = passwords[all.findIndex((one) => one.status === 'fulfilled')] as string
    expect(await verifyPassword(String(await storedPassword(user.id)), won)).toBe(true)
  })

  test('expires after 24 hours', async () => {
    const { link } = await add('ada@example.com')
    clock.advance(24 * HOUR_MS - 1)
    expect(await findLink(ctx, link.token)).toMatchObject({ email: 'ada@example.com' })
    clock.advance(1)
    await expect(findLink(ctx, link.token)).rejects.toMatchObject(notInForce)
    const late = choosePassword(ctx, { token: link.token, password: WORDS, email: null })
    await expect(late).rejects.toMatchObject(notInForce)
  })

  test('ends when a newer one of the same person is made; of two made at once one is in force', async () => {
    const { link } = await add('ada@example.com')
    const { link: other } = await add('grace@example.com')
    const made = await Promise.all([resetLink(ctx, 'ada@example.com'), resetLink(ctx, 'Ada@example.com')])
    const tokens = [link.token, ...made.map((one) => one.link.token)]
    const found = await Promise.allSettled(tokens.map((token) => findLink(ctx, token)))
    expect(found[0]).toMatchObject({ status: 'rejected' })
    expect(found.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
    expect(await findLink(ctx, other.token)).toMatchObject({ email: 'grace@example.com' })
  })

  test('a new link leaves the old password until another is chosen', async () => {
    const { user, link } = await add('ada@example.com')
    await choosePassword(ctx, { token: link.token, password: WORDS, email: null })
    const { link: second } = await resetLink(ctx, user.id)
    expect(await verifyPassword(String(await storedPassword(user.id)), WORDS)).toBe(true)
    await choosePassword(ctx, { token: second.token, password: OTHER_WORDS, email: null })
    expect(await verifyPassword(String(await storedPassword(user.id)), WORDS)).toBe(false)
    expect(await verifyPassword(String(await storedPassword(user.id)), OTHER_WORDS)).toBe(true)
  })

  test('neither link nor password is in the files of the store', async () => {
    const { link } = await add('ada@example.com')
    const { link: left } = await add('grace@example.com')
    await choosePassword(ctx, { token: link.token, password: WORDS, email: null })
    const secrets = [link.token, left.token, WORDS, Buffer.from(link.token, 'base64url').toString('hex')]
    const stored = await store.contents()
    expect(stored).toContain('$argon2id$')
    for (const secret of secrets) expect(stored).not.toContain(secret)
    await store.control.close()
    for (const secret of secrets) expect(filesOf(store.folder)).not.toContain(secret)
  })
})

describe('the first-run link (rules 7)', () => {
  test('is made once for an installation without a password, even if several ask at once', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => issueFirstLink(ctx, first.user_id)))
    const made = all.filter((one) => one !== null)
    expect(made).toHaveLength(1)
    expect(await findLink(ctx, made[0]?.token ?? '')).toMatchObject({ email: null })
    clock.advance(25 * HOUR_MS)
    expect(await issueFirstLink(ctx, first.user_id)).toBeNull()
    expect(await hasPassword(store.control.db)).toBe(false)
  })

  test('is in force only until a person has a password', async () => {
    const link = await issueFirstLink(ctx, first.user_id)
    const { link: other } = await add('ada@example.com')
    await choosePassword(ctx, { token: other.token, password: WORDS, email: null })
    expect(await hasPassword(store.control.db)).toBe(true)
    await expect(findLink(ctx, String(link?.token))).rejects.toMatchObject(notInForce)
  })

  test('is not made if a person already has a password', async () => {
    const { link } = await add('ada@example.com')
    await choosePassword(ctx, { token: link.token, password: WORDS, email: null })
    expect(await issueFirstLink(ctx, first.user_id)).toBeNull()
  })
})
