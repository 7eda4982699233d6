/**
 * Verifies the ClickHouse servers of an installation: what Spoor relies on and only the servers themselves can show
 * (decisions 8.1). It writes to a table of its own, which it removes; evidence is not touched.
 */
import { tablesOfServers } from '#evidence/clickhouse/cluster.ts'
import { connectClickHouse } from '#evidence/clickhouse/open.ts'
import { CLUSTER_SETTINGS } from '#evidence/clickhouse/settings.ts'
import { EvidenceError } from '#evidence/errors.ts'
import { readMigrations, tablesOf } from '#evidence/migrate.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import {
  addColumn,
  addRows,
  deleteEveryOther,
  dropTable,
  macros,
  makeDatabase,
  makeTable,
  serverIdentity,
  settingsInForce,
  shards,
  storedRows,
  tablesOfAll,
  troubledReplicas,
} from './cluster-statements.ts'
import { type Finding, type FindingCode, finding } from './findings.ts'

interface Server {
  /** Without user and password. */
  url: string
  store: EvidenceStore
}

/** A change that takes longer has not reached all servers. */
const WITH_ALL = { max_seconds: 60 }
/** Half of it is waited for servers that are down. */
const WITHOUT_THOSE_DOWN = { max_seconds: 20, may_be_late: true }
const ROUNDS = 10
const ROWS = 400

/** The findings of one verification of the servers at `urls`, which are parts of `cluster` unless it is null. */
export async function checkCluster(urls: readonly string[], cluster: string | null): Promise<Finding[]> {
  const servers = urls.map((url) => connectClickHouse(url, cluster))
  try {
    const { answering, findings } = await checkServers(servers)
    const [first] = answering
    if (first === undefined) return findings
    if (cluster !== null) {
      findings.push(await verdict('cluster_topology', () => checkTopology(first.store, cluster)))
      findings.push(await verdict('cluster_tables', () => checkTables(first.store, cluster)))
      findings.push(await verdict('cluster_replicas', () => checkReplicas(first.store, cluster)))
      findings.push(await verdict('cluster_settings', () => checkSettings(answering)))
    }
    findings.push(...(await checkTable(answering, cluster !== null)))
    return findings
  } finally {
    await Promise.all(servers.map(({ store }) => store.close()))
  }
}

type Checked = 'topology' | 'tables' | 'replicas' | 'settings' | 'changes' | 'writes' | 'deletions'

/** What a check found as it must be; it throws what it found otherwise. */
async function verdict(code: `cluster_${Checked}`, check: () => Promise<string>): Promise<Finding> {
  try {
    return finding(code, await check())
  } catch (error) {
    const failed: FindingCode = `${code}_failed`
    return finding(failed, error instanceof Error ? error.message : String(error))
  }
}

async function checkServers(servers: readonly Server[]): Promise<{ answering: Server[]; findings: Finding[] }> {
  const answering: Server[] = []
  const findings: Finding[] = []
  const said: string[] = []
  for (const server of servers) {
    try {
      const [identity] = await server.store.all(serverIdentity)
      said.push(`${identity?.host} (${identity?.version})`)
      answering.push(server)
    } catch (error) {
      findings.push(finding('cluster_servers_failed', reasonOfServer(error, server.url)))
    }
  }
  if (said.length > 0) findings.push(finding('cluster_servers', `These answer: ${said.join(', ')}.`))
  return { answering, findings }
}

/** Something else may listen there, such as a web server. */
function reasonOfServer(error: unknown, url: string): string {
  const cause = error instanceof EvidenceError ? error.cause : error
  const is_foreign =
    cause instanceof SyntaxError ||
    (cause instanceof Error && !('code' in cause) && !/time|abort|socket|closed/i.test(cause.message.slice(0, 100)))
  if (is_foreign) return `The server at ${url} is not a ClickHouse server: give the HTTP port of one, usually 8123.`
  return error instanceof Error ? error.message : String(error)
}

async function checkTopology(store: EvidenceStore, cluster: string): Promise<string> {
  const found = await store.all(shards(cluster))
  if (found.length === 0) throw new Error(`The servers know no cluster ${cluster} (system.clusters).`)
  const named = await store.all(macros(cluster))
  const without = named.filter(({ shard, replica }) => shard === '' || replica === '')
  if (without.length > 0) throw new Error(`No macro shard or replica: ${without.map(({ host }) => host).join(', ')}.`)
  const names = new Set(named.map(({ shard, replica }) => `${shard} ${replica}`))
  if (names.size < named.length) throw new Error('Two servers have the same macros shard and replica.')
  const replicas = found.reduce((sum, shard) => sum + shard.replicas, 0)
  if (named.length < replicas) throw new Error(`Of ${replicas} servers ${named.length} have reported their macros.`)
  return `${found.length} shards with ${found.map((shard) => shard.replicas).join(', ')} replicas.`
}

