import type { Migration } from 'kysely/migration'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { migrateToLatest } from '#control/migrate.ts'
import { migrations } from '#control/migrations/index.ts'
import { nextNumber, nextTimedNumber, readSetting, writeSetting } from '#control/settings.ts'
import { startChild } from '../support/child.ts'
import { openTestControl, type TestControl } from '../support/control.ts'

let store: TestControl
beforeEach(async () => {
  store = await openTestControl()
})
afterEach(() => store.remove())

/** Closes the store and opens its database again. */
async function reopen() {
  await store.control.close()
  store.control = await store.open()
}

describe('layout', () => {
  const layout = async () => ({
    tables: await store.control.db.introspection.getTables({ withInternalKyselyTables: true }),
    done: await store.execute('SELECT name, timestamp FROM kysely_migration ORDER BY name'),
  })

  test('an empty database gets every migration, a second opening changes nothing', async () => {
    await writeSetting(store.control.db, 'kept', 'yes')
    const before = await layout()
    expect(before.done.map((row) => row.name)).toEqual(Object.keys(migrations))
    expect(before.tables.length).toBeGreaterThan(10)
    await reopen()
    expect(await layout()).toEqual(before)
    expect(await readSetting(store.control.db, 'kept')).toBe('yes')
  })

  test('a store of a newer Spoor is refused with advice, and not changed', async () => {
    await store.execute("INSERT INTO kysely_migration VALUES ('0999-later', '2030-01-01T00:00:00.000Z')")
    await expect(reopen()).rejects.toMatchObject({
      kind: 'not_readable',
      message: expect.stringMatching(/newer Spoor.*0999-later/),
    })
  })

  test('a migration that fails halfway is rolled back', async () => {
    const failing: Migration = {
      async up(db) {
        await db.schema.createTable('half').addColumn('id', 'text').execute()
        throw new Error('no further')
      },
    }
    const before = await layout()
    const known = { ...migrations, '0998-failing': failing }
    const migrated = store.control.transaction((trx) => migrateToLatest(trx, 'it', known))
    await expect(migrated).rejects.toThrow('it')
    expect(await layout()).toEqual(before)
  })

  test('numbers come back as numbers, exact up to 2^53', async () => {
    const { db } = store.control
    const row = { site_id: 's', removed_at: Number.MAX_SAFE_INTEGER, evidence_deleted_at: null }
    await db.insertInto('removed_sites').values(row).execute()
    expect(await db.selectFrom('removed_sites').selectAll().execute()).toEqual([row])
  })
})

