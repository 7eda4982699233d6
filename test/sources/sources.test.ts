import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { setAccountStatus } from '#accounts/account-status.ts'
import { ensureInstallation } from '#accounts/ensure-installation.ts'
import { collectKeyUses } from '#accounts/key-uses.ts'
import { addSite } from '#sites/sites.ts'
import { authenticateToken } from '#sources/authenticate-token.ts'
import { setPrimary } from '#sources/change-source.ts'
import { disconnectSource, reconnectSource } from '#sources/disconnect-source.ts'
import { addIntakeSource, listSources } from '#sources/sources.ts'
import { createToken, listTokens, revokeToken } from '#sources/tokens.ts'
import { fakeClock } from '../support/clock.ts'
import { openTestControl, type TestControl } from '../support/control.ts'

const NOW = '2026-03-10T12:00:30Z'
let opened: TestControl
let site: { id: string; account_id: string }
let ctx: { control: TestControl['control']; clock: ReturnType<typeof fakeClock> }

beforeEach(async () => {
  opened = await openTestControl()
  ctx = { control: opened.control, clock: fakeClock(NOW) }
  const installation = await ensureInstallation(ctx.control, ctx.clock)
  site = await addSite(ctx, { ...installation, domain: 'example.com' })
})
afterEach(() => opened.remove())

const add = (name = 'web1') => addIntakeSource(ctx, { site_id: site.id, name })
const status = async () => (await listSources(ctx, site.id))[0]?.connection_status

describe('a source token', () => {
  test('is shown once, kept as a hash, and speaks for its source alone', async () => {
    const { source, token } = await add()
    expect(token.secret).toMatch(/^spoor_src_[A-Za-z0-9_-]{43}$/)
    expect(token.prefix).toBe(token.secret.slice(0, 18))
    expect(await opened.contents()).not.toContain(token.secret.slice(18))
    const uses = collectKeyUses(ctx)
    const known = { ...ctx, uses }
    expect(await authenticateToken(known, token.secret)).toEqual({
      ...{
        token_id: token.id,
        source_id: source.id,
        site_id: site.id,
        root_domain: 'example.com',
        retention_days: 400,
      },
      connection_status: 'pending',
    })
    await uses.flush()
    expect((await listTokens(ctx, source.id))[0]?.last_used_at).toBe(Date.parse('2026-03-10T12:00:00Z'))
    for (const other of [`${token.secret}x`, token.secret.slice(0, -1), token.prefix, '', 'spoor_site_x']) {
      expect(await authenticateToken(known, other)).toBeNull()
    }
    expect(await authenticateToken(known, `spoor_src_${'A'.repeat(43)}`)).toBeNull()
  })

  test('of a suspended account still delivers', async () => {
    const { token } = await add()
    await setAccountStatus(ctx, { account_id: site.account_id, status: 'suspended' })
    expect(await authenticateToken({ ...ctx, uses: collectKeyUses(ctx) }, token.secret)).not.toBeNull()
  })

  test('that is revoked ends at once; the last one revokes the source, and with a new one it waits again', async () => {
    const { source, token } = await add()
    const second = await createToken(ctx, { source: 'web1', name: 'second' })
    const known = { ...ctx, uses: collectKeyUses(ctx) }
    await revokeToken(ctx, token.prefix)
    expect(await authenticateToken(known, token.secret)).toBeNull()
    expect(await status()).toBe('pending')
    ctx.clock.advance(1000)
    const revoked = await revokeToken(ctx, second.secret)
    expect(await status()).toBe('revoked')
    ctx.clock.advance(1000)
    expect((await revokeToken(ctx, second.id)).revoked_at).toBe(revoked.revoked_at)
    await createToken(ctx, { source: source.id, name: 'third' })
    expect(await status()).toBe('pending')
    await expect(revokeToken(ctx, 'spoor_src_nothing')).rejects.toMatchObject({ kind: 'not_found' })
  })
})

describe('a source', () => {
  test('has one name on a site and no other than a name', async () => {
    await add()
    await expect(add(' web1 ')).rejects.toMatchObject({ kind: 'conflict' })
    await expect(add('a\nb')).rejects.toMatchObject({ kind: 'invalid_input' })
    await expect(add('')).rejects.toMatchObject({ kind: 'invalid_input' })
    await expect(createToken(ctx, { source: '', name: 'x' })).rejects.toMatchObject({ kind: 'not_found' })
  })

  test('is disconnected and reconnected under its id, waiting for evidence', async () => {
    const { source } = await add()
    expect((await disconnectSource(ctx, 'web1')).connection_status).toBe('disconnected')
    expect((await disconnectSource(ctx, 'web1')).connection_status).toBe('disconnected')
    expect(await reconnectSource(ctx, source.id)).toMatchObject({ id: source.id, connection_status: 'pending' })
    const [token] = await listTokens(ctx, source.id)
    await disconnectSource(ctx, source.id)
    await revokeToken(ctx, String(token?.id))
    expect(await status()).toBe('disconnected')
    expect((await reconnectSource(ctx, source.id)).connection_status).toBe('revoked')
  })

  test('counts from its first evidence, and afterwards as its owner decides', async () => {
    const { source } = await add()
    await expect(setPrimary(ctx, { source: source.id, is_primary: false })).rejects.toMatchObject({ kind: 'conflict' })
    await ctx.control.db.updateTable('sources').set({ connected_at: 1, data_through: 1, is_primary: 1 }).execute()
    expect((await setPrimary(ctx, { source: source.id, is_primary: false })).is_primary).toBe(0)
    expect((await setPrimary(ctx, { source: 'web1', is_primary: true })).is_primary).toBe(1)
  })
})
