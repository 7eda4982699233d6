import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeSetting } from '#control/settings.ts'
import { openSqliteControl } from '#control/sqlite.ts'
import { openTestControl, type TestControl } from '../support/control.ts'

let store: TestControl
beforeEach(async () => {
  store = await openTestControl()
})
afterEach(() => store.remove())

test('the files are closed to other users, and the store has the highest durability of SQLite', async () => {
  await writeSetting(store.control.db, 'a', 'b')
  for (const suffix of ['', '-wal', '-shm']) expect(statSync(store.place + suffix).mode & 0o777).toBe(0o600)
  const other = new DatabaseSync(store.place)
  expect(other.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
  other.close()
  const { rows } = await sql`PRAGMA synchronous`.execute(store.control.db)
  expect(rows).toEqual([{ synchronous: 2 }])
})

test('a file that is not a database is refused by name, and not touched', async () => {
  const file = join(store.folder, 'text')
  writeFileSync(file, 'not a database\n'.repeat(500))
  const before = readFileSync(file)
  await expect(openSqliteControl(file)).rejects.toMatchObject({
    kind: 'not_readable',
    message: expect.stringContaining(file),
  })
  expect(readFileSync(file)).toEqual(before)
})

test('a damaged database is refused, not served', async () => {
  await store.control.close()
  truncateSync(store.place, 8_192)
  await expect(store.open()).rejects.toMatchObject({ kind: 'not_readable' })
  await expect(openSqliteControl(store.folder)).rejects.toMatchObject({ kind: 'not_readable' })
  expect(statSync(store.folder).mode & 0o777).toBe(0o700)
})

/** Root may write everything. */
const asNobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

test('files of another user are reported as such, not as a read-only disk', async () => {
  await store.control.close()
  chmodSync(store.place, 0o400)
  if (asNobody.uid !== undefined) chownSync(store.folder, asNobody.uid, asNobody.gid)
  const open = `import { openSqliteControl } from '#control/sqlite.ts'
    await openSqliteControl(${JSON.stringify(store.place)}).catch(({ kind, message }) => console.log(kind, message))`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', open], {
    ...asNobody,
    encoding: 'utf8',
  })
  expect(stdout).toBe(
    `not_readable ${store.place} may not be read and written by this user. Run the command as the user of the service, or give that user everything in the data folder (chown -R).\n`,
  )
})

test('a transaction that SQLite itself has rolled back reports the cause, and does not continue', async () => {
  const { control } = store
  const failure = "INSERT OR ROLLBACK INTO settings (name, value) VALUES ('a', '2')"
  const failing = (goes_on: boolean) =>
    control.transaction(async (trx) => {
      await writeSetting(trx, 'a', '1')
      const failed = sql.raw(failure).execute(trx)
      await (goes_on ? failed.catch(() => undefined) : failed)
      await writeSetting(trx, 'b', '1')
    })
  await expect(failing(false)).rejects.toThrow('UNIQUE')
  await expect(failing(true)).rejects.toThrow('over')
  expect(await control.db.selectFrom('settings').selectAll().execute()).toEqual([])
})