describe('transactions', () => {
  test('a failed transaction stores nothing, and is not left open', async () => {
    const { control } = store
    const failing = control.transaction(async (trx) => {
      await writeSetting(trx, 'a', '1')
      throw new Error('stop')
    })
    await expect(failing).rejects.toThrow('stop')
    expect(await readSetting(control.db, 'a')).toBeNull()
    await control.transaction((trx) => writeSetting(trx, 'a', '2'))
    expect(await readSetting(control.db, 'a')).toBe('2')
  })

  test('a statement that fails inside a transaction rolls all of it back', async () => {
    const { control } = store
    const failing = control.transaction(async (trx) => {
      await writeSetting(trx, 'a', '1')
      await trx.insertInto('settings').values({ name: 'a', value: 'again' }).execute()
    })
    await expect(failing).rejects.toThrow(/unique/i)
    expect(await readSetting(control.db, 'a')).toBeNull()
  })

  test('statements queued behind a failure never commit by themselves', async () => {
    const { control } = store
    // Each round fails at another turn of the microtask queue, so that some statement comes just as all is taken back.
    for (let turns = 0; turns < 60; turns++) {
      const late: Promise<unknown>[] = []
      const failing = control.transaction(async (trx) => {
        for (let n = 0; n < 40; n++) late.push(writeSetting(trx, `late-${turns}-${n}`, 'x'))
        for (let n = 0; n < turns; n++) await null
        throw new Error('stop')
      })
      await expect(failing).rejects.toThrow('stop')
      const outcomes = await Promise.allSettled(late)
      expect(outcomes.some((outcome) => outcome.status === 'rejected')).toBe(true)
    }
    expect(await control.db.selectFrom('settings').selectAll().execute()).toEqual([])
  })

  test('a transaction refuses the store’s own db and a second transaction instead of waiting for itself', async () => {
    const { control } = store
    const own = control.transaction(async (trx) => {
      await writeSetting(trx, 'a', '1')
      await readSetting(control.db, 'a')
    })
    await expect(own).rejects.toThrow('use the transaction')
    const nested = control.transaction(async (trx) => {
      await writeSetting(trx, 'a', '1')
      await control.transaction((inner) => writeSetting(inner, 'b', '1'))
    })
    await expect(nested).rejects.toThrow('use the transaction')
    expect(await control.db.selectFrom('settings').selectAll().execute()).toEqual([])
  })

  test('work that outlives its transaction may use the store again', async () => {
    const { control } = store
    let later: Promise<string | null> | undefined
    let go = () => {}
    const gate = new Promise<void>((resolve) => {
      go = resolve
    })
    await control.transaction(async (trx) => {
      await writeSetting(trx, 'a', '1')
      later = gate.then(() => readSetting(control.db, 'a'))
    })
    go()
    expect(await later).toBe('1')
  })

  test('fifty numbers requested at once are fifty different numbers', async () => {
    const { control } = store
    const alone = Array.from({ length: 25 }, () => nextNumber(control.db, 'next_build'))
    const inside = Array.from({ length: 25 }, () => control.transaction((trx) => nextNumber(trx, 'next_build')))
    const numbers = await Promise.all([...alone, ...inside])
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1))
  })

  test('numbers that increase with time differ, even if requested at once and after the clock went back', async () => {
    const { control } = store
    const next = (now: number) => nextTimedNumber(control.db, 'timed', now)
    expect([await next(5_000), await next(5_000), await next(4_000), await next(7_000)]).toEqual([
      5_000, 5_001, 5_002, 7_000,
    ])
    const numbers = await Promise.all(Array.from({ length: 20 }, () => next(7_000)))
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => 7_001 + n))
  })

  test('concurrent transactions do not see or undo one another', async () => {
    const { control } = store
    const works = Array.from({ length: 50 }, (_, n) =>
      control.transaction(async (trx) => {
        const value = await readSetting(trx, 'sum')
        await writeSetting(trx, 'sum', String(Number(value ?? '0') + 1))
        if (n % 5 === 0) throw new Error('stop')
      }),
    )
    const outcomes = await Promise.allSettled(works)
    expect(outcomes.filter((outcome) => outcome.status === 'rejected')).toHaveLength(10)
    expect(await readSetting(control.db, 'sum')).toBe('40')
  })

  test('reads of a snapshot see one instant, and a snapshot writes nothing', async () => {
    const { control } = store
    await writeSetting(control.db, 'a', '1')
    const seen = await control.snapshot(async (trx) => {
      const first = await readSetting(trx, 'a')
      await store.execute("UPDATE settings SET value = '2' WHERE name = 'a'")
      return [first, await readSetting(trx, 'a')]
    })
    expect(seen).toEqual(['1', '1'])
    await expect(control.snapshot((trx) => writeSetting(trx, 'a', '3'))).rejects.toThrow(/read-?only/)
    await writeSetting(control.db, 'a', '4')
    expect(await readSetting(control.db, 'a')).toBe('4')
  })

  test('kill -9 inside a transaction keeps what was committed and nothing else', async () => {
    const child = startChild(
      new URL('./hold-transaction.child.ts', import.meta.url),
      inject('control_store'),
      store.place,
    )
    expect(await child.line()).toBe('inside')
    await child.kill()
    await reopen()
    expect(await readSetting(store.control.db, 'committed')).toBe('yes')
    expect(await readSetting(store.control.db, 'uncommitted')).toBeNull()
    await writeSetting(store.control.db, 'after', 'yes')
  })

  test('closing waits for the running transaction, and a closed store reports that it is closed', async () => {
    const { control } = store
    const running = control.transaction(async (trx) => {
      await writeSetting(trx, 'a', '1')
      await new Promise((resolve) => setTimeout(resolve, 20))
      await writeSetting(trx, 'b', '1')
    })
    await control.close()
    await control.close()
    await running
    await expect(control.ping()).rejects.toThrow()
    await reopen()
    expect(await readSetting(store.control.db, 'b')).toBe('1')
    await store.control.ping()
  })
})

