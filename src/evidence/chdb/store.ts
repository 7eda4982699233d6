/**
 * The evidence store on chDB (ClickHouse in this process): sessions for writing, a pool of readers, and one for pings.
 */
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { drainPending } from 'chdb'
import { RunningWork } from '#concurrency/running-work.ts'
import { engineState, readEngineState } from '../engine-state.ts'
import { EvidenceError } from '../errors.ts'
import { type Migration, migrateEvidence, readMigrations, refuseOlderLayout } from '../migrate.ts'
import { processLocks } from '../named-locks.ts'
import { NativeRows } from '../rows/native-rows.ts'
import { type Fragment, type Statement, sql } from '../sql.ts'
import { READ_SECONDS, READER_SETTINGS, WRITE_SECONDS } from '../statement-settings.ts'
import type { EmbeddedEvidence, EvidenceStoreState, NativePart, StatementLimits, TableFolder } from '../store.ts'
import { changedTable, TableVersions } from '../table-versions.ts'
import { INSERT_COLUMNS, type InsertTable } from '../tables.ts'
import { WriteLock } from '../write-lock.ts'
import { refuseDamaged, refuseLostTables } from './damaged-parts.ts'
import { isDeletion, refuseFullDisk } from './disk.ts'
import { lowerEngineThreads } from './engine-threads.ts'
import {
  allTables,
  attachTable,
  detachedFolders,
  dropFrozen,
  freezeTable,
  frozenFolders,
  isBackedUp,
  refuseUnattached,
} from './files.ts'
import { IncomingRows } from './incoming-rows.ts'
import { open_folders, openSession, prepareProcess, refuseSecond } from './open-session.ts'
import { closing, SessionPool } from './pool.ts'
import { releaseMemory } from './release-memory.ts'
import { ChdbSession, type RunCommand } from './session.ts'
import { connectionArguments, type EngineLimits, engineLimits, limitsOf } from './settings.ts'
import { disableStatistics } from './statistics.ts'

export interface ChdbOptions {
  /** Created if it is missing, mode 0700. Only one process may use it at a time. */
  folder: string
  /** Memory of the engine in MiB; 0 or absent: 40 % of the machine or container. */
  memory_mb?: number
  /** Number of concurrent reads. */
  readers?: number
  /** Where backups may be written and read; `<folder>/backups` by default. */
  backups?: string
  /** Migrations other than the built-in ones. */
  migrations?: readonly Migration[]
  /** Do not migrate: refuse a store with tables of an earlier release. */
  only_current?: boolean
}

/**
 * Opens the embedded evidence store and brings its tables up to date. The process must have been started with
 * UV_THREADPOOL_SIZE=16 (the launcher does), because running statements hold pool threads.
 * @throws EvidenceError locked, unavailable, newer_schema, older_schema.
 */
