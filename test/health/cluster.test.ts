/** On doubles of servers, which have no replicas: what only a cluster shows is listed in docs/verification.md. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import Type from 'typebox'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { connectClickHouse } from '#evidence/clickhouse/open.ts'
import { requestText } from '#evidence/clickhouse/parameters.ts'
import { count, rows, text } from '#evidence/sql.ts'
import { checkCluster } from '#health/cluster.ts'
import { macros, settingsInForce, shards, tablesOfAll, troubledReplicas } from '#health/cluster-statements.ts'
import { type ClickHouseDouble, startClickHouseDouble } from '../support/clickhouse.ts'
import { makeTestFolder, removeTestFolder } from '../support/control.ts'

const folders = [makeTestFolder(), makeTestFolder()]
let one: ClickHouseDouble
let other: ClickHouseDouble
beforeAll(async () => {
  ;[one, other] = (await Promise.all(folders.map(startClickHouseDouble))) as [ClickHouseDouble, ClickHouseDouble]
})
afterAll(async () => {
  await Promise.all([one.close(), other.close()])
  folders.forEach(removeTestFolder)
})

const codes = async (urls: string[], cluster: string | null = null) =>
  (await checkCluster(urls, cluster)).map(({ code }) => code)

test('a server that keeps what it confirms passes, and nothing of the verification is left', async () => {
  const passed = ['cluster_servers', 'cluster_changes', 'cluster_writes', 'cluster_deletions', 'cluster_reads']
  expect(await codes([one.url])).toEqual(passed)
  expect(await codes([one.url, one.url]), 'again, by two ways').toEqual(passed)
  const { store } = connectClickHouse(one.url, null)
  const left = rows(Type.Object({ n: count() }))`SELECT count() AS n FROM system.tables WHERE database = 'spoor'`
  expect(await store.all(left)).toEqual([{ n: 0 }])
  await store.close()
})

test('servers with different content are detected', async () => {
  expect(await codes([one.url, other.url])).toEqual([
    'cluster_servers',
    'cluster_changes',
    'cluster_writes_failed',
    'cluster_reads_differ',
  ])
})

test('a server that is down, or refuses its user, is named without its password', async () => {
  const wrong = new URL(one.url)
  wrong.password = 'anotherpassword'
  const findings = await checkCluster(['http://spoor:secret@127.0.0.1:1', wrong.href], null)
  expect(findings.map(({ code }) => code)).toEqual(['cluster_servers_failed', 'cluster_servers_failed'])
  expect(findings.map(({ message }) => message).join()).not.toMatch(/secret|anotherpassword/)
})

test('a cluster that the servers do not know fails, and so does what needs one', async () => {
  expect(await codes([one.url], 'main')).toEqual([
    ...['cluster_servers', 'cluster_topology_failed', 'cluster_tables_failed', 'cluster_replicas_failed'],
    ...['cluster_settings', 'cluster_changes_failed'],
  ])
})

test('the engine accepts the statements for a cluster', async () => {
  const { store } = connectClickHouse(one.url, null)
  const asked = [shards('main'), macros('main'), tablesOfAll('main'), troubledReplicas('main'), settingsInForce(['a'])]
  for (const { fragment } of asked) {
    const Read = Type.Object({ read: Type.String() })
    const [answer] = await store.all(rows(Read)`SELECT formatQuery(${text(requestText(fragment).text)}) AS read`)
    expect(answer?.read).toMatch(/^SELECT/)
  }
  await store.close()
})

/** Speaks for a cluster of which one server is down; `has_majority`: those that are left confirm inserts. */
async function startWithoutOne(has_majority: boolean): Promise<string> {
  let rows = 0
  const listener = createServer(async (request, response) => {
    const asked = await readText(request)
    const settings = new URL(request.url ?? '', 'http://server').searchParams
    const fail = (code: number, words: string) => {
      response.writeHead(500, { 'X-ClickHouse-Exception-Code': String(code) })
      response.end(`Code: ${code}. DB::Exception: ${words}`)
    }
    if (asked.includes('clusterAllReplicas')) fail(279, 'All connection tries failed. (ALL_CONNECTION_TRIES_FAILED)')
    else if (asked.includes('hostName()')) response.end('{"host":["ch1"],"version":["26.7.1"]}')
    else if (/ON CLUSTER/.test(asked)) {
      if (settings.get('distributed_ddl_output_mode') === 'null_status_on_timeout') response.end('')
      else fail(159, 'Distributed DDL task was not finished on 1 of 3 hosts. (TIMEOUT_EXCEEDED)')
    } else if (/^\s*INSERT/.test(asked)) {
      if (!has_majority)
        return fail(285, 'Number of alive replicas is less than requested quorum. (TOO_FEW_LIVE_REPLICAS)')
      rows += 400
      response.end('')
    } else if (/sum\(number\)/.test(asked)) {
      response.end(JSON.stringify({ rows: [String(rows)], numbers: [String((rows * (rows - 1)) / 2)] }))
    } else response.end('{}')
  })
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void listener.close())
  return `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`
}

test.each([
  [true, ['cluster_changes_failed', 'cluster_writes', 'cluster_deletions_failed', 'cluster_reads']],
  [false, ['cluster_changes_failed', 'cluster_writes_failed']],
])(
  'while a server of a cluster is down, inserts and reads are tried on the others; a majority: %s',
  async (is, expected) => {
    const found = await checkCluster([await startWithoutOne(is)], 'main')
    expect(found.map(({ code }) => code).slice(-expected.length)).toEqual(expected)
    const changes = found.find(({ code }) => code === 'cluster_changes_failed')
    expect(changes?.message).toMatch(/^A change waits for every server of the cluster, and one is down/)
  },
)
