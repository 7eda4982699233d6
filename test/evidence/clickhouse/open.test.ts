/** What only a store on servers does; runs against the double of one. What every store does is in ../store.test.ts. */
import { once } from 'node:events'
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import Type from 'typebox'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { systemClock } from '#clock.ts'
import type { ControlStore } from '#control/store.ts'
import { inBuildsOfDays } from '#derived/builds.sql.ts'
import { openClickHouse } from '#evidence/clickhouse/open.ts'
import { ClickHouseServer } from '#evidence/clickhouse/server.ts'
import { ClickHouseStore } from '#evidence/clickhouse/store.ts'
import { readMigrations } from '#evidence/migrate.ts'
import { jsonRows } from '#evidence/rows/json-rows.ts'
import { count, rows, sql, uint64, uuid } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { openLeasedLocks } from '#nodes/leased-locks.ts'
import { type ClickHouseDouble, startClickHouseDouble } from '../../support/clickhouse.ts'
import { makeTestFolder, openTestControl, removeTestFolder } from '../../support/control.ts'
import { copyStore } from '../../support/shared.ts'

const Count = Type.Object({ n: count() })
const one = rows(Count)`SELECT 1 AS n`
const agentCount = rows(Count)`SELECT count() AS n FROM spoor.agents`
const agents = jsonRows([['1', 'TestBot/1.0', '', '2026-03-01 00:00:00.000']])

const folder = makeTestFolder()
let server: ClickHouseDouble
beforeAll(async () => {
  await copyStore('evidence', folder)
  server = await startClickHouseDouble(folder)
})
afterAll(async () => {
  await server.close()
  removeTestFolder(folder)
})

/** Another way to the same server, which can be cut. */
async function startWay(): Promise<{ url: string; cut(): Promise<void>; onBytes: () => void }> {
  const target = new URL(server.url)
  const sockets = new Set<Socket>()
  const way = { url: '', cut, onBytes: () => {} }
  const listener = createServer((from) => {
    const to = connect(Number(target.port), '127.0.0.1')
    for (const socket of [from, to]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    }
    from.on('data', () => way.onBytes())
    from.pipe(to).pipe(from)
  })
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  const url = new URL(server.url)
  url.port = String((listener.address() as AddressInfo).port)
  way.url = url.href
  async function cut(): Promise<void> {
    listener.close()
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(cut)
  return way
}

async function open(urls: string[]): Promise<EvidenceStore> {
  const store = await openClickHouse({ urls })
  onTestFinished(() => store.close())
  return store
}

test('the next server is used if one is down', async () => {
  const first = await startWay()
  const second = await startWay()
  const store = await open(['http://127.0.0.1:1', first.url, second.url])
  await store.insert('agents', agents, 1)
  await first.cut()
  expect(await store.all(agentCount)).toEqual([{ n: 1 }])
  await store.insert('agents', agents, 1)
  expect(await store.all(agentCount)).toEqual([{ n: 2 }])
  await store.ping()
  await second.cut()
  const failed = { kind: 'unavailable', message: expect.stringContaining('http://127.0.0.1:') }
  await expect(store.all(one)).rejects.toMatchObject(failed)
  await expect(store.insert('agents', agents, 1)).rejects.toMatchObject(failed)
  await expect(store.ping()).rejects.toMatchObject(failed)
})

test('an identity that a crash left out is generated in the turn of migrations, so that there is one', async () => {
  const store = await open([server.url])
  await store.run(sql`TRUNCATE TABLE spoor.identity`)
  let turns = 0
  const openInTurn = async () => {
    const opened = await openClickHouse({
      urls: [server.url],
      async withMigrationLock(migrate) {
        turns++
        await migrate()
      },
    })
    onTestFinished(() => opened.close())
    return opened
  }
  await openInTurn()
  const identities = rows(Count)`SELECT count() AS n FROM spoor.identity`
  expect([turns, await store.all(identities)]).toEqual([1, [{ n: 1 }]])
  await openInTurn()
  expect(turns).toBe(1)
})

test('a write that may have arrived is not repeated', async () => {
  const first = await startWay()
  const store = await open([first.url, server.url])
  await store.all(one)
  first.onBytes = () => void first.cut()
  await expect(store.run(sql`INSERT INTO spoor.schema_versions SELECT 1`)).rejects.toMatchObject({
    kind: 'unavailable',
  })
  // Later ones go to the next server.
  await store.run(sql`SELECT 1`)
  expect(await store.all(one)).toEqual([{ n: 1 }])
})

/** Speaks the interface of a server that answers everything but an INSERT, which one of its shards refuses. */
async function startReadOnly(): Promise<string> {
  const listener = createHttpServer(async (request, response) => {
    const asked = await text(request)
    if (asked.startsWith('INSERT')) {
      response.writeHead(500, { 'X-ClickHouse-Exception-Code': '242' })
      response.end('Code: 242. DB::Exception: Table is in readonly mode. (TABLE_IS_READ_ONLY)')
    } else response.end('{"n":["1"]}')
  })
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void listener.close())
  return `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`
}

