/** The evidence store on ClickHouse servers, which any number of processes may use (decisions 8, 8.1). */
import { setTimeout as pause } from 'node:timers/promises'
import { RunningWork } from '#concurrency/running-work.ts'
import { engineState, readEngineState } from '../engine-state.ts'
import { EvidenceError } from '../errors.ts'
import { Fragment } from '../fragment.ts'
import { type HeldLock, type NamedLocks, processLocks } from '../named-locks.ts'
import { NativeRows } from '../rows/native-rows.ts'
import type { Statement } from '../sql.ts'
import type { EvidenceStoreState, NativePart, RowCountCheck, ServerEvidence, StatementLimits } from '../store.ts'
import { INSERT_COLUMNS, type InsertTable } from '../tables.ts'
import { WriteLock } from '../write-lock.ts'
import { clusterRead, clusterStatements } from './cluster.ts'
import { isServerDown } from './errors.ts'
import { type RequestText, requestText } from './parameters.ts'
import type { ClickHouseServer, RowsToInsert } from './server.ts'
import { ServerList } from './servers.ts'
import { readSettings, WRITE_LIMITS, writeSettings } from './settings.ts'

/** How long running statements may end by themselves once the store closes, and then be stopped by the server. */
const GRACE_MS = 150
const STOP_MS = 2_000

export class ClickHouseStore implements ServerEvidence {
  readonly writeLock: WriteLock
  readonly has_own_parts = false
  readonly #servers: ServerList
  readonly #cluster: string | null
  readonly #running = new RunningWork()
  /** Writes to a table run one after the other, in all processes on these servers, as quorum inserts require. */
  readonly #locks: NamedLocks
  /** Each refuses work that waits for a lock, which another process may hold for minutes. */
  readonly #waiting = new Set<() => void>()
  #closing: Promise<void> | undefined

  /**
   * `cluster`: the name of the cluster of the servers; null for servers that each have all rows. `locks`: those of all
   * processes that write to these servers; without them, no other process writes.
   */
  constructor(servers: readonly ClickHouseServer[], cluster: string | null, locks: NamedLocks = processLocks()) {
    this.#servers = new ServerList(servers)
    this.#cluster = cluster
    this.#locks = locks
    this.writeLock = new WriteLock(locks)
  }

  versionOf(): null {
    return null
  }