async function checkTables(store: EvidenceStore, cluster: string): Promise<string> {
  const expected = tablesOfServers(tablesOf(await readMigrations()))
  const servers = (await store.all(shards(cluster))).reduce((sum, shard) => sum + shard.replicas, 0)
  const found = new Map((await store.all(tablesOfAll(cluster))).map((table) => [table.name, table.servers]))
  if (!found.has('schema_versions')) return 'None yet: the first start of the service creates them.'
  const missing = expected.filter((name) => found.get(name) !== servers)
  if (missing.length > 0) throw new Error(`Not on all ${servers} servers: ${missing.join(', ')}.`)
  return `${expected.length} tables are on all ${servers} servers.`
}

async function checkReplicas(store: EvidenceStore, cluster: string): Promise<string> {
  const troubled = await store.all(troubledReplicas(cluster))
  if (troubled.length === 0) return 'All replicas are there, writable, and no more than 10 s behind.'
  const said = troubled.slice(0, 5).map((one) => {
    const state = one.is_readonly === 1 ? 'read-only' : `${one.seconds_behind} s behind, ${one.waiting} waiting`
    return `${one.table} on ${one.host}: ${state}, ${one.active} of ${one.total} replicas active`
  })
  throw new Error(`${troubled.length} tables of replicas: ${said.join('; ')}.`)
}

async function checkSettings(servers: readonly Server[]): Promise<string> {
  const names = Object.keys(CLUSTER_SETTINGS)
  for (const { url, store } of servers) {
    const found = new Map((await store.all(settingsInForce(names))).map(({ name, value }) => [name, value]))
    const wrong = Object.entries(CLUSTER_SETTINGS)
      .filter(([name, value]) => found.get(name) !== String(value))
      .map(([name, value]) => `${name} is ${found.get(name) ?? 'unknown'} instead of ${value}`)
    if (wrong.length > 0) throw new Error(`${url} does not accept these settings: ${wrong.join(', ')}.`)
  }
  return 'The servers accept the settings for quorum inserts, sequential reads and changes on all replicas.'
}

/** Changes, inserts, reads and deletions of a table made for it. */
async function checkTable(servers: readonly Server[], is_cluster: boolean): Promise<Finding[]> {
  const [first] = servers
  if (first === undefined) return []
  const changes = await verdict('cluster_changes', async () => {
    // Each is repeated, as after a crash.
    for (const change of [makeDatabase, dropTable, makeTable, makeTable, addColumn, addColumn]) {
      await first.store.run(change, WITH_ALL)
    }
    return 'A table was created and changed, each step twice.'
  })
  const findings = [changes]
  if (changes.level === 'ok') {
    findings.push(...(await checkRows(servers)))
    const dropped = await verdict('cluster_changes', async () => {
      await first.store.run(dropTable, WITH_ALL)
      return 'It was dropped again.'
    })
    if (dropped.level !== 'ok') findings.push(dropped)
  } else if (is_cluster && (await isMadeWhereUp(first.store))) {
    // What is stored and read while a server is down is what the operator wants to see.
    findings.push(...(await checkRows(servers)))
    await first.store.run(dropTable, WITHOUT_THOSE_DOWN).catch(() => {})
  }
  return findings
}

/** Makes the table on the servers that are up; false if it cannot be made there. */
async function isMadeWhereUp(store: EvidenceStore): Promise<boolean> {
  try {
    for (const change of [makeDatabase, dropTable, makeTable]) await store.run(change, WITHOUT_THOSE_DOWN)
    await store.all(storedRows)
    return true
  } catch {
    return false
  }
}

/** Each server in turn takes rows, and all must show them at once: what is missing would be a smaller count. */
async function checkRows(servers: readonly Server[]): Promise<Finding[]> {
  const refused: string[] = []
  const differing: string[] = []
  let stored = 0
  const compare = async (rows: number, numbers: number) => {
    for (const { url, store } of servers) {
      try {
        const [found] = await store.all(storedRows)
        if (found?.rows !== rows || found.numbers !== numbers) {
          differing.push(`${url} shows ${found?.rows} of ${rows} rows`)
        }
      } catch (error) {
        const said = error instanceof Error ? error.message : String(error)
        const is_refusal = error instanceof EvidenceError && error.kind === 'unavailable'
        if (is_refusal) refused.push(said)
        else differing.push(`${url}: ${said}`)
      }
    }
  }
  const writes = await verdict('cluster_writes', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await (servers[round % servers.length] as Server).store.run(addRows(stored, ROWS))
      stored += ROWS
      await compare(stored, (stored * (stored - 1)) / 2)
    }
    return `${ROUNDS} inserts of ${ROWS} rows were confirmed.`
  })
  const findings = [writes]
  if (writes.level === 'ok') {
    const deletions = await verdict('cluster_deletions', async () => {
      await (servers[0] as Server).store.run(deleteEveryOther, WITH_ALL)
      await compare(stored / 2, (stored / 2) * (stored / 2 - 1))
      return 'Rows were deleted on every replica.'
    })
    findings.push(deletions)
  }
  if (differing.length > 0) findings.push(finding('cluster_reads_differ', `${differing.slice(0, 5).join('; ')}.`))
  if (refused.length > 0) findings.push(finding('cluster_reads_refused', `${refused.length} reads: ${refused[0]}`))
  if (differing.length + refused.length === 0 && stored > 0) {
    findings.push(finding('cluster_reads', 'Each server showed every confirmed row at once.'))
  }
  return findings
}