test('a write that one shard refused is not repeated, because others may have stored their rows', async () => {
  const servers = [await startReadOnly(), server.url].map((url) => new ClickHouseServer(url))
  const store = new ClickHouseStore(servers, null)
  onTestFinished(() => store.close())
  const write = sql`INSERT INTO spoor.schema_versions SELECT 0 WHERE 1 = 0`
  await expect(store.run(write)).rejects.toMatchObject({ kind: 'unavailable' })
  // Later ones go to the next server.
  await store.run(write)
})

test('a server that is silent beyond the limit of a statement is down: the statement was not too large', async () => {
  const late = new AbortController()
  const timer = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal)
  onTestFinished(() => timer.mockRestore())
  // It takes the statement and never answers.
  const listener = createHttpServer(() => late.abort())
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void listener.close())
  const silent = new ClickHouseServer(`http://127.0.0.1:${(listener.address() as AddressInfo).port}/`)
  onTestFinished(() => silent.close())
  await expect(silent.ask({ text: 'SELECT 1', parameters: {} }, { settings: {}, seconds: 30 })).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringMatching(/has not answered for 45 s\. Check the server/),
  })
  expect(timer).toHaveBeenCalledWith(45_000)
})

test('a write to a cluster carries the settings that its durability rests on (decisions 8.1)', async () => {
  let asked = new URLSearchParams()
  const listener = createHttpServer(async (request, response) => {
    if ((await text(request)).startsWith('INSERT')) asked = new URL(request.url ?? '', 'http://server').searchParams
    response.end('{"n":["1"]}')
  })
  const store = await openClusterStore(listener)
  await store.run(sql`INSERT INTO spoor.schema_versions SELECT 0 WHERE 1 = 0`)
  expect(Object.fromEntries(asked)).toMatchObject({
    insert_quorum: 'auto',
    insert_quorum_parallel: '0',
    select_sequential_consistency: '1',
    distributed_foreground_insert: '1',
    parallel_distributed_insert_select: '0',
    insert_deduplicate: '0',
    async_insert: '0',
  })
})