describe('constraints', () => {
  const at = Date.parse('2026-03-01T12:00:00Z')
  const account = (id: string) => ({ id, name: id, status: 'active', access: 'subscription', created_at: at }) as const
  const source = { connection_status: 'live', is_primary: 1, created_at: at, connected_at: null } as const
  const upload = { ...source, site_id: 's', source_type: 'log_upload', data_through: null, has_statuses: 0 } as const

  beforeEach(async () => {
    const { db } = store.control
    await db.insertInto('accounts').values(account('a')).execute()
    await db
      .insertInto('sites')
      .values({ id: 's', account_id: 'a', root_domain: 'example.com', created_at: at })
      .execute()
    await db
      .insertInto('sources')
      .values({ ...upload, id: 'u', name: '' })
      .execute()
  })

  test('a row cannot refer to a missing row', async () => {
    const { db } = store.control
    const site = { id: 't', account_id: 'nobody', root_domain: 'example.org', created_at: at }
    await expect(db.insertInto('sites').values(site).execute()).rejects.toThrow(/foreign key/i)
  })

  test('a root domain is unique within its account, and may also be in another account', async () => {
    const { db } = store.control
    const site = { account_id: 'a', root_domain: 'example.com', created_at: at }
    await expect(
      db
        .insertInto('sites')
        .values({ ...site, id: 't' })
        .execute(),
    ).rejects.toThrow(/unique/i)
    await db.insertInto('accounts').values(account('b')).execute()
    await db
      .insertInto('sites')
      .values({ ...site, id: 't', account_id: 'b' })
      .execute()
  })

  test('an account with sites is not deleted, so that no evidence is orphaned', async () => {
    await expect(store.control.db.deleteFrom('accounts').where('id', '=', 'a').execute()).rejects.toThrow(
      /foreign key/i,
    )
  })

  test('a state outside its vocabulary is refused by the database', async () => {
    const { db } = store.control
    const wrong = db
      .updateTable('sources')
      .set({ connection_status: 'asleep' as 'live' })
      .execute()
    await expect(wrong).rejects.toThrow(/check/i)
  })

  test('one server has one upload source, and one name one intake source', async () => {
    const { db } = store.control
    await expect(
      db
        .insertInto('sources')
        .values({ ...upload, id: 'v', name: '' })
        .execute(),
    ).rejects.toThrow(/unique/i)
    await db
      .insertInto('sources')
      .values({ ...upload, id: 'v', name: 'edge-2' })
      .execute()
    const intake = { ...upload, source_type: 'https_intake', name: '' } as const
    await db
      .insertInto('sources')
      .values({ ...intake, id: 'w' })
      .execute()
    await expect(
      db
        .insertInto('sources')
        .values({ ...intake, id: 'x' })
        .execute(),
    ).rejects.toThrow(/unique/i)
  })

  test('a delivery that still writes coverage is kept, unless its site is removed', async () => {
    const { db } = store.control
    const delivery = { site_id: 's', source_id: 'u', state: 'writing', started_at: at, finished_at: null } as const
    await db
      .insertInto('deliveries')
      .values({ ...delivery, id: 'd' })
      .execute()
    await db
      .insertInto('coverage_intervals')
      .values({
        id: 'c',
        site_id: 's',
        source_id: 'u',
        host: '*',
        from_at: at,
        to_at: at + 60_000,
        quality: 'partial',
        reason: 'unfinished',
        is_declared: 0,
        silence_limit_ms: 0,
        delivery_id: 'd',
      })
      .execute()
    await expect(db.deleteFrom('deliveries').execute()).rejects.toThrow(/foreign key/i)
    const empty = db.updateTable('coverage_intervals').set({ to_at: at }).execute()
    await expect(empty).rejects.toThrow(/check/i)
    await db.deleteFrom('sites').where('id', '=', 's').execute()
    expect(await db.selectFrom('coverage_intervals').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('deliveries').selectAll().execute()).toEqual([])
  })
})
