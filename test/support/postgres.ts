/** Real PostgreSQL servers and databases for tests. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import { inject } from 'vitest'
import { openPostgresControl } from '#control/postgres.ts'
import { openDatabases } from './open-databases.ts'
import { askForShared } from './shared.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** On which store `openTestControl` and `openTestService` open what they open. */
    control_store: 'sqlite' | 'postgres'
    /** The stores' connections go through pgbouncer in transaction mode. */
    is_pooled: boolean
  }
}

export interface PostgresServer {
  /** As its superuser, on its first database; the password needs percent-encoding. */
  url: string
  /** Its data folder. */
  data: string
  stop(): Promise<void>
  /** Ends it as a crash does. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Ends it and removes its files. */
  close(): Promise<void>
}

/**
 * Starts a server of one's own; most tests share the run's one server by `createDatabase`.
 * @param settings by their names in postgresql.conf, where they differ from those that suit tests.
 * @param given_data the data folder of a standby, made from its primary's; a new one by default.
 */
export async function startPostgres(
  settings: Readonly<Record<string, string>> = {},
  given_data?: string,
): Promise<PostgresServer> {
  const script = new URL('./postgres-server.child.ts', import.meta.url).pathname
  const child = spawn(
    process.execPath,
    [script, JSON.stringify(settings), ...(given_data === undefined ? [] : [given_data])],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  )
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
  const { url, data } = JSON.parse(await line()) as { url: string; data: string }
  return {
    url,
    data,
    stop: () => say('stop'),
    kill: () => say('kill'),
    start: () => say('start'),
    async close() {
      child.stdin.end()
      await ended
    },
  }
}

export interface TestDatabase {
  /** As stores are given it: through pgbouncer, where the test's project says so. */
  url: string
  /** Of the server itself. */
  direct_url: string
  /** Runs statements from outside, on a connection that no store has. */
  execute(sql: string): Promise<Record<string, unknown>[]>
  drop(): Promise<void>
}

/** A fresh database, empty or with the newest layout, on the run's one server unless another is given. */
export async function createDatabase({
  server,
  migrated = false,
  outlives_file = false,
  options = '',
}: {
  server?: PostgresServer
  migrated?: boolean
  /** It is left to the end of the run's server. */
  outlives_file?: boolean
  options?: string
} = {}): Promise<TestDatabase> {
  const url = server?.url ?? (await askForShared('postgres'))
  const name = `spoor_${randomUUID().replaceAll('-', '')}`
  const own = Object.assign(new URL(url), { pathname: `/${name}` })
  const is_pooled = server === undefined && inject('is_pooled')
  const pooled = is_pooled ? Object.assign(new URL(await askForShared('pgbouncer')), { pathname: `/${name}` }) : own
  // Copied as files, without a way through the log: that takes a quarter of the time.
  await executeOn(url, `CREATE DATABASE ${name} STRATEGY file_copy ${migrated ? `TEMPLATE ${MIGRATED}` : options}`)
  // Those on a server of the test's own end with it.
  if (server === undefined && !outlives_file) openDatabases.add(name)
  const outside = connection(own.href)
  return {
    url: pooled.href,
    direct_url: own.href,
    execute: outside.execute,
    async drop() {
      openDatabases.delete(name)
      await outside.end()
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

/** Opened by the first statement and kept for the next ones: opening takes longer than most statements of tests. */
function connection(url: string): { execute: TestDatabase['execute']; end(): Promise<void> } {
  let opened: Promise<Client> | null = null
  const forget = () => {
    opened = null
  }
  const open = async () => {
    const client = new Client({ connectionString: url })
    // The server was stopped, or took the connection away: the next statement connects anew.
    client.on('error', forget)
    await client.connect()
    return client
  }
  return {
    async execute(sql) {
      opened ??= open()
      const client = await opened.catch((error) => {
        forget()
        throw error
      })
      return (await client.query(sql)).rows
    },
    async end() {
      const last = opened
      forget()
      await last?.then((client) => client.end()).catch(() => undefined)
    },
  }
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
