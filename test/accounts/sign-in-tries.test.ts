import { afterAll, beforeAll, expect, test } from 'vitest'
import { countLinkTry, countTry, forgetTries, TooManyTries } from '#accounts/sign-in-tries.ts'
import { MINUTE_MS } from '#clock.ts'
import { fakeClock } from '../support/clock.ts'
import { openTestControl, type TestControl } from '../support/control.ts'

let store: TestControl
beforeAll(async () => {
  store = await openTestControl()
})
afterAll(() => store.remove())

const clock = fakeClock('2026-03-10T12:00:00Z')
const tryAs = (email: string, client: string) => countTry({ control: store.control, clock }, { email, client })

test('10 of a client and 20 of an address in 15 minutes', async () => {
  for (let n = 0; n < 10; n += 1) await tryAs(`person${n}@example.com`, '203.0.113.1')
  await expect(tryAs('one@example.com', '203.0.113.1')).rejects.toMatchObject({ wait_seconds: 900 })
  clock.advance(5 * MINUTE_MS)
  for (let n = 0; n < 20; n += 1) await tryAs(n % 2 === 0 ? 'one@example.com' : ' ONE@example.com', `198.51.100.${n}`)
  await expect(tryAs('one@example.com', '203.0.113.2')).rejects.toThrow(TooManyTries)
  // A refused try is not counted, so that waiting ends it.
  clock.advance(10 * MINUTE_MS)
  await tryAs('two@example.com', '203.0.113.1')
  await expect(tryAs('one@example.com', '203.0.113.2')).rejects.toMatchObject({ wait_seconds: 300 })
  clock.advance(5 * MINUTE_MS)
  await tryAs('one@example.com', '203.0.113.2')
})

test('all spellings of an address count together', async () => {
  clock.advance(15 * MINUTE_MS)
  const spellings = [
    'ada@example.com',
    'ADA@ｅxample.com',
    'ada@exa\u00admple.com',
    'ada@example。com',
    ' ada@EXAMPLE.com',
  ]
  for (let n = 0; n < 20; n += 1) await tryAs(String(spellings[n % spellings.length]), `192.0.2.${n}`)
  for (const email of spellings) await expect(tryAs(email, '198.51.100.77')).rejects.toThrow(TooManyTries)
  await tryAs('ada@example.org', '198.51.100.77')
})

test('what succeeded does not count, and tries sent at once all do', async () => {
  clock.advance(15 * MINUTE_MS)
  for (let n = 0; n < 15; n += 1) await (await tryAs('one@example.com', '203.0.113.1'))()
  const at_once = await Promise.allSettled(Array.from({ length: 14 }, () => tryAs('one@example.com', '203.0.113.1')))
  expect(at_once.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
})

test('neither address nor network is stored', async () => {
  const contents = await store.control.db.selectFrom('sign_in_tries').selectAll().execute()
  expect(contents.length).toBeGreaterThan(0)
  expect(JSON.stringify(contents)).not.toMatch(/@|203\.0/)
})

test('20 one-time links of a client, apart from its passwords', async () => {
  const ctx = { control: store.control, clock }
  for (let n = 0; n < 20; n += 1) await countLinkTry(ctx, '203.0.113.9')
  await expect(countLinkTry(ctx, '203.0.113.9')).rejects.toMatchObject({ wait_seconds: 900 })
  await countLinkTry(ctx, '203.0.113.10')
  await tryAs('nine@example.com', '203.0.113.9')
})

test('tries are deleted after an hour even without another try', async () => {
  const ctx = { control: store.control, clock }
  await tryAs('last@example.com', '203.0.113.11')
  clock.advance(59 * MINUTE_MS)
  await forgetTries(ctx)
  const kept = () => store.control.db.selectFrom('sign_in_tries').select('tried_at').execute()
  expect(await kept()).not.toHaveLength(0)
  clock.advance(MINUTE_MS)
  await forgetTries(ctx)
  expect(await kept()).toEqual([])
})
