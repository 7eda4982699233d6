/**
 * Migrates the evidence tables to the newest layout. Every step is repeatable: the next start completes it after a
 * crash.
 */
import { readdir, readFile } from 'node:fs/promises'
import Type from 'typebox'
import { EvidenceError } from './errors.ts'
import { Fragment } from './fragment.ts'
import { count, rows, sql, uint } from './sql.ts'
import type { EvidenceStore } from './store.ts'

export interface Migration {
  /** 1, 2, 3, … without gaps. */
  version: number
  /** Statements with the placeholders `{{engine …}}`, `{{durable}}` and `{{scratch}}`. */
  text: string
}

/**
 * Runs the missing migrations in order, and records the version of each; `folder` names the store in messages.
 * @throws EvidenceError newer_schema when a newer Spoor has written the store.
 */
export async function migrateEvidence(
  store: Pick<EvidenceStore, 'all' | 'run'>,
  folder: string,
  migrations: readonly Migration[],
): Promise<void> {
  await store.run(sql`CREATE DATABASE IF NOT EXISTS spoor ENGINE = Atomic`)
  for (const statement of migrationStatements(VERSIONS)) await store.run(new Fragment([statement]))
  const newest = migrations.length
  const [found] = await store.all(appliedVersion)
  const applied = found === undefined ? 0 : found.version
  if (applied > newest) {
    throw new EvidenceError(
      'newer_schema',
      `The evidence in ${folder} has layout ${applied}, this Spoor knows layouts up to ${newest}. ` +
        'Run the newer Spoor that wrote it, or restore a backup made before the update.',
    )
  }
  for (const { version, text } of migrations.slice(applied)) {
    for (const statement of migrationStatements(text)) await store.run(new Fragment([statement]))
    await store.run(sql`INSERT INTO spoor.schema_versions (version) SELECT ${uint(version)}`)
  }
}

/** For checks, which must not migrate a store. @throws EvidenceError older_schema; unavailable: it has no tables. */
export async function refuseOlderLayout(
  store: Pick<EvidenceStore, 'all'>,
  folder: string,
  newest: number,
): Promise<void> {
  const layout = await evidenceLayout(store)
  if (layout >= newest) return
  if (layout === 0) {
    throw new EvidenceError(
      'unavailable',
      `The evidence in ${folder} has no tables: it is empty or damaged. Put its files back, or restore a backup (docs/operating/backup.md).`,
    )
  }
  throw new EvidenceError('older_schema', `The evidence in ${folder} has layout ${layout}, of an earlier release.`)
}

/** The layout that a store has; 0 for one without tables. */
export async function evidenceLayout(store: Pick<EvidenceStore, 'all'>): Promise<number> {
  const [known] = await store.all(versionTables)
  if (known === undefined || known.tables === 0) return 0
  const [found] = await store.all(appliedVersion)
  return found === undefined ? 0 : found.version
}

/** The shipped migrations, in order. */
export async function readMigrations(): Promise<Migration[]> {
  const folder = new URL('migrations/', import.meta.url)
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name, at) => {
      const version = Number(name.slice(0, 4))
      if (version !== at + 1) throw new Error(`Migration ${name} should have the number ${at + 1}.`)
      return { version, text: await readFile(new URL(name, folder), 'utf8') }
    }),
  )
}

// Which layout a store has, and which store it is. Serve no answer.
export const VERSIONS = `
CREATE TABLE IF NOT EXISTS spoor.schema_versions (version UInt32)
ENGINE = {{engine ReplacingMergeTree}} ORDER BY version SETTINGS {{durable}};
CREATE TABLE IF NOT EXISTS spoor.identity (id UUID)
ENGINE = {{engine ReplacingMergeTree}} ORDER BY id SETTINGS {{durable}};`

const appliedVersion = rows(Type.Object({ version: count() }))`
  SELECT max(version) AS version FROM spoor.schema_versions`

const versionTables = rows(Type.Object({ tables: count() }))`
  SELECT count() AS tables FROM system.tables WHERE database = 'spoor' AND name = 'schema_versions'`

/**
 * Acknowledged rows must be durable, and inserts do not call fsync by default. A deduplication window would silently
 * drop identical batches.
 */
const DURABLE =
  'fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, non_replicated_deduplication_window = 0'
const SCRATCH = 'non_replicated_deduplication_window = 0'

/** The tables that a store has after these migrations, without the name of the database. */
export function tablesOf(migrations: readonly Migration[]): string[] {
  const tables = new Set<string>()
  for (const statement of [VERSIONS, ...migrations.map(({ text }) => text)].flatMap(migrationStatements)) {
    const [, change, table] = /^(CREATE TABLE IF NOT|DROP TABLE IF) EXISTS spoor\.(\w+)/.exec(statement) ?? []
    if (table === undefined) continue
    if (change === 'DROP TABLE IF') tables.delete(table)
    else tables.add(table)
  }
  return [...tables].sort()
}

/** The statements of one step, as a single store runs them; clickhouse/cluster.ts makes those of a cluster of them. */
export function migrationStatements(text: string): string[] {
  return text
    .replace(/^\s*--.*$/gm, '')
    .replace(/\{\{engine ([^}]+)\}\}/g, '$1')
    .replaceAll('{{durable}}', DURABLE)
    .replaceAll('{{scratch}}', SCRATCH)
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}