export async function openChdb(options: ChdbOptions): Promise<EmbeddedEvidence> {
  const folder = resolve(options.folder)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const limits = await engineLimits(folder, options.memory_mb)
  const migrations = options.migrations ?? (await readMigrations())
  refuseSecond(folder)
  await refuseLostTables(folder)
  prepareProcess()
  await dropFrozen(folder)
  const store = new ChdbStore(folder, limits, options.backups ?? join(folder, 'backups'), migrations.length)
  try {
    await store.open(options.readers ?? 4)
    await refuseDamaged(store)
    if (options.only_current === true) await refuseOlderLayout(store, folder, migrations.length)
    await migrateEvidence(store, folder, migrations)
    if (options.only_current !== true) await disableStatistics(store)
    lowerEngineThreads()
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

/** How long running statements may take once the store closes, and how often it then stops them. */
const GRACE_MS = 150
const STOP_EVERY_MS = 50

class ChdbStore implements EmbeddedEvidence {
  readonly layout: number
  readonly writeLock = new WriteLock(processLocks())
  readonly has_own_parts = true
  readonly releaseMemory = releaseMemory
  readonly #folder: string
  readonly #incoming: IncomingRows
  readonly #limits: EngineLimits
  readonly #arguments: readonly string[]
  readonly #sessions: ChdbSession[] = []
  readonly #running = new RunningWork()
  readonly #writer: ChdbSession
  /** Sessions that write derived rows in parallel with the writer (ADR 27). */
  readonly #derivers: readonly ChdbSession[]
  readonly #deriverPool: SessionPool
  /** Reserved for pings, also while every reader is busy, and for stopping statements. */
  readonly #reserved: ChdbSession
  /** Idle sessions with other limits than a reader, by limits. There are at most as many per limits as readers. */
  readonly #idle = new Map<string, ChdbSession[]>()
  #readers = new SessionPool([])
  /** Opened by the first stream. */
  #streamer: Promise<ChdbSession> | undefined
  readonly #versions = new TableVersions()
  #closing: Promise<void> | undefined

  constructor(folder: string, limits: EngineLimits, backups: string, layout: number) {
    this.layout = layout
    this.#folder = folder
    this.#incoming = new IncomingRows(folder)
    this.#limits = limits
    this.#arguments = connectionArguments(limits, backups)
    this.#writer = this.#session()
    this.#derivers = [this.#session(), this.#session(), this.#session()]
    this.#deriverPool = new SessionPool(this.#derivers)
    this.#reserved = this.#session()
    open_folders.add(folder)
  }

  async open(readers: number): Promise<void> {
    await this.#incoming.clear()
    const opened = Array.from({ length: readers }, () => this.#openReader())
    this.#readers = new SessionPool(await Promise.all(opened))
  }

  async all<T>(statement: Statement<T>, limits: StatementLimits = {}): Promise<T[]> {
    const { is_urgent = false, ...own } = limits
    const read = (reader: ChdbSession) =>
      Object.keys(own).length === 0
        ? reader.query(statement.fragment, 'JSONColumns')
        : this.#readWithLimits(statement.fragment, own)
    const text = await this.#running.track(this.#readers.with(read, { is_urgent }))
    return statement.readRows(JSON.parse(text))
  }

  async run(command: Fragment, limits?: StatementLimits): Promise<void> {
    if (this.#closing !== undefined) throw closing()
    if (isDeletion(command)) await refuseFullDisk(this.#folder, this.#limits)
    const query = (session: ChdbSession) => session.query(command, 'Null', this.#writeSettings(limits))
    const write = () => (limits?.is_concurrent === true ? this.#deriverPool.with(query) : query(this.#writer))
    await this.#versions.during(changedTable(command), () => this.#running.track(write()))
  }

  async insert(table: InsertTable, rows: Uint8Array | NativeRows, count: number): Promise<void> {
    if (this.#closing !== undefined) throw closing()
    const written = await this.#versions.during(table, () => this.#running.track(this.#insert(table, rows)))
    if (written === count) return
    throw new EvidenceError('bug', `Of ${count} rows for ${table} the engine wrote ${written}.`)
  }

  versionOf(table: InsertTable): string | null {
    return this.#versions.of(table)
  }

  async #insert(table: InsertTable, rows: Uint8Array | NativeRows): Promise<number> {
    const [name, columns, settings] = [`spoor.${table}`, INSERT_COLUMNS[table], this.#writeSettings(undefined)]
    if (!(rows instanceof NativeRows)) return this.#writer.insert(name, columns, rows, settings)
    return this.#incoming.with(rows, (file) => this.#writer.insertFile(name, columns, file, settings))
  }

  async freeze<T>(first: () => Promise<void>, work: (tables: TableFolder[]) => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) throw closing()
    const tables = (await this.all(allTables)).filter(isBackedUp)
    try {
      // An error of `first` is not of the engine, and must not be mapped to an engine failure.
      const refused = await this.#running.track(
        this.#exclusively(async (run) => {
          const error = await first().then(
            () => undefined,
            (cause: unknown) => ({ cause }),
          )
          if (error !== undefined) return error
          for (const table of tables) await run(freezeTable(table), 'Null')
          return undefined
        }),
      )
      if (refused !== undefined) throw refused.cause
      return await work(frozenFolders(this.#folder, tables))
    } finally {
      await dropFrozen(this.#folder)
    }
  }

  async *readNative(select: Fragment): AsyncGenerator<NativePart> {
    if (this.#closing !== undefined) throw closing()
    this.#streamer ??= this.#openReader({ max_seconds: WRITE_SECONDS })
    const { promise, resolve } = Promise.withResolvers<void>()
    void this.#running.track(promise)
    try {
      yield* (await this.#streamer).stream(select, 'Native')
    } finally {
      resolve()
    }
  }

  async attach(place: (tables: TableFolder[]) => Promise<void>): Promise<void> {
    const tables = (await this.all(allTables)).filter(isBackedUp)
    const folders = detachedFolders(this.#folder, tables)
    await place(folders)
    for (const table of tables) await this.run(attachTable(table))
    await refuseUnattached(folders)
  }

  async ping(): Promise<void> {
    if (this.#closing !== undefined) throw closing()
    await this.#running.track(this.#reserved.query(sql`SELECT 1`, 'Null'))
  }

  async state(): Promise<EvidenceStoreState> {
    if (this.#closing !== undefined) throw closing()
    return readEngineState(await this.#running.track(this.#reserved.query(engineState.fragment, 'JSONColumns')))
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#readers.close()
    this.#deriverPool.close()
    const ended = this.#running.ended().then(() => true as const)
    const ended_in_time = await Promise.race([ended, pause(GRACE_MS, false)])
    if (!ended_in_time) await this.#stopUntil(ended)
    // TRICKY: leaving the process with open sessions crashes it now and then ("closes every session").
    for (const session of this.#sessions.splice(0)) session.close()
    await drainPending()
    open_folders.delete(this.#folder)
  }

  /** Repeats the stop, because statements in the writer's queue may start after the first one. */
  async #stopUntil(ended: Promise<true>): Promise<void> {
    for (;;) {
      // TRICKY: SYNC would wait for ever ("close returns quickly while a query runs").
      await this.#reserved.query(sql`KILL QUERY WHERE query_id != queryID() ASYNC`, 'Null').catch(() => {})
      if (await Promise.race([ended, pause(STOP_EVERY_MS, false)])) return
    }
  }

  /** Runs work while no other write runs. It waits for derivations first, so that events and imports do not. */
  #exclusively<T>(work: (run: RunCommand) => Promise<T>): Promise<T> {
    const within = (inner: () => Promise<T>, deriver: ChdbSession) => () => deriver.exclusively(inner)
    return this.#derivers.reduce(within, () => this.#writer.exclusively(work))()
  }

  #session(): ChdbSession {
    const session = new ChdbSession(openSession(this.#folder, this.#arguments))
    this.#sessions.push(session)
    return session
  }

  async #openReader(limits?: StatementLimits): Promise<ChdbSession> {
    const reader = this.#session()
    const own = limitsOf(limits, READ_SECONDS, this.#limits.read_memory_bytes)
    const threads = limits?.max_threads === undefined ? {} : { max_threads: limits.max_threads }
    await reader.query(sql`SELECT 1`, 'Null', { ...own, ...threads, ...READER_SETTINGS })
    // Read-only sessions refuse every further setting, so this one comes last.
    await reader.query(sql`SET readonly = 1`, 'Null')
    return reader
  }

  /**
   * A read with other limits uses a session with these limits, because those of a reader cannot be changed. The session
   * stays open for further such reads: opening one takes longer than many statements.
   */
  async #readWithLimits(fragment: Fragment, limits: StatementLimits): Promise<string> {
    const idle = this.#idleReaders(limits)
    const reader = idle.pop() ?? (await this.#openReader(limits))
    try {
      return await reader.query(fragment, 'JSONColumns')
    } finally {
      idle.push(reader)
    }
  }

  #idleReaders({ max_seconds, max_memory_mb, max_threads }: StatementLimits): ChdbSession[] {
    const key = JSON.stringify([max_seconds, max_memory_mb, max_threads])
    const known = this.#idle.get(key) ?? []
    this.#idle.set(key, known)
    return known
  }

  #writeSettings(limits: StatementLimits | undefined): Record<string, number> {
    return limitsOf(limits, WRITE_SECONDS, this.#limits.write_memory_bytes)
  }
}
