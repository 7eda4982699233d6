import { afterEach, beforeEach, expect, test } from 'vitest'
import { ensureInstallation } from '#accounts/ensure-installation.ts'
import { findLink, forgetExpiredLinks, issueLink } from '#accounts/one-time-links.ts'
import { HOUR_MS } from '#clock.ts'
import { fakeClock } from '../support/clock.ts'
import { openTestControl, type TestControl } from '../support/control.ts'

let store: TestControl
beforeEach(async () => {
  store = await openTestControl()
})
afterEach(() => store.remove())

test('a link is deleted after it has expired, and not before', async () => {
  const clock = fakeClock('2026-03-01T12:00:00Z')
  const { control } = store
  const { user_id } = await ensureInstallation(control, clock)
  const { token } = await issueLink(control.db, clock, { user_id })
  clock.advance(24 * HOUR_MS - 1)
  expect(await forgetExpiredLinks({ control, clock })).toBe(0)
  expect(await findLink({ control, clock }, token)).toMatchObject({ email: null })
  clock.advance(1)
  expect(await forgetExpiredLinks({ control, clock })).toBe(1)
  expect(await control.db.selectFrom('one_time_links').selectAll().execute()).toEqual([])
})
