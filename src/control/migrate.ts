import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { Refusal } from '#refusal.ts'
import { migrations } from './migrations/index.ts'
import type { ControlStore } from './store.ts'
import type { ControlTables } from './tables.ts'

/**
 * Migrates a database to the newest layout in one transaction. `what` names the store in messages, `known` has the
 * migrations in the order of their names.
 * @throws Refusal not_readable: a newer Spoor has written it.
 */
export async function migrateToLatest(
  database: Kysely<ControlTables>,
  what: string,
  known: Record<string, Migration> = migrations,
): Promise<void> {
  const newer = (await findDone(database)).filter((name) => !(name in known))
  if (newer.length > 0) {
    throw new Refusal(
      'not_readable',
      `A newer Spoor has written ${what}: this one does not know its layout (${newer.join(', ')}). Run that version or a later one, or restore a backup made before the update.`,
    )
  }
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => known } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw new Error(`The layout of ${what} could not be brought up to date.`, { cause: error })
}

/** The name of the newest migration of a store. */
export async function latestLayout({ db }: Pick<ControlStore, 'db'>): Promise<string> {
  const { name } = await db
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom('kysely_migration')
    .select('name')
    .orderBy('name', 'desc')
    .executeTakeFirstOrThrow()
  return name
}

async function findDone(database: Kysely<ControlTables>): Promise<string[]> {
  const tables = await database.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some((table) => table.name === 'kysely_migration')) return []
  const rows = await database
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom('kysely_migration')
    .select('name')
    .execute()
  return rows.map((row) => row.name)
}
