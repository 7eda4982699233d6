import { afterEach, beforeEach, expect, test } from 'vitest'
import { ensureInstallation } from '#accounts/ensure-installation.ts'
import { fakeClock } from '../support/clock.ts'
import { openTestControl, type TestControl } from '../support/control.ts'

const clock = fakeClock('2026-03-01T12:00:00Z')
let store: TestControl
beforeEach(async () => {
  store = await openTestControl()
})
afterEach(() => store.remove())

test('an empty store gets one active account with a subscription, and its operator without an address', async () => {
  const { account_id, user_id, created } = await ensureInstallation(store.control, clock)
  expect(created).toBe(true)
  const { db } = store.control
  expect(await db.selectFrom('accounts').selectAll().execute()).toEqual([
    {
      id: account_id,
      name: 'Main account',
      status: 'active',
      access: 'subscription',
      access_ends_at: null,
      active_question_limit: 100,
      created_at: clock.now(),
    },
  ])
  expect(await db.selectFrom('users').selectAll().execute()).toEqual([
    { id: user_id, account_id, email: null, is_operator: 1, account_role: 'admin', created_at: clock.now() },
  ])
})

test('called again, even several times at once, it finds the same installation', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => ensureInstallation(store.control, clock)))
  expect(all.filter((one) => one.created)).toHaveLength(1)
  expect(new Set(all.map((one) => one.user_id)).size).toBe(1)
  expect(await store.control.db.selectFrom('users').select('id').execute()).toHaveLength(1)
})

test('a start that breaks off leaves nothing, and the next one creates', async () => {
  const { db } = store.control
  const broken = { ...clock, now: () => Number.NaN }
  await expect(ensureInstallation(store.control, broken)).rejects.toThrow()
  expect(await db.selectFrom('settings').selectAll().execute()).toEqual([])
  expect((await ensureInstallation(store.control, clock)).created).toBe(true)
})