  async all<T>(statement: Statement<T>, limits?: StatementLimits): Promise<T[]> {
    const asked = requestText(statement.fragment)
    const request = this.#cluster === null ? asked : { ...asked, text: clusterRead(asked.text, this.#cluster) }
    const settings = readSettings(this.#cluster !== null, limits)
    const text = await this.#track(() => this.#servers.ask('read', (server) => server.ask(request, settings)))
    return statement.readRows(JSON.parse(text))
  }

  async run(command: Fragment, limits?: StatementLimits): Promise<void> {
    const { text, parameters } = requestText(command)
    const settings = writeSettings(this.#cluster !== null, limits)
    const texts = this.#cluster === null ? [text] : clusterStatements(text, this.#cluster)
    const waits_for_all = texts[0] !== text && limits?.may_be_late !== true
    await this.#track(async () => {
      if (waits_for_all) await this.#refuseWhileDown()
      await this.#withLocks(locksOf(text), async (check) => {
        for (const each of texts) {
          await this.#write((server) => {
            check()
            return server.ask({ text: each, parameters }, settings)
          })
        }
        if (limits?.row_count_check !== undefined)
          await this.#checkRowCount({ text, parameters }, limits.row_count_check, limits)
      })
    })
  }

  /**
   * A change waits for every server of the cluster, and inserts into its table wait for the change: none is begun while
   * a server is down. @throws EvidenceError unavailable.
   */
  async #refuseWhileDown(): Promise<void> {
    const request = { text: `SELECT count() FROM clusterAllReplicas('${this.#cluster}', system.one)`, parameters: {} }
    const settings = readSettings(true)
    try {
      await this.#servers.ask('read', (server) => server.ask(request, settings))
    } catch (error) {
      // Whatever else is wrong, the change itself meets.
      if (isServerDown(error)) throw changeWaits(error)
    }
  }

  /** @throws EvidenceError unavailable: an INSERT … SELECT inserted another number of rows than its SELECT returns. */
  async #checkRowCount({ text, parameters }: RequestText, { where, may_grow }: RowCountCheck, limits: StatementLimits) {
    const { table, select } = partsOfInsert(text)
    const count = async (request: RequestText) => {
      const settings = readSettings(this.#cluster !== null, { ...WRITE_LIMITS, ...limits })
      const counted = await this.#servers.ask('read', (server) => server.ask(request, settings))
      return Number(JSON.parse(counted).counted[0])
    }
    const given = await count({ text: `SELECT count() AS counted FROM (\n${select}\n)`, parameters })
    const ofTable = [`SELECT count() AS counted FROM spoor.${table} WHERE `, ...Fragment.partsOf(where)]
    const stored = await count(requestText(new Fragment(ofTable)))
    if (stored === given || (may_grow && stored < given)) return
    const why = `The servers hold ${stored} rows of a build in ${table}, and its statement returns ${given}. The build is not used, and is derived again.`
    throw new EvidenceError('unavailable', why)
  }

  async insert(table: InsertTable, rows: Uint8Array | NativeRows, count: number): Promise<void> {
    await this.#insert({ table, columns: INSERT_COLUMNS[table], rows }, count)
  }

  async insertNative(table: string, columns: readonly string[], { bytes, count }: NativePart): Promise<void> {
    await this.#insert({ table, columns, rows: new NativeRows([bytes]) }, count)
  }

  async #insert({ table, ...given }: RowsToInsert, count: number): Promise<void> {
    const values = { table: `spoor.${table}`, ...given }
    const settings = writeSettings(this.#cluster !== null)
    const written = await this.#track(() =>
      this.#withLock(`table ${table}`, (lock) =>
        this.#write((server) => {
          lock.check()
          return server.insert(values, settings)
        }),
      ),
    )
    // Rows that are distributed over shards are counted again on each shard.
    if (written === count || (this.#cluster !== null && written > count)) return
    throw new EvidenceError('bug', `Of ${count} rows for ${table} the engine wrote ${written}.`)
  }

  releaseMemory(): void {
    // The memory of the servers is not Spoor's to release.
  }

  async ping(): Promise<void> {
    await this.#track(() => this.#servers.ask('read', (server) => server.ping()))
  }

  async state(): Promise<EvidenceStoreState> {
    const request = requestText(engineState.fragment)
    return readEngineState(
      await this.#track(() =>
        this.#servers.ask('read', (server) => server.askReserved(request, readSettings(this.#cluster !== null))),
      ),
    )
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    for (const refuse of this.#waiting) refuse()
    const ended = this.#running.ended().then(() => true)
    if (!(await Promise.race([ended, pause(GRACE_MS, false)]))) {
      await this.#servers.each((server) => server.stop())
      await Promise.race([ended, pause(STOP_MS, false, { ref: false })])
    }
    await this.#servers.each((server) => server.close())
    await ended
  }

  /** Takes all of these locks, always in the same order, so that no deadlock is possible. */
  #withLocks<T>(names: readonly string[], work: (check: () => void) => Promise<T>): Promise<T> {
    const [first, ...others] = names
    if (first === undefined) return work(() => {})
    return this.#withLock(first, (lock) =>
      this.#withLocks(others, (check) =>
        work(() => {
          lock.check()
          check()
        }),
      ),
    )
  }

  /** Runs work under a lock, unless the store closes before the lock is free. */
  #withLock<T>(name: string, work: (lock: HeldLock) => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const refuse = () => reject(closing())
    this.#waiting.add(refuse)
    const begin = async (lock: HeldLock) => {
      this.#waiting.delete(refuse)
      if (this.#closing !== undefined) throw closing()
      return work(lock)
    }
    this.#locks
      .run(name, begin)
      .finally(() => this.#waiting.delete(refuse))
      .then(resolve, reject)
    return promise
  }

  /** Refuses waiting writes once the store closes. */
  #write<T>(work: (server: ClickHouseServer) => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) throw closing()
    return this.#servers.ask('write', (server) => {
      this.writeLock.check()
      return work(server)
    })
  }

  async #track<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) throw closing()
    return this.#running.track(work())
  }
}

/**
 * The locks of a command: of the table that it changes and, if it deletes, of the tables in its condition. Each replica
 * reads those tables separately, so no rows may be inserted into them while it runs.
 */
function locksOf(text: string): string[] {
  const [, word = '', table] = CHANGED_TABLE.exec(text) ?? []
  if (table === undefined) return ['layout']
  const tables = word === 'DELETE FROM' ? [...text.matchAll(/\bspoor\.(\w+)/g)].map(([, name]) => name) : [table]
  return [...new Set(tables)].sort().map((name) => `table ${name}`)
}

/** The table of an INSERT … SELECT, and its query. */
function partsOfInsert(text: string): { table: string; select: string } {
  const [begin = '', table = ''] = /^\s*INSERT INTO spoor\.(\w+) \([^)]*\)/.exec(text) ?? []
  if (table === '')
    throw new EvidenceError('bug', `Only an INSERT … SELECT can have its rows counted: ${text.slice(0, 100)}`)
  return { table, select: text.slice(begin.length) }
}

const CHANGED_TABLE = /^\s*(INSERT INTO|DELETE FROM|TRUNCATE TABLE|OPTIMIZE TABLE|ALTER TABLE)\s+spoor\.(\w+)/

const changeWaits = (error: EvidenceError) =>
  new EvidenceError(
    'unavailable',
    `A change waits for every server of the cluster, and one is down: start it, and the change is tried again. ${error.message}`,
    error,
  )

const closing = () => new EvidenceError('unavailable', 'The evidence store is closed or closing.')
