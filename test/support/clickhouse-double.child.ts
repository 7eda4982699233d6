/**
 * A double of a ClickHouse server: it speaks the part of the HTTP interface that Spoor's client uses, over the embedded
 * engine. It has no replicas, no Keeper and no users but one; what depends on those is not proved by it
 * (docs/verification.md). Prints where it listens, ends when its standard input does.
 */
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Session } from 'chdb'
import { openSession, quietSignals } from '#evidence/chdb/open-session.ts'
import { connectionArguments, engineLimits } from '#evidence/chdb/settings.ts'

const [folder = ''] = process.argv.slice(2)
const USER = 'spoor'
const PASSWORD = 'p@ss:word/%'

/** Parameters of a request that do not set anything of the engine, or that say how a server sends its answer. */
const TRANSPORT = new Set([
  ...['query', 'query_id', 'default_format', 'database', 'session_id', 'wait_end_of_query', 'enable_http_compression'],
  ...['send_progress_in_http_headers', 'http_headers_progress_interval_ms', 'http_write_exception_in_output_format'],
  ...['cancel_http_readonly_queries_on_client_close', 'readonly'],
])

process.stdin.on('end', end).resume()
quietSignals()
const engine_arguments = connectionArguments(await engineLimits(folder, 2_048), folder)
const sessions: Session[] = []
const open = (): Session => {
  const session = openSession(folder, engine_arguments)
  sessions.push(session)
  return session
}
const aside = open()
/** Idle sessions by the settings that they were opened for, because a setting once made stays. */
const idle = new Map<string, Session[]>()

const server = createServer({ maxHeaderSize: 1 << 20 }, (request, response) => {
  answer(request, response).catch((error: unknown) => refuse(response, error))
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(`http://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`)
})

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const body = await buffer(request)
  if (url.pathname === '/ping') return void response.end('Ok.\n')
  const expected = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`
  if (request.headers.authorization !== expected) {
    throw new Error('Code: 516. DB::Exception: Authentication failed. (AUTHENTICATION_FAILED)')
  }
  const asked = url.searchParams
  const inUrl = asked.get('query')
  const insert = /^INSERT INTO (\S+) \(([^)]*)\) FORMAT (\w+)$/.exec(inUrl ?? '')
  const killed = /^KILL QUERY WHERE query_id IN \(([^)]*)\) ASYNC$/.exec(body.toString())
  if (killed !== null) {
    for (const id of (killed[1] ?? '').split(', ')) await kill(id.replaceAll("'", ''))
    return void response.end()
  }
  const query_id = asked.get('query_id') ?? ''
  if (asked.has('cancel_http_readonly_queries_on_client_close')) {
    response.on('close', () => response.writableFinished || kill(query_id).catch(() => {}))
  }
  await withSession(asked, async (session, values) => {
    if (insert !== null) {
      const [, table = '', columns = '', format = ''] = insert
      const written = await (format === 'Native'
        ? insertNative(session, `${table} (${columns}) SELECT ${columns}`, body)
        : session.insert({ table, columns: columns.split(', '), values: body, format: 'JSONCompactEachRow' }))
      response.setHeader('x-clickhouse-summary', JSON.stringify({ written_rows: String(written.rowsWritten) }))
      response.end()
      return
    }
    // A session has no query id of its own choice: the text carries it, for KILL QUERY.
    const text = (inUrl ?? body.toString()).replace(/^\s*(\w+)/, `$1 /* ${query_id} */`)
    const result = await session.queryAsync(`${values}${text}`, {
      format: asked.get('default_format') ?? 'TabSeparated',
    })
    response.end(result.text())
  })
}

/** The embedded engine takes rows by column only from a file. */
async function insertNative(session: Session, into: string, body: Buffer): Promise<{ rowsWritten: number }> {
  const file = join(folder, `${randomUUID()}.native`)
  await writeFile(file, body)
  try {
    await session.queryAsync(`INSERT INTO ${into} FROM file('${file}', 'Native')`, { format: 'Null' })
    // The engine does not say how many rows such an insert wrote.
    const counted = await session.queryAsync(`SELECT count() FROM file('${file}', 'Native')`, { format: 'TSV' })
    return { rowsWritten: Number(counted.text()) }
  } finally {
    await rm(file)
  }
}

/** Lends a session on which just these settings are made, and the assignment of the request's parameters. */
async function withSession(
  asked: URLSearchParams,
  work: (session: Session, values: string) => Promise<void>,
): Promise<void> {
  const given = [...asked].filter(([name]) => !TRANSPORT.has(name))
  const settings = given.filter(([name]) => !name.startsWith('param_')).map(assignment)
  const values = given.filter(([name]) => name.startsWith('param_')).map(assignment)
  const is_readonly = asked.get('readonly') === '1'
  const key = JSON.stringify([settings, is_readonly])
  const free = idle.get(key) ?? []
  idle.set(key, free)
  const session = free.pop() ?? (await openWith(settings, is_readonly))
  try {
    await work(session, values.length === 0 ? '' : `SET ${values.join(', ')}; `)
  } catch (error) {
    // Without a success in between, the failure may come again.
    await session.queryAsync('SELECT 1', { format: 'Null' }).catch(() => {})
    throw error
  } finally {
    free.push(session)
  }
}

async function openWith(settings: readonly string[], is_readonly: boolean): Promise<Session> {
  const session = open()
  if (settings.length > 0) await session.queryAsync(`SET ${settings.join(', ')}`, { format: 'Null' })
  if (is_readonly) await session.queryAsync('SET readonly = 1', { format: 'Null' })
  return session
}

const assignment = ([name, value]: [string, string]): string =>
  `${name} = '${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

async function kill(query_id: string): Promise<void> {
  if (!/^[\da-f-]{36}$/.test(query_id)) return
  const query = `KILL QUERY WHERE position(query, '/* ${query_id} */') > 0 AND query_id != queryID() ASYNC`
  await aside.queryAsync(query, { format: 'Null' })
}

function refuse(response: ServerResponse, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  const code = /Code: (\d+)/.exec(message)?.[1] ?? '1002'
  const said = message.includes('Code: ') ? message : `Code: 1002. DB::Exception: ${message} (UNKNOWN_EXCEPTION)`
  response.writeHead(code === '516' ? 401 : 500, { 'x-clickhouse-exception-code': code }).end(said)
}

async function end(): Promise<void> {
  server.close()
  server.closeAllConnections()
  await aside.queryAsync('KILL QUERY WHERE query_id != queryID() ASYNC', { format: 'Null' }).catch(() => {})
  for (const session of sessions.splice(0)) session.close()
  process.exit()
}
