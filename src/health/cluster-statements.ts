/**
 * What the verification of ClickHouse servers asks and does, in a table of its own (decisions 8.1). Some need a cluster
 * to run, so they are not among test/statements; the engine's parser reads them in test/health/cluster.test.ts.
 */
import Type from 'typebox'
import { count, type Fragment, list, rows, sql, text, uint } from '#evidence/sql.ts'

export const makeDatabase = sql`CREATE DATABASE IF NOT EXISTS spoor ENGINE = Atomic`

export const makeTable = sql`CREATE TABLE IF NOT EXISTS spoor.cluster_verification
(
  site_id UUID,
  day Date,
  number UInt64
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (site_id, day, number)
SETTINGS non_replicated_deduplication_window = 0`

export const addColumn = sql`ALTER TABLE spoor.cluster_verification ADD COLUMN IF NOT EXISTS note String`

export const dropTable = sql`DROP TABLE IF EXISTS spoor.cluster_verification`

/** Rows of 40 days of one site, which lie on all shards; `first` is the number of the first. */
export const addRows = (first: number, rows: number): Fragment => sql`
  INSERT INTO spoor.cluster_verification (site_id, day, number)
  SELECT toUUID('00000000-0000-4000-8000-000000000000'), toDate('2026-01-01') + toIntervalDay(number % 40), number
  FROM numbers(${uint(first)}, ${uint(rows)})`

export const deleteEveryOther = sql`DELETE FROM spoor.cluster_verification WHERE number % 2 = 1`

export const storedRows = rows(Type.Object({ rows: count(), numbers: count() }))`
  SELECT count() AS rows, sum(number) AS numbers FROM spoor.cluster_verification`

/** Who answers. */
export const serverIdentity = rows(Type.Object({ host: Type.String(), version: Type.String() }))`
  SELECT hostName() AS host, version() AS version`

/** Settings as a statement on this server has them. */
export const settingsInForce = (names: readonly string[]) =>
  rows(Type.Object({ name: Type.String(), value: Type.String() }))`
  SELECT name, value FROM system.settings WHERE name IN ${list('String', names)} ORDER BY name`

/** The shards of a cluster, with the number of their replicas. */
export const shards = (cluster: string) => rows(Type.Object({ shard: count(), replicas: count() }))`
  SELECT shard_num AS shard, count() AS replicas
  FROM system.clusters
  WHERE cluster = ${text(cluster)}
  GROUP BY shard
  ORDER BY shard`

/** The macros that replicated tables are named by, of every server. */
export const macros = (cluster: string) =>
  rows(Type.Object({ host: Type.String(), shard: Type.String(), replica: Type.String() }))`
  SELECT hostName() AS host, anyIf(substitution, macro = 'shard') AS shard, anyIf(substitution, macro = 'replica') AS replica
  FROM clusterAllReplicas(${text(cluster)}, system.macros)
  GROUP BY host
  ORDER BY host`

/** On how many servers of the cluster each table of the database is. */
export const tablesOfAll = (cluster: string) => rows(Type.Object({ name: Type.String(), servers: count() }))`
  SELECT name, uniqExact(hostName()) AS servers
  FROM clusterAllReplicas(${text(cluster)}, system.tables)
  WHERE database = 'spoor'
  GROUP BY name
  ORDER BY name`

/** Replicated tables that are not as they should be, on every server. */
export const troubledReplicas = (cluster: string) =>
  rows(
    Type.Object({
      host: Type.String(),
      table: Type.String(),
      is_readonly: Type.Integer(),
      seconds_behind: count(),
      waiting: count(),
      active: count(),
      total: count(),
    }),
  )`
  SELECT hostName() AS host, table, is_readonly, absolute_delay AS seconds_behind, queue_size AS waiting,
    active_replicas AS active, total_replicas AS total
  FROM clusterAllReplicas(${text(cluster)}, system.replicas)
  WHERE database = 'spoor' AND (is_readonly OR absolute_delay > 10 OR queue_size > 100 OR active_replicas < total_replicas)
  ORDER BY host, table`
