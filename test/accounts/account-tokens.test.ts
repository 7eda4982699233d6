import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  createAccountToken,
  listAccountTokens,
  revokeAccountToken,
  rotateAccountToken,
} from '#accounts/account-tokens.ts'
import { authenticateAccountToken } from '#accounts/authenticate-account-token.ts'
import { ensureInstallation, type OperatorAccount } from '#accounts/ensure-installation.ts'
import { collectKeyUses } from '#accounts/key-uses.ts'
import { addUser, removeUser, setAccountRole } from '#accounts/users.ts'
import { type FakeClock, fakeClock } from '../support/clock.ts'
import { openTestControl, type TestControl } from '../support/control.ts'

let store: TestControl
let clock: FakeClock
let first: OperatorAccount
let ctx: { control: TestControl['control']; clock: FakeClock }

beforeEach(async () => {
  store = await openTestControl()
  clock = fakeClock('2026-03-01T12:00:20Z')
  ctx = { control: store.control, clock }
  first = await ensureInstallation(store.control, clock)
})
afterEach(() => store.remove())

const newToken = (scope: 'read' | 'write' = 'read', user_id = first.user_id) =>
  createAccountToken(ctx, { account_id: first.account_id, user_id, name: 'agent', scope })
const open = (secret: string) => authenticateAccountToken(ctx, secret)

describe('account tokens (spec 5)', () => {
  test('a token is spoor_acct_ and 256 random bits; only its prefix and hash are stored', async () => {
    const { secret, prefix } = await newToken()
    expect(secret).toMatch(/^spoor_acct_[A-Za-z0-9_-]{43}$/)
    expect(prefix).toBe(secret.slice(0, 19))
    const stored = await store.contents()
    expect(stored).toContain(prefix)
    expect(stored).not.toContain(secret)
  })

  test('it identifies its person, with its scope and the state of the account', async () => {
    const { id, secret } = await newToken('write')
    expect(await open(secret)).toStrictEqual({
      kind: 'account_token',
      token_id: id,
      user_id: first.user_id,
      account_id: first.account_id,
      account_role: 'admin',
      site_ids: null,
      may_write: true,
      account: { status: 'active', access: 'subscription', access_ends_at: null },
    })
    expect(await open((await newToken('read')).secret)).toMatchObject({ may_write: false })
  })

  test('another kind, a cut or changed secret and its hash identify no person', async () => {
    const { secret } = await newToken()
    const { secret_sha256 } = await store.control.db.selectFrom('account_tokens').selectAll().executeTakeFirstOrThrow()
    const wrong = [
      secret.replace('spoor_acct_', 'spoor_site_'),
      secret.slice(0, -1),
      secret.slice(0, -1) + (secret.endsWith('A') ? 'B' : 'A'),
      ` ${secret}`,
      secret_sha256,
      `spoor_acct_${secret_sha256.slice(0, 43)}`,
      '',
    ]
    for (const text of wrong) expect(await open(text), text).toBeNull()
  })

  test('at most 5 are active, of all people of the account together; a revoked one makes room', async () => {
    const { user } = await addUser(ctx, { account_id: first.account_id, email: 'a@example.com', is_operator: false })
    const made = [await newToken(), await newToken(), await newToken(), await newToken('read', user.id)]
    made.push(await newToken('write', user.id))
    await expect(newToken()).rejects.toMatchObject({ kind: 'limit_reached' })
    await revokeAccountToken(ctx, { ...first, token: made[0]?.prefix as string })
    expect(await newToken()).toMatchObject({ secret: expect.any(String) })
    await expect(newToken('read', user.id)).rejects.toMatchObject({ kind: 'limit_reached' })
  })

  test('ten that are made at once leave five', async () => {
    const made = await Promise.allSettled(Array.from({ length: 10 }, () => newToken()))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    expect(await listAccountTokens(ctx, first)).toHaveLength(5)
  })

  test('revoking takes effect with the next request, by id, prefix or secret, and a repeat keeps the first instant', async () => {
    const [one, two] = [await newToken(), await newToken()]
    const revoked = await revokeAccountToken(ctx, { ...first, token: one.secret })
    expect(await open(one.secret)).toBeNull()
    clock.advance(5_000)
    expect(await revokeAccountToken(ctx, { ...first, token: one.id.toUpperCase() })).toEqual(revoked)
    await expect(revokeAccountToken(ctx, { account_id: 'another', token: two.id })).rejects.toMatchObject({
      kind: 'not_found',
    })
    await store.control.db.updateTable('account_tokens').set({ prefix: one.prefix }).execute()
    const ambiguous = revokeAccountToken(ctx, { ...first, token: one.prefix })
    await expect(ambiguous).rejects.toMatchObject({ kind: 'conflict' })
  })

  test('rotation replaces a token in a full account: same person, name and scope, and the old one ends at once', async () => {
    for (let n = 0; n < 4; n++) await newToken()
    const old = await newToken('write')
    const { revoked, ...fresh } = await rotateAccountToken(ctx, { ...first, token: old.prefix })
    expect(revoked).toMatchObject({ id: old.id, revoked_at: clock.now() })
    expect(await open(old.secret)).toBeNull()
    expect(await open(fresh.secret)).toMatchObject({ may_write: true, user_id: first.user_id })
    await expect(rotateAccountToken(ctx, { ...first, token: old.id })).rejects.toMatchObject({ kind: 'conflict' })
  })

  test('a token ends with its person', async () => {
    const { user } = await addUser(ctx, { account_id: first.account_id, email: 'a@example.com', is_operator: false })
    const { id, secret } = await newToken('read', user.id)
    expect(await open(secret)).toMatchObject({ account_role: 'member' })
    expect(await removeUser(ctx, user.id)).toMatchObject({ ended_token_ids: [id] })
    expect(await open(secret)).toBeNull()
  })

  test('last_used_at has a minute’s grain and is written at the flush', async () => {
    const { secret } = await newToken()
    const uses = collectKeyUses(ctx)
    await authenticateAccountToken({ ...ctx, uses }, secret)
    await uses.flush()
    const [token] = await listAccountTokens(ctx, first)
    expect(token).toMatchObject({ last_used_at: Date.parse('2026-03-01T12:00:00Z'), email: null })
    expect(token).not.toHaveProperty('secret_sha256')
  })

  test('people outside of the account get none', async () => {
    await expect(newToken('read', 'stranger')).rejects.toMatchObject({ kind: 'not_found' })
  })
})

describe('roles in the account (account API 1)', () => {
  test('the first user is an admin, all others are members until they are made admins', async () => {
    const { user } = await addUser(ctx, { account_id: first.account_id, email: 'a@example.com', is_operator: true })
    expect(user.account_role).toBe('member')
    expect(await setAccountRole(ctx, { user: 'a@example.com', account_role: 'admin' })).toMatchObject({
      account_role: 'admin',
    })
    const demote = { user: first.user_id, account_role: 'member' } as const
    expect(await setAccountRole(ctx, demote)).toMatchObject({ account_role: 'member' })
  })
})
