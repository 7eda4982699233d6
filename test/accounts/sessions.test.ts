import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureInstallation } from '#accounts/ensure-installation.ts'
import {
  confirmSession,
  endSession,
  endSessions,
  findSession,
  findSessions,
  forgetExpiredSessions,
  isConfirmed,
  startSession,
} from '#accounts/sessions.ts'
import { DAY_MS, MINUTE_MS } from '#clock.ts'
import { WriteGate } from '#move/write-gate.ts'
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

const ctx = () => ({ control: store.control, clock })
const start = (user_agent: string | null = null) => startSession(store.control.db, clock, { user_id, user_agent })

test('a session is found by its secret alone, which is not stored', async () => {
  const secret = await start('x'.repeat(300))
  expect(await findSession(ctx(), secret)).toMatchObject({
    caller: { kind: 'session', user_id, is_operator: true, account_role: 'admin', site_ids: null },
    account: { status: 'active' },
  })
  const other = `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`
  for (const text of [other, secret.slice(1), '', `${secret} `]) expect(await findSession(ctx(), text)).toBeNull()
  const [row] = await store.control.db.selectFrom('sessions').selectAll().execute()
  expect(row?.user_agent).toHaveLength(200)
  expect(JSON.stringify(row)).not.toContain(secret)
  await endSession(ctx(), secret)
  expect(await findSession(ctx(), secret)).toBeNull()
})

test('a use keeps it in force for 14 days, and most uses write nothing', async () => {
  const secret = await start()
  const lastUse = async () => (await findSessions(ctx(), user_id)).map(({ last_used_at }) => last_used_at)
  const [began] = await lastUse()
  clock.advance(4 * MINUTE_MS)
  await findSession(ctx(), secret)
  expect(await lastUse()).toEqual([began])
  clock.advance(14 * DAY_MS - 5 * MINUTE_MS)
  expect(await findSession(ctx(), secret)).not.toBeNull()
  clock.advance(14 * DAY_MS)
  expect(await findSession(ctx(), secret)).toBeNull()
  expect(await findSessions(ctx(), user_id)).toEqual([])
  expect(await forgetExpiredSessions(ctx())).toBe(1)
})

test('a person reads on while the store takes no writes, and the use is not noted', async () => {
  const secret = await start()
  const [began] = await findSessions(ctx(), user_id)
  clock.advance(10 * MINUTE_MS)
  const gate = new WriteGate()
  const moving = { control: gate.ofControl(store.control), clock }
  await gate.close()
  expect(await findSession(moving, secret)).toMatchObject({ caller: { user_id } })
  expect(await findSessions(ctx(), user_id)).toEqual([began])
  gate.open()
  await findSession(moving, secret)
  expect(await findSessions(ctx(), user_id)).toMatchObject([{ last_used_at: clock.now() }])
  await endSession(ctx(), secret)
})

test('a password counts as given for ten minutes', async () => {
  const secret = await start()
  const signedIn = async () => (await findSession(ctx(), secret))?.caller ?? null
  const before = await signedIn()
  clock.advance(10 * MINUTE_MS)
  expect(before !== null && isConfirmed(before, clock)).toBe(true)
  clock.advance(1)
  expect(before !== null && isConfirmed(before, clock)).toBe(false)
  await confirmSession(ctx(), String(before?.session_id))
  const after = await signedIn()
  expect(after !== null && isConfirmed(after, clock)).toBe(true)
  await start()
  await endSessions(store.control.db, user_id)
  expect(await findSessions(ctx(), user_id)).toEqual([])
})
