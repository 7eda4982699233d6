/** Sends requests to one ClickHouse server over HTTP, with the official client. */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { EvidenceError } from '../errors.ts'
import { NativeRows } from '../rows/native-rows.ts'
import { type ServerAddress, serverAddress } from './address.ts'
import type { RequestText } from './parameters.ts'
import type { RequestLimits } from './settings.ts'

type Client = ReturnType<typeof createClient>

/** Rows for a table as JSONCompactEachRow, or by column. */
export interface RowsToInsert {
  table: string
  columns: readonly string[]
  rows: Uint8Array | NativeRows
}

const CONNECTIONS = 10
/** A server ends a statement at its limit. If there is no response for this much longer, the server counts as lost. */
const SILENCE_SECONDS = 15
const PING_MS = 5_000

export class ClickHouseServer {
  /** Without user and password. */
  readonly url: string
  readonly #client: Client
  /** Reserved for pings, also while all other connections are in use, and for stopping statements. */
  readonly #reserved: Client
  readonly #running = new Map<string, AbortController>()

  constructor(url: string) {
    const address = serverAddress(url)
    this.url = address.url
    this.#client = clientOf(address, CONNECTIONS)
    this.#reserved = clientOf(address, 2)
  }

  /** Returns the whole result of a statement, in the format of its settings. */
  ask(request: RequestText, limits: RequestLimits): Promise<string> {
    return this.#send(this.#client, request, limits)
  }

  /** The same as `ask`, on the reserved connection. */
  askReserved(request: RequestText, limits: RequestLimits): Promise<string> {
    return this.#send(this.#reserved, request, limits)
  }

  /** Inserts rows, and resolves with the number of rows that the server reports. */
  insert({ table, columns, rows }: RowsToInsert, limits: RequestLimits): Promise<number> {
    const [format, pieces] = rows instanceof NativeRows ? ['Native', rows.pieces] : ['JSONCompactEachRow', [rows]]
    return this.#within(limits.seconds, async (query_id, abort_signal) => {
      const { stream, summary } = await this.#client.exec({
        query: `INSERT INTO ${table} (${columns.join(', ')}) FORMAT ${format}`,
        values: Readable.from(pieces, { objectMode: false }),
        query_id,
        abort_signal,
        clickhouse_settings: limits.settings,
      })
      await text(stream)
      if (summary === undefined) throw new EvidenceError('bug', 'The server did not report how many rows it wrote.')
      return Number(summary.written_rows)
    })
  }

  /** Resolves when the server accepts statements of its user. */
  async ping(): Promise<void> {
    const answer = await this.#reserved.ping({ select: true, abort_signal: AbortSignal.timeout(PING_MS) })
    if (!answer.success) throw answer.error
  }

  /** Stops running statements; `close` ends those that could not be stopped. */
  async stop(): Promise<void> {
    const running = [...this.#running.keys()]
    if (running.length === 0) return
    const ids = running.map((id) => `'${id}'`).join(', ')
    // TRICKY: SYNC may wait for ever. Only our own ids are named, so that no other client's statement is stopped.
    const query = `KILL QUERY WHERE query_id IN (${ids}) ASYNC`
    await this.#reserved.command({ query, abort_signal: AbortSignal.timeout(PING_MS) })
  }

  async close(): Promise<void> {
    for (const controller of this.#running.values()) controller.abort()
    await Promise.all([this.#client.close(), this.#reserved.close()])
  }

  #send(client: Client, request: RequestText, { settings, seconds }: RequestLimits): Promise<string> {
    return this.#within(seconds, async (query_id, abort_signal) => {
      const { stream } = await client.exec({
        query: request.text,
        query_id,
        abort_signal,
        clickhouse_settings: { ...settings, ...request.parameters },
      })
      return await text(stream)
    })
  }

  async #within<T>(seconds: number, work: (query_id: string, signal: AbortSignal) => Promise<T>): Promise<T> {
    const query_id = randomUUID()
    const controller = new AbortController()
    this.#running.set(query_id, controller)
    const silence_seconds = seconds + SILENCE_SECONDS
    const late = AbortSignal.timeout(silence_seconds * 1_000)
    try {
      return await work(query_id, AbortSignal.any([controller.signal, late]))
    } catch (error) {
      if (!late.aborted) throw error
      // Not a timeout: a working server would have ended the statement, so a shorter window would not help.
      const said = `The ClickHouse server ${this.url} has not answered for ${silence_seconds} s`
      throw new EvidenceError('unavailable', `${said}. Check the server and proxies in front of it.`, error)
    } finally {
      this.#running.delete(query_id)
    }
  }
}

function clientOf({ url, username, password }: ServerAddress, max_open_connections: number): Client {
  return createClient({
    url,
    username,
    password,
    max_open_connections,
    application: 'spoor',
    // Each request has its own limit; this one is longer than all of them.
    request_timeout: 3_600_000,
    compression: { request: false, response: false },
    keep_alive: { enabled: true },
    // The client would write to the console, including settings and values of statements.
    log: { level: ClickHouseLogLevel.OFF },
  })
}
