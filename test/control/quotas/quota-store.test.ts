import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { openPostgresQuotas } from '#control/quotas/postgres-quotas.ts'
import type { QuotaStore } from '#control/quotas/quota-store.ts'
import { HOURLY_LIMIT, MONTHLY_LIMIT } from '#control/quotas/rings.ts'
import { openSqliteQuotas } from '#control/quotas/sqlite-quotas.ts'
import { readQuotas } from '#control/quotas/windows.ts'
import { makeTestFolder, removeTestFolder } from '../../support/control.ts'
import { createDatabase, type TestDatabase } from '../../support/postgres.ts'

const START = Date.parse('2026-03-10T12:00:30Z')
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

let folder: string
let database: TestDatabase | null
let opened: QuotaStore[]
beforeEach(async () => {
  folder = makeTestFolder()
  database = inject('control_store') === 'postgres' ? await createDatabase({ migrated: true }) : null
  opened = []
})
afterEach(async () => {
  for (const store of opened) await store.close()
  await database?.drop()
  removeTestFolder(folder)
})

function openStore(): QuotaStore {
  const store = database === null ? openSqliteQuotas(join(folder, 'quotas.sqlite')) : openPostgresQuotas(database.url)
  opened.push(store)
  return store
}

/** The rule itself, over instants: buckets of whole minutes and hours, the oldest in full. */
function evaluator() {
  const counted: number[] = []
  const within = (now: number, width: number, buckets: number) =>
    counted.filter((at) => Math.floor(at / width) > Math.floor(now / width) - buckets).length
  return {
    count(now: number): boolean {
      const has_room = within(now, MINUTE_MS, 61) < HOURLY_LIMIT && within(now, HOUR_MS, 721) < MONTHLY_LIMIT
      if (has_room) counted.push(now)
      return has_room
    },
    remaining: (now: number) => HOURLY_LIMIT - within(now, MINUTE_MS, 61),
  }
}

describe('counting requests (account API 5)', () => {
  test('agrees with the rule over days of random pauses', async () => {
    const pauses = fc.array(
      fc.record({ ms: fc.oneof(fc.nat(90_000), fc.nat(2 * HOUR_MS), fc.nat(40 * 24 * HOUR_MS)), burst: fc.nat(6) }),
      { minLength: 1, maxLength: 12 },
    )
    const store = openStore()
    let accounts = 0
    await fc.assert(
      fc.asyncProperty(pauses, async (steps) => {
        const account = `account-${accounts++}`
        const rule = evaluator()
        let now = START
        for (const { ms, burst } of steps) {
          now += ms
          for (let n = 0; n <= burst; n++) {
            const { is_counted, rings } = await store.count(account, now)
            expect(is_counted).toBe(rule.count(now))
            expect(readQuotas(rings, now).hour.remaining).toBe(rule.remaining(now))
          }
        }
      }),
      { numRuns: 25 },
    )
  })

  test('exactly 1,000 pass in an hour, however many arrive at once from two stores', async () => {
    const stores = [openStore(), openStore()]
    const asked = Array.from({ length: HOURLY_LIMIT + 100 }, (_, n) => stores[n % 2]?.count('a', START + n))
    const passed = (await Promise.all(asked)).filter((answer) => answer?.is_counted)
    expect(passed).toHaveLength(HOURLY_LIMIT)
    expect((await stores[0]?.count('b', START))?.is_counted).toBe(true)
    const opens = readQuotas((await stores[1]?.read('a')) ?? null, START).hour.resets_at
    expect(opens).toBe((Math.floor(START / MINUTE_MS) + 61) * MINUTE_MS)
    expect((await stores[0]?.count('a', Number(opens) - 1))?.is_counted).toBe(false)
    expect((await stores[0]?.count('a', Number(opens)))?.is_counted).toBe(true)
  })

  test('the 30 days close while every hour has room', async () => {
    const store = openStore()
    await store.count('a', START)
    await fill(99_999)
    expect((await store.count('a', START + 2 * HOUR_MS))?.is_counted).toBe(true)
    const full = await store.count('a', START + 4 * HOUR_MS)
    expect(full.is_counted).toBe(false)
    expect(readQuotas(full.rings, START + 4 * HOUR_MS)).toMatchObject({
      hour: { remaining: HOURLY_LIMIT },
      thirty_days: { remaining: 0 },
    })
  })

  test('a clock that is set back counts into the newest minute, and never below zero', async () => {
    const store = openStore()
    await store.count('a', START)
    const { is_counted, rings } = await store.count('a', START - 5 * HOUR_MS)
    expect(is_counted).toBe(true)
    expect(rings.minutes[60]).toBe(2)
    expect(readQuotas(rings, START).hour.remaining).toBe(HOURLY_LIMIT - 2)
  })

  test('an account has no counts before its first request', async () => {
    expect(await openStore().read('a')).toBeNull()
  })
})

test.skipIf(inject('control_store') === 'postgres')(
  'a file that is not a database fails each count, and counting works after it is removed',
  async () => {
    const file = join(folder, 'quotas.sqlite')
    writeFileSync(file, 'not a database, but long enough to be read as one. '.repeat(40))
    const store = openStore()
    await expect(store.count('a', START)).rejects.toThrow(/database/)
    writeFileSync(file, '')
    expect(await store.count('a', START)).toMatchObject({ is_counted: true })
  },
)

test.runIf(inject('control_store') === 'postgres')(
  'on PostgreSQL only the commit of a count need not reach the disk',
  async () => {
    if (database === null) throw new Error('this test needs a database')
    const { pathname } = new URL(database.url)
    await database.execute(`ALTER DATABASE "${pathname.slice(1)}" SET synchronous_commit = on`)
    const store = openStore()
    await store.count('a', START)
    await database.execute('CREATE TABLE seen (setting text)')
    await database.execute(`CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN INSERT INTO seen VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$`)
    await database.execute('CREATE TRIGGER note AFTER INSERT OR UPDATE ON quotas FOR EACH ROW EXECUTE FUNCTION note()')
    // On one connection after the other: the row of another account is added without the setting.
    await store.count('a', START)
    await store.count('b', START)
    expect(await database.execute('SELECT setting FROM seen')).toEqual([
      { setting: 'off' },
      { setting: 'on' },
      { setting: 'off' },
    ])
  },
)

/** Writes so many requests into the newest hour of account a, behind the store's back. */
async function fill(requests: number): Promise<void> {
  // Spread over the hours; the oldest are empty, so that none of them leaves within the test.
  if (database !== null) {
    await database.execute(`UPDATE quotas SET hours_sum = ${requests},
      hours = array_fill(0::smallint, ARRAY[10]) || array_fill(139::smallint, ARRAY[710])
        || ${requests - 710 * 139}::smallint`)
    return
  }
  const { DatabaseSync } = await import('node:sqlite')
  const sqlite = new DatabaseSync(join(folder, 'quotas.sqlite'))
  const hours = new Uint16Array(721).fill(139, 10)
  hours[720] = requests - 710 * 139
  sqlite.prepare('UPDATE quotas SET hours_sum = ?, hours = ?').run(requests, new Uint8Array(hours.buffer))
  sqlite.close()
}
