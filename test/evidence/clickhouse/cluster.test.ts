/** What a cluster is asked instead (decisions 8.1): read by the engine's own parser, which runs none of it here. */
import Type from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clusterRead, clusterStatements, clusterTables } from '#evidence/clickhouse/cluster.ts'
import { migrationStatements, readMigrations, VERSIONS } from '#evidence/migrate.ts'
import { rows, text } from '#evidence/sql.ts'
import { INSERT_COLUMNS } from '#evidence/tables.ts'
import { openTestEvidence, type TestEvidence } from '../../support/evidence.ts'

let evidence: TestEvidence
beforeAll(async () => {
  evidence = await openTestEvidence()
})
afterAll(() => evidence.remove())

async function migrated(): Promise<string[]> {
  const steps = await readMigrations()
  const own = ['CREATE DATABASE IF NOT EXISTS spoor ENGINE = Atomic', ...migrationStatements(VERSIONS)]
  return [...own, ...steps.flatMap((step) => migrationStatements(step.text))]
}

const commands = [
  'DELETE FROM spoor.requests WHERE site_id = 1 AND day IN (2)',
  'DELETE FROM spoor.pages WHERE site_id = 1',
  'ALTER TABLE spoor.requests APPLY DELETED MASK',
  "ALTER TABLE spoor.import_rows DROP PARTITION '7d444840-9dc0-11d1-b245-5ffdce74fad2'",
  'TRUNCATE TABLE spoor.import_rows',
]

test('the engine reads every statement, and each that changes tables or deletes rows reaches all servers', async () => {
  const statements = [...(await migrated()), ...commands].flatMap((one) => clusterStatements(one, 'main'))
  expect(statements.length).toBeGreaterThan(60)
  const Read = Type.Object({ read: Type.String() })
  for (const statement of statements) {
    // It throws at what it cannot parse.
    const [answer] = await evidence.store.all(rows(Read)`SELECT formatQuerySingleLine(${text(statement)}) AS read`)
    const read = String(answer?.read)
    if (/^INSERT/.test(read)) expect(read).toMatch(/^INSERT INTO spoor\.\w+/)
    else expect(read).toMatch(/^(CREATE|ALTER|DELETE|TRUNCATE|DROP) .*ON CLUSTER main\b/)
    if (/^CREATE TABLE/.test(read)) {
      expect(read).toMatch(
        /ENGINE = (Replicated(Replacing)?MergeTree\('\/clickhouse\/|Distributed\('main', 'spoor', ')/,
      )
    }
  }
})

test('every table that is written to has its form', async () => {
  const tables = clusterTables(await migrated())
  expect(tables).toEqual(expect.arrayContaining(Object.keys(INSERT_COLUMNS)))
  expect(tables).not.toContain('acquisition_daily')
})

test('facts are on the shard of their site and day, and joined names are on every server', async () => {
  const made = (await migrated()).flatMap((one) => clusterStatements(one, 'main'))
  const of = (name: string) => made.filter((one) => new RegExp(`CREATE TABLE IF NOT EXISTS spoor\\.${name} `).test(one))
  const [local] = of('requests_local')
  expect(local).toContain(
    "ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/spoor/{shard}/requests', '{replica}', receipt_order)",
  )
  expect(local).toContain('replicated_deduplication_window = 0')
  expect(of('requests')).toEqual([
    "CREATE TABLE IF NOT EXISTS spoor.requests ON CLUSTER 'main' AS spoor.requests_local ENGINE = Distributed('main', 'spoor', 'requests_local', cityHash64(site_id, day))",
  ])
  expect(of('pages').join()).toContain(
    "ReplicatedReplacingMergeTree('/clickhouse/tables/spoor/all/pages', '{shard}-{replica}')",
  )
  expect(of('pages_local')).toEqual([])
  expect(of('answers').join()).toContain('cityHash64(brand_id)')
})

test('columns change in both tables, rows only where they are stored', () => {
  const added = 'ALTER TABLE spoor.requests ADD COLUMN IF NOT EXISTS a UInt8'
  expect(clusterStatements(added, 'main')).toEqual([
    "ALTER TABLE spoor.requests_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS a UInt8",
    "ALTER TABLE spoor.requests ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS a UInt8",
  ])
  expect(commands.flatMap((one) => clusterStatements(one, 'main'))).toEqual([
    "DELETE FROM spoor.requests_local ON CLUSTER 'main' WHERE site_id = 1 AND day IN (2)",
    "DELETE FROM spoor.pages ON CLUSTER 'main' WHERE site_id = 1",
    "ALTER TABLE spoor.requests_local ON CLUSTER 'main' APPLY DELETED MASK",
    "ALTER TABLE spoor.import_rows_local ON CLUSTER 'main' DROP PARTITION '7d444840-9dc0-11d1-b245-5ffdce74fad2'",
    "TRUNCATE TABLE spoor.import_rows_local ON CLUSTER 'main'",
  ])
})

test('a statement without a form for a cluster is refused', () => {
  const bug = expect.objectContaining({ kind: 'bug' })
  expect(() => clusterStatements('OPTIMIZE TABLE spoor.requests FINAL', 'main')).toThrow(bug)
  const table = 'CREATE TABLE IF NOT EXISTS spoor.other (day Date) ENGINE = MergeTree ORDER BY day'
  expect(() => clusterStatements(table, 'main')).toThrow(/no site_id/)
  expect(() => clusterStatements('CREATE TABLE spoor.other (a UInt8) ENGINE = Log', 'main')).toThrow(bug)
})

test('parts are those of all servers, by the names of their tables', () => {
  expect(clusterRead("SELECT table FROM system.parts WHERE database = 'spoor'", 'main')).toBe(
    "SELECT table FROM (SELECT * REPLACE (replaceRegexpOne(table, '_local$', '') AS table) FROM clusterAllReplicas('main', system.parts)) AS parts WHERE database = 'spoor'",
  )
})
