import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { inject } from 'vitest'
import { openPostgresControl } from '#control/postgres.ts'
import { openSqliteControl } from '#control/sqlite.ts'
import type { ControlStore } from '#control/store.ts'
import { type LentControl, lendControl } from './control-in-postgres.ts'
import { copyStore } from './shared.ts'

export interface TestControl {
  control: ControlStore
  /** Temporary; the SQLite file is in it. */
  folder: string
  /** The SQLite file, or the URL of the PostgreSQL database. */
  place: string
  /** Opens the same database once more; `remove` closes that store too. */
  open(): Promise<ControlStore>
  /** Runs statements from outside, on a connection of their own. */
  execute(sql: string): Promise<Record<string, unknown>[]>
  /** Everything that it holds, as text to search in. */
  contents(): Promise<string>
  /** Closes every store of it and removes what they hold. */
  remove(): Promise<void>
}

/** A fresh control store, on the real database that the test's project asks for (vitest.config.ts). */
export function openTestControl(): Promise<TestControl> {
  return inject('control_store') === 'postgres' ? openPostgres() : openSqlite()
}

async function openSqlite(): Promise<TestControl> {
  const folder = makeTestFolder()
  const file = join(folder, 'control.sqlite')
  const execute = async (sql: string) => {
    const sqlite = new DatabaseSync(file)
    try {
      return sqlite.prepare(sql).all()
    } finally {
      sqlite.close()
    }
  }
  const contents = async () =>
    readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'latin1'))
      .join('')
  await copyStore('control.sqlite', file)
  return opened({ folder, place: file, execute, contents }, () => openSqliteControl(file))
}

async function openPostgres(): Promise<TestControl> {
  const { database, control, giveBack } = await lendControl()
  const { execute } = database
  const contents = async () => {
    const tables = await execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    const rows = await Promise.all(tables.map(({ tablename }) => execute(`SELECT * FROM ${tablename}`)))
    return JSON.stringify(rows)
  }
  const place = { folder: makeTestFolder(), place: database.url, execute, contents }
  const openAnother = () => openPostgresControl(database.url)
  return opened(place, openAnother, { control, giveBack })
}

async function opened(
  place: Pick<TestControl, 'folder' | 'place' | 'execute' | 'contents'>,
  openOne: () => Promise<ControlStore>,
  lent: Pick<LentControl, 'control' | 'giveBack'> | null = null,
): Promise<TestControl> {
  const stores: ControlStore[] = []
  const open = async () => {
    const store = await openOne()
    stores.push(store)
    return store
  }
  return {
    ...place,
    control: lent === null ? await open() : lent.control,
    open,
    async remove() {
      for (const store of stores) await store.close()
      await lent?.giveBack()
      removeTestFolder(place.folder)
    },
  }
}

export function makeTestFolder(): string {
  return mkdtempSync(join(tmpdir(), 'spoor-test-'))
}

export function removeTestFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}
