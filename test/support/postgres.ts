/** Real PostgreSQL servers and databases for tests. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import { openPostgresControl } from '#control/postgres.ts'
import { openDatabases } from './open-databases.ts'
import { askForShared } from './shared.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** On which store `openTestControl` and `openTestService` open what they open. */
    control_store: 'sqlite' | 'postgres'
  }
}

export interface PostgresServer {
  /** As its superuser, on its first database; the password needs percent-encoding. */
  url: string
  stop(): Promise<void>
  start(): Promise<void>
  /** Ends it and removes its files. */
  close(): Promise<void>
}

/** Starts a server of one's own; most tests share the run's one server by `createDatabase`. */
export async function startPostgres(): Promise<PostgresServer> {
  const script = new URL('./postgres-server.child.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  let complaints = ''
  child.stderr.on('data', (chunk) => {
    complaints += chunk
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const line = async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`The PostgreSQL of the tests cannot run: ${complaints}`)
    return value
  }
  const say = async (word: string) => {
    child.stdin.write(`${word}\n`)
    await line()
  }
  const { url } = JSON.parse(await line()) as { url: string }
  return {
    url,
    stop: () => say('stop'),
    start: () => say('start'),
    async close() {
      child.stdin.end()
      await ended
    },
  }
}

export interface TestDatabase {
  url: string
  /** Runs statements from outside, on a connection of their own. */
  execute(sql: string): Promise<Record<string, unknown>[]>
  drop(): Promise<void>
}

/** A fresh database, empty or with the newest layout, on the run's one server unless another is given. */
export async function createDatabase({
  server,
  migrated = false,
  options = '',
}: {
  server?: PostgresServer
  migrated?: boolean
  options?: string
} = {}): Promise<TestDatabase> {
  const url = server?.url ?? (await askForShared('postgres'))
  const name = `spoor_${randomUUID().replaceAll('-', '')}`
  const own = new URL(url)
  own.pathname = `/${name}`
  // Copied as files, without a way through the log: that takes a quarter of the time.
  await executeOn(url, `CREATE DATABASE ${name} STRATEGY file_copy ${migrated ? `TEMPLATE ${MIGRATED}` : options}`)
  // Those on a server of the test's own end with it.
  if (server === undefined) openDatabases.add(name)
  return {
    url: own.href,
    execute: (sql) => executeOn(own.href, sql),
    async drop() {
      openDatabases.delete(name)
      await executeOn(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    },
  }
}

const MIGRATED = 'spoor_migrated'

/** Makes the database that those with the newest layout are copied from, because laying out each one takes longer. */
export async function createMigrated({ url }: PostgresServer): Promise<void> {
  await executeOn(url, `CREATE DATABASE ${MIGRATED}`)
  const own = new URL(url)
  own.pathname = `/${MIGRATED}`
  const control = await openPostgresControl(own.href)
  await control.close()
}

async function executeOn(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
