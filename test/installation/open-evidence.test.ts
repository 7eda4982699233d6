/**
 * An installation whose evidence is on a server; runs against the double of one, with the control store in
 * PostgreSQL.
 */
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { readConfig } from '#config.ts'
import { connectClickHouse } from '#evidence/clickhouse/open.ts'
import { evidenceLayout, readMigrations } from '#evidence/migrate.ts'
import { IMPORT_LOCK, type NamedLocks, processLocks } from '#evidence/named-locks.ts'
import { openInstallation } from '#installation/open-installation.ts'
import { openServers } from '#nodes/open-servers.ts'
import { startClickHouseDouble } from '../support/clickhouse.ts'
import { fakeClock } from '../support/clock.ts'
import { makeTestFolder, openTestControl, removeTestFolder } from '../support/control.ts'
import { createDatabase } from '../support/postgres.ts'

test('one of the processes that start at once creates the tables of an empty server, and its files are not copied', async () => {
  const folders = [makeTestFolder(), makeTestFolder(), makeTestFolder()] as const
  const [server_folder, ...data] = folders
  const double = await startClickHouseDouble(server_folder)
  const database = await createDatabase({ migrated: true })
  const installations = await Promise.all(
    data.map((folder) => {
      const clickhouse = { urls: [double.url], cluster: null }
      const config = {
        ...readConfig({}),
        data: folder,
        database_url: database.url,
        clickhouse,
        secret_key: 'a'.repeat(64),
      }
      return openInstallation({
        config,
        clock: fakeClock('2026-03-08T12:00:00Z'),
        log: pino({ level: 'silent' }),
        wait_ms: 0,
      })
    }),
  )
  try {
    const opened = await Promise.all(installations.map((installation) => installation.crawlers()))
    const states = await Promise.all(opened.map(({ evidence }) => evidence.state()))
    expect(new Set(states.map(({ layout }) => layout)).size).toBe(1)
    const [first] = installations
    await expect(first?.backup(async () => {})).rejects.toMatchObject({
      kind: 'not_built',
      message: expect.stringMatching(/BACKUP.*pg_dump.*docs\/operating\/clickhouse\.md/),
    })
  } finally {
    for (const installation of installations) await installation.close()
    await double.close()
    await database.drop()
    folders.forEach(removeTestFolder)
  }
})

test('a new layout waits for the import lock, so that it does not remove staged rows', async () => {
  const folder = makeTestFolder()
  const double = await startClickHouseDouble(folder)
  const { control, remove } = await openTestControl()
  const seen = connectClickHouse(double.url, null).store
  const layouts: number[] = []
  const own = processLocks()
  const locks: NamedLocks = {
    ...own,
    async run(name, work) {
      if (name !== IMPORT_LOCK) return own.run(name, work)
      layouts.push(await evidenceLayout(seen))
      const done = await own.run(name, work)
      layouts.push(await evidenceLayout(seen))
      return done
    },
  }
  try {
    for (const _ of ['new', 'known']) {
      const store = await openServers({ urls: [double.url], cluster: null }, control, { locks })
      await store.close()
    }
    expect(layouts).toEqual([0, (await readMigrations()).length])
  } finally {
    await seen.close()
    await remove()
    await double.close()
    removeTestFolder(folder)
  }
})
