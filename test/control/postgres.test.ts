import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '#config.ts'
import { openPostgresControl, type PostgresOptions } from '#control/postgres.ts'
import { readSetting, writeSetting } from '#control/settings.ts'
import type { ControlStore } from '#control/store.ts'
import { startChild, type TestChild } from '../support/child.ts'
import { createDatabase, startPostgres, type TestDatabase } from '../support/postgres.ts'

const WAITING =
  "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'UPDATE%'"

let database: TestDatabase
const stores: ControlStore[] = []
beforeEach(async () => {
  database = await createDatabase()
})
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
  await database.drop()
})

async function open(url = database.url, options: PostgresOptions = {}): Promise<ControlStore> {
  const store = await openPostgresControl(url, options)
  stores.push(store)
  return store
}

/** The database's URL with some parts changed. */
function changed(parts: Partial<Pick<URL, 'username' | 'password' | 'port' | 'pathname' | 'hostname'>>): string {
  return Object.assign(new URL(database.url), parts).href
}

async function outside(): Promise<Client> {
  const client = new Client({ connectionString: database.direct_url })
  await client.connect()
  return client
}

describe('a store that cannot be opened is refused with what to do, and never with the password', () => {
  const refused = async (url: string) => {
    const error = await openPostgresControl(url).catch((thrown) => thrown)
    const { password } = new URL(url)
    expect(password).not.toBe('')
    for (const secret of [password, decodeURIComponent(password)]) expect(`${error.stack}`).not.toContain(secret)
    return { kind: error.kind, message: error.message }
  }

  test('a wrong password', async () => {
    const error = await refused(changed({ password: 'wrong-secret' }))
    expect(error).toEqual({
      kind: 'not_readable',
      message: expect.stringMatching(/postgres@127.*Check user and password/),
    })
  })

  test('a database that is not there', async () => {
    const error = await refused(changed({ pathname: '/missing' }))
    expect(error).toEqual({ kind: 'not_readable', message: expect.stringMatching(/missing.*CREATE DATABASE/) })
  })

  test('a server that does not answer, or does not exist', async () => {
    for (const url of [changed({ port: '1' }), changed({ hostname: 'nowhere.invalid' })]) {
      expect(await refused(url)).toEqual({
        kind: 'not_readable',
        message: expect.stringMatching(/Check that the server runs/),
      })
    }
  })

  test('a user who may not create tables', async () => {
    const [name] = database.url.split('/').slice(-1)
    const role = `visitor_${name}`
    await database.execute(`CREATE ROLE ${role} LOGIN PASSWORD 'visitors-secret'`)
    const error = await refused(changed({ username: role, password: 'visitors-secret' }))
    expect(error).toEqual({ kind: 'not_readable', message: expect.stringMatching(/permission denied.*owner/) })
    await database.execute(`DROP ROLE ${role}`)
  })

  test('a database that only answers reads', async () => {
    const [name] = database.url.split('/').slice(-1)
    await database.execute(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)
    expect(await refused(database.url)).toEqual({ kind: 'not_readable', message: expect.stringContaining('primary') })
  })

  test('a database of another application, whose tables are not touched', async () => {
    await database.execute('CREATE TABLE posts (id int); CREATE TABLE users (id int)')
    const error = await refused(database.url)
    expect(error).toEqual({
      kind: 'not_readable',
      message: expect.stringMatching(/\(posts, users\).*a database of its own/),
    })
    await database.execute(
      "CREATE TABLE kysely_migration (name text); INSERT INTO kysely_migration VALUES ('001_posts')",
    )
    expect(await refused(database.url)).toMatchObject({
      message: expect.stringContaining('kysely_migration, posts, users'),
    })
  })

  test('a database in another encoding', async () => {
    const latin = await createDatabase({ options: "ENCODING 'LATIN1' TEMPLATE template0" })
    expect(await refused(latin.url)).toEqual({ kind: 'not_readable', message: expect.stringContaining('LATIN1') })
    await latin.drop()
  })

  test('an address that is none of PostgreSQL', async () => {
    for (const url of ['mysql://user:secret@host/db', 'postgres://user:se cret@ho st:port/db']) {
      const error = await openPostgresControl(url).catch((thrown) => thrown)
      expect(error).toMatchObject({ kind: 'invalid_input', message: expect.not.stringMatching(/se ?cret/) })
      expect(() => readConfig({ SPOOR_DATABASE_URL: url })).toThrow(/SPOOR_DATABASE_URL is malformed/)
    }
    expect(readConfig({ SPOOR_DATABASE_URL: database.url }).database_url).toBe(database.url)
    expect(readConfig({ SPOOR_DATABASE_URL: '' }).database_url).toBeNull()
  })
})