test('a command that is to run slowly is checked slowly, because the check reads the same rows', async () => {
  const speeds: (string | null)[] = []
  const listener = createHttpServer(async (request, response) => {
    if (/^(INSERT|SELECT count\(\))/.test(await text(request)))
      speeds.push(new URL(request.url ?? '', 'http://server').searchParams.get('max_execution_speed'))
    response.end('{"counted":["1"]}')
  })
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void listener.close())
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`
  const store = new ClickHouseStore([new ClickHouseServer(url)], null)
  onTestFinished(() => store.close())
  const insert = sql`INSERT INTO spoor.schema_versions (version) SELECT number FROM numbers(1)`
  const row_count_check = { where: sql`version = 1`, may_grow: true }
  await store.run(insert, { max_rows_a_second: 400_000, row_count_check })
  expect(speeds).toEqual(['400000', '400000', '400000'])
  await store.run(insert, { row_count_check })
  expect(speeds.slice(3)).toEqual(['0', '0', '0'])
})

test('rows of a build that differ from the result of its statement are refused', async () => {
  const store = await open([server.url])
  const [site_id, day] = ['3b241101-e2bb-4255-8caf-4136c566a962', '2026-03-01']
  const insert = (build: number) => sql`
    INSERT INTO spoor.crawler_daily (site_id, day, build, source_id, host, agent_key, status, path_class, requests)
    SELECT ${uuid(site_id)}, toDate('2026-03-01'), ${uint64(build)}, ${uuid(site_id)}, 'example.com', number, 200, 'content', 1
    FROM numbers(3)`
  const run = (build: number, may_grow: boolean) =>
    store.run(insert(build), { row_count_check: { where: inBuildsOfDays([{ site_id, day, build }]), may_grow } })
  await run(1, false)
  const doubled = { kind: 'unavailable', message: expect.stringMatching(/hold 6 rows .* returns 3/) }
  await expect(run(1, false)).rejects.toMatchObject(doubled)
  await run(2, true)
  await expect(run(2, true)).rejects.toMatchObject(doubled)
})

test('user and password are used and never shown', async () => {
  const wrong = new URL(server.url)
  wrong.password = 'anotherpassword'
  const failure = await openClickHouse({ urls: [wrong.href] }).catch((error: unknown) => error)
  expect(failure).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('refuses the user') })
  expect(String(failure)).toContain(`http://127.0.0.1:${wrong.port}/`)
  expect(String(failure)).not.toMatch(/anotherpassword|spoor:/)
})

test('closing stops running reads and writes, and refuses new ones', async () => {
  const store = await open([server.url])
  const endless = rows(Count)`SELECT count() AS n FROM numbers(1000000000000) WHERE sipHash64(number) = 1`
  const running = [
    store.all(endless),
    store.run(
      sql`INSERT INTO spoor.schema_versions SELECT number FROM numbers(1000000000000) WHERE sipHash64(number) = 1`,
    ),
    store.run(sql`INSERT INTO spoor.schema_versions SELECT 1`),
  ].map((work) => expect(work).rejects.toMatchObject({ kind: 'unavailable' }))
  await store.all(one)
  await store.close()
  await Promise.all(running)
  await expect(store.ping()).rejects.toMatchObject({ kind: 'unavailable' })
  await expect(store.insert('agents', agents, 1)).rejects.toMatchObject({ kind: 'unavailable' })
  // The server runs nothing of it any more.
  const other = await open([server.url])
  const left = rows(
    Count,
  )`SELECT count() AS n FROM system.processes WHERE query LIKE '%1000000000000%' AND query NOT LIKE '%processes%'`
  await expect.poll(() => other.all(left)).toEqual([{ n: 0 }])
})

test('closing does not wait for a lock that another process holds for long', async () => {
  const stores = await openTestControl()
  onTestFinished(() => stores.remove())
  const clock = systemClock()
  const store = new ClickHouseStore(
    [new ClickHouseServer(server.url)],
    null,
    openLeasedLocks({ control: await stores.open(), clock }),
  )
  const before = await store.all(agentCount)
  const other = openLeasedLocks({ control: await stores.open(), clock })
  await other.run('table agents', async () => {
    const waiting = [
      store.insert('agents', agents, 1),
      store.run(sql`INSERT INTO spoor.agents (agent_key, user_agent) SELECT 2, 'TestBot/2.0'`),
    ].map((work) =>
      expect(work).rejects.toMatchObject({ kind: 'unavailable', message: expect.stringContaining('closing') }),
    )
    await store.close()
    await Promise.all(waiting)
  })
  expect(await (await open([server.url])).all(agentCount)).toEqual(before)
})

