import { afterAll, beforeAll, expect, test } from 'vitest'
import { changePassword, storePassword } from '#accounts/change-password.ts'
import { ensureInstallation } from '#accounts/ensure-installation.ts'
import { findSession, startSession } from '#accounts/sessions.ts'
import { fakeClock } from '../support/clock.ts'
import { openTestControl, type TestControl } from '../support/control.ts'

const clock = fakeClock('2026-03-10T12:00:00Z')
let store: TestControl
let user_id: string

beforeAll(async () => {
  store = await openTestControl()
  user_id = (await ensureInstallation(store.control, clock)).user_id
})
afterAll(() => store.remove())

test('a password that was chosen while the old one was compared stays', async () => {
  const { control } = store
  const secret = await startSession(control.db, clock, { user_id, user_agent: null })
  const signed_in = await findSession({ control, clock }, secret)
  if (signed_in === null) throw new Error('the session has begun')
  await control.transaction((trx) =>
    storePassword(trx, { user_id, hash: 'chosen with a link', chosen_at: clock.now() }),
  )
  expect(await changePassword({ control, clock }, signed_in.caller, 'five words are enough too')).toBeNull()
  expect(await control.db.selectFrom('passwords').select('hash').execute()).toEqual([{ hash: 'chosen with a link' }])
})