describe('several processes', () => {
  const children: TestChild[] = []
  afterEach(async () => {
    for (const child of children.splice(0)) await child.kill()
  })

  test('that start, count and add at the same moment on an empty database end with one of everything', async () => {
    const script = new URL('./race.child.ts', import.meta.url)
    children.push(startChild(script, database.url), startChild(script, database.url), startChild(script, database.url))
    for (const child of children) expect(await child.line()).toBe('ready')
    for (const child of children) child.process.stdin?.write('go\n')
    const said = await Promise.all(children.map(async (child) => JSON.parse(await child.line())))
    expect(said.filter((one) => one.created)).toHaveLength(1)
    expect(new Set(said.map((one) => one.user_id)).size).toBe(1)
    const numbers = said.flatMap((one) => one.numbers as number[])
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, n) => n + 1))
    const sites = said.map((one) => one.site as string)
    const [site, ...others] = sites.filter((one) => !one.startsWith('conflict'))
    expect(others).toEqual([])
    for (const refusal of sites.filter((one) => one.startsWith('conflict'))) expect(refusal).toContain(site)
    expect(await database.execute('SELECT name FROM kysely_migration')).not.toEqual([])
    expect(await readSetting((await open()).db, 'sum')).toBe('60')
  })

  test('a writer waits for its turn, a reader never waits', async () => {
    const [one, other] = [await open(), await open()]
    await writeSetting(one.db, 'a', '1')
    const order: string[] = []
    let waiting: Promise<void> | undefined
    await one.transaction(async (trx) => {
      await writeSetting(trx, 'a', '2')
      waiting = other.transaction(async (second) => {
        order.push(`second sees ${await readSetting(second, 'a')}`)
      })
      order.push(`reader sees ${await other.snapshot((reading) => readSetting(reading, 'a'))}`)
      await writeSetting(trx, 'b', '1')
      order.push('first done')
    })
    await waiting
    expect(order).toEqual(['reader sees 1', 'first done', 'second sees 2'])
  })

  test('a writer that does not get its turn fails in time, and its connection can still be used', async () => {
    const control = await open(database.url, { statement_ms: 200 })
    const holder = await outside()
    await holder.query('BEGIN')
    await holder.query('SELECT pg_advisory_xact_lock(5820394417263051)')
    const late = control.transaction((trx) => writeSetting(trx, 'a', '1'))
    await expect(late).rejects.toMatchObject({ kind: 'store_busy' })
    expect(await readSetting(control.db, 'a')).toBeNull()
    await holder.query('COMMIT')
    await control.transaction((trx) => writeSetting(trx, 'a', '2'))
    expect(await readSetting(control.db, 'a')).toBe('2')
    await holder.end()
  })

  test('a transaction that the server broke off in favour of another runs again', async () => {
    const control = await open()
    for (const name of ['a', 'b']) await writeSetting(control.db, name, '1')
    const other = await outside()
    // The other one waits on, so it is ours that the server breaks off.
    await other.query("SET deadlock_timeout = '1h'")
    await other.query('BEGIN')
    await other.query("UPDATE settings SET value = 'other' WHERE name = 'b'")
    let runs = 0
    let crossed: Promise<unknown> | undefined
    await control.transaction(async (trx) => {
      runs++
      await writeSetting(trx, 'a', 'ours')
      crossed ??= other.query("UPDATE settings SET value = 'other' WHERE name = 'a'").then(() => other.query('COMMIT'))
      while (runs === 1 && (await database.execute(WAITING)).length === 0) await pause(10)
      await writeSetting(trx, 'b', 'ours')
    })
    await crossed
    await other.end()
    expect(runs).toBeGreaterThan(1)
    expect([await readSetting(control.db, 'a'), await readSetting(control.db, 'b')]).toEqual(['ours', 'ours'])
  })
})

test('a number past 2^53 is refused, not rounded', async () => {
  const { db } = await open()
  await database.execute("INSERT INTO removed_sites VALUES ('s', 9007199254740993, NULL)")
  await expect(db.selectFrom('removed_sites').selectAll().execute()).rejects.toThrow('2^53')
})

test('while the server is down, requests fail as busy, and later ones work again', async () => {
  const server = await startPostgres()
  try {
    const own = await createDatabase({ server })
    const troubles: string[] = []
    const control = await openPostgresControl(own.url, { onTrouble: (message) => troubles.push(message) })
    const other = await openPostgresControl(own.url)
    await writeSetting(control.db, 'before', 'yes')
    const broken = control.transaction(async (trx) => {
      await writeSetting(trx, 'inside', 'yes')
      await server.stop()
      await writeSetting(trx, 'more', 'yes')
    })
    await expect(broken).rejects.toMatchObject({ kind: 'store_busy' })
    await expect(control.ping()).rejects.toMatchObject({ kind: 'store_busy' })
    await expect(control.snapshot((trx) => readSetting(trx, 'before'))).rejects.toMatchObject({ kind: 'store_busy' })
    expect(troubles.join()).not.toContain(decodeURIComponent(new URL(own.url).password))
    expect(troubles.length).toBeGreaterThan(2)
    await server.start()
    await control.ping()
    expect(await readSetting(control.db, 'before')).toBe('yes')
    expect(await readSetting(control.db, 'inside')).toBeNull()
    await Promise.all(
      [control, other].flatMap((store) =>
        Array.from({ length: 12 }, (_, n) => store.transaction((trx) => writeSetting(trx, `after-${n}`, 'yes'))),
      ),
    )
    await control.close()
    await other.close()
  } finally {
    await server.close()
  }
})
