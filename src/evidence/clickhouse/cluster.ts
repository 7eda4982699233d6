/**
 * Rewrites the statements of one store for a cluster (decisions 8.1): rows are in local replicated tables, and a
 * distributed table with the usual name spreads them over the shards. The same migrations create both.
 */
import { EvidenceError } from '../errors.ts'

/** Tables of which every server has all rows, so that joins with them are local. */
const ON_EVERY_SERVER: ReadonlySet<string> = new Set([
  'address_proofs',
  'agent_labels',
  'agents',
  'identity',
  'pages',
  'schema_versions',
])

/** Sharding of facts, sessions and roll-ups: all rows of a day of a site are on one shard. */
const BY_SITE_AND_DAY = 'cityHash64(site_id, day)'
/** Sharding of tables without a site: rows that are joined or dropped together are on one shard. */
const BY_BRAND = 'cityHash64(brand_id)'
const SHARDING_KEYS: Readonly<Record<string, string>> = {
  answers: BY_BRAND,
  answer_citations: BY_BRAND,
  answer_mentions: BY_BRAND,
  counted_answers: BY_BRAND,
  search_rows: BY_BRAND,
  search_ai_rows: BY_BRAND,
  import_rows: 'cityHash64(delivery_id)',
  page_monthly: 'cityHash64(site_id, month)',
}

/** Servers must not drop identical batches; every insert also sets `insert_deduplicate = 0`. */
const NO_DEDUPLICATION = 'replicated_deduplication_window = 0'

/**
 * The statements that run on a cluster in place of a statement that changes something, in order; each may be repeated.
 * Statements that only insert rows, or read, do not change.
 * @throws EvidenceError bug for one that a cluster would run on one server only.
 */
export function clusterStatements(text: string, cluster: string): string[] {
  const on = `ON CLUSTER '${cluster}'`
  const [, word = ''] = /^\s*(\w+)/.exec(text) ?? []
  switch (word.toUpperCase()) {
    case 'INSERT':
    case 'SELECT':
      return [text]
    case 'CREATE':
      return /^\s*CREATE DATABASE\b/i.test(text) ? [databaseOn(text, on)] : tablesOn(text, cluster, on)
    case 'ALTER':
      return alteredOn(text, on)
    case 'DELETE':
      return [text.replace(/^\s*DELETE FROM spoor\.(\w+)/i, (_, table) => `DELETE FROM ${localName(table)} ${on}`)]
    case 'TRUNCATE':
      return [
        text.replace(/^\s*TRUNCATE TABLE spoor\.(\w+)/i, (_, table) => `TRUNCATE TABLE ${localName(table)} ${on}`),
      ]
    case 'DROP':
      return droppedOn(text, on)
    default:
      throw new EvidenceError('bug', `No form of this statement is known for a cluster: ${text.slice(0, 100)}`)
  }
}

/** Rewrites a read of the system tables of one server into a read of those of all servers, with Spoor's table names. */
export function clusterRead(text: string, cluster: string): string {
  const everywhere = `clusterAllReplicas('${cluster}', system.parts)`
  return text.replace(
    /\bFROM system\.parts\b/g,
    () => `FROM (SELECT * REPLACE (replaceRegexpOne(table, '_local$', '') AS table) FROM ${everywhere}) AS parts`,
  )
}

/** The name of the table that holds a server's own rows. */
export function localName(table: string): string {
  return ON_EVERY_SERVER.has(table) ? `spoor.${table}` : `spoor.${table}_local`
}

/** The tables that each server of a cluster needs for these: most have a local table and a distributed one. */
export function tablesOfServers(tables: readonly string[]): string[] {
  const local = tables.map((table) => localName(table).replace('spoor.', ''))
  return [...new Set([...tables, ...local])].sort()
}

const databaseOn = (text: string, on: string): string =>
  text.replace(/CREATE DATABASE IF NOT EXISTS spoor/, (made) => `${made} ${on}`)

function tablesOn(text: string, cluster: string, on: string): string[] {
  const [, table] = /^\s*CREATE TABLE IF NOT EXISTS spoor\.(\w+)/.exec(text) ?? []
  if (table === undefined || !ENGINE.test(text)) {
    throw new EvidenceError('bug', `This table has no form for a cluster: ${text.slice(0, 100)}`)
  }
  const local = text
    .replace(`spoor.${table}`, `${localName(table)} ${on}`)
    .replace(ENGINE, (_, kind: string, version: string | undefined) => replicated(table, kind, version))
    .replace(/\bSETTINGS\b/, `SETTINGS ${NO_DEDUPLICATION},`)
  if (ON_EVERY_SERVER.has(table)) return [local]
  const spread = `Distributed('${cluster}', 'spoor', '${table}_local', ${shardingKey(table, text)})`
  return [local, `CREATE TABLE IF NOT EXISTS spoor.${table} ${on} AS spoor.${table}_local ENGINE = ${spread}`]
}

const ENGINE = /\bENGINE = ((?:Replacing)?MergeTree)(?:\((\w+)\))?/

/**
 * `{shard}` and `{replica}` are macros of each server. One path for all shards makes a table complete on every
 * server.
 */
function replicated(table: string, kind: string, version: string | undefined): string {
  const is_everywhere = ON_EVERY_SERVER.has(table)
  const path = is_everywhere ? `/clickhouse/tables/spoor/all/${table}` : `/clickhouse/tables/spoor/{shard}/${table}`
  const replica = is_everywhere ? '{shard}-{replica}' : '{replica}'
  return `ENGINE = Replicated${kind}('${path}', '${replica}'${version === undefined ? '' : `, ${version}`})`
}

function shardingKey(table: string, text: string): string {
  const key = SHARDING_KEYS[table] ?? BY_SITE_AND_DAY
  const [, names = ''] = /^cityHash64\((.*)\)$/.exec(key) ?? []
  const missing = names.split(', ').find((name) => !new RegExp(`^\\s*${name} `, 'm').test(text))
  if (missing === undefined) return key
  throw new EvidenceError(
    'bug',
    `The table ${table} has no ${missing}: define its distribution over shards in cluster.ts.`,
  )
}

/** Columns change in the local and in the distributed table; all other changes are about rows, which are local. */
function alteredOn(text: string, on: string): string[] {
  const [, table = '', change = ''] = /^\s*ALTER TABLE spoor\.(\w+)\s+([\s\S]*)$/.exec(text) ?? []
  const local = `ALTER TABLE ${localName(table)} ${on} ${change}`
  if (ON_EVERY_SERVER.has(table) || !/^(ADD|MODIFY|DROP|RENAME) COLUMN\b/.test(change)) return [local]
  return [local, `ALTER TABLE spoor.${table} ${on} ${change}`]
}

function droppedOn(text: string, on: string): string[] {
  const [, table = ''] = /^\s*DROP TABLE IF EXISTS spoor\.(\w+)\s*$/.exec(text) ?? []
  if (table === '') throw new EvidenceError('bug', `No form of this statement is known for a cluster: ${text}`)
  const names = ON_EVERY_SERVER.has(table) ? [`spoor.${table}`] : [`spoor.${table}`, localName(table)]
  return names.map((name) => `DROP TABLE IF EXISTS ${name} ${on} SYNC`)
}