test('a migration waits for its lock, and a store that needs no migration does not', async () => {
  const order: string[] = []
  const withMigrationLock = async (migrate: () => Promise<void>) => {
    order.push('lock')
    await migrate()
    order.push('migrated')
  }
  const urls = [server.url]
  const shipped = await readMigrations()
  const next = [...shipped, { version: shipped.length + 1, text: 'SELECT 1;' }]
  for (const migrations of [shipped, next, next]) {
    const store = await openClickHouse({ urls, withMigrationLock, migrations })
    await store.close()
  }
  expect(order).toEqual(['lock', 'migrated'])
  await expect(openClickHouse({ urls, migrations: shipped })).rejects.toMatchObject({ kind: 'newer_schema' })
})

test('a process that has lost the lock of facts does not write what it began under it', async () => {
  const stores = await openTestControl()
  onTestFinished(() => stores.remove())
  const control = await stores.open()
  let is_away = false
  // Its statements do not reach the control store, as of a process that stands still.
  const db = {
    insertInto: control.db.insertInto.bind(control.db),
    updateTable(table: 'turns') {
      if (is_away) throw new Error('away')
      return control.db.updateTable(table)
    },
  } as unknown as ControlStore['db']
  const clock = systemClock()
  const locks = openLeasedLocks({ control: { ...control, db }, clock, lease_ms: 200 })
  const store = new ClickHouseStore([new ClickHouseServer(server.url)], null, locks)
  onTestFinished(() => store.close())
  const other = openLeasedLocks({ control: await stores.open(), clock, lease_ms: 200 })
  const before = await store.all(agentCount)
  await store.writeLock.run(async () => {
    is_away = true
    await other.run('facts', async () => {})
    is_away = false
    const refused = { kind: 'unavailable', message: expect.stringContaining('"facts" was lost') }
    await expect(store.insert('agents', agents, 1)).rejects.toMatchObject(refused)
    await expect(store.run(sql`DELETE FROM spoor.agents WHERE 1`)).rejects.toMatchObject(refused)
  })
  expect(await store.all(agentCount)).toEqual(before)
  await store.insert('agents', agents, 1)
})

/** A store on the cluster `main`, whose only server is this listener. */
async function openClusterStore(listener: HttpServer): Promise<ClickHouseStore> {
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void listener.close())
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`
  const store = new ClickHouseStore([new ClickHouseServer(url)], 'main')
  onTestFinished(() => store.close())
  return store
}

/** A cluster that answers reads of all its servers with this error, and accepts everything else; lists the changes. */
async function startCluster(code: number): Promise<{ store: ClickHouseStore; changes: string[] }> {
  const changes: string[] = []
  const listener = createHttpServer(async (request, response) => {
    const asked = await text(request)
    if (asked.includes('clusterAllReplicas')) {
      response.writeHead(500, { 'X-ClickHouse-Exception-Code': String(code) })
      return response.end(`Code: ${code}. DB::Exception: All connection tries failed: ch2:9000. (A_NAME)`)
    }
    if (/^(DELETE|INSERT)/.test(asked)) changes.push(asked)
    response.end('{"n":["1"]}')
  })
  const store = await openClusterStore(listener)
  return { store, changes }
}

test('no change is begun while a server of the cluster is down, so that inserts do not wait for it', async () => {
  const deletion = sql`DELETE FROM spoor.agents WHERE agent = ${uint64('1')}`
  const down = await startCluster(279)
  await expect(down.store.run(deletion)).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringMatching(/^A change waits for every server of the cluster, and one is down: .*ch2:9000/),
  })
  expect(down.changes).toEqual([])
  await down.store.run(sql`INSERT INTO spoor.schema_versions SELECT 1`)
  expect(down.changes).toHaveLength(1)
  // Any other failure of that read, such as a missing right, is none of the change.
  const refusing = await startCluster(497)
  await refusing.store.run(deletion)
  expect(refusing.changes).toEqual([expect.stringContaining("ON CLUSTER 'main'")])
})
