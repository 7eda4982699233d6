/**
 * The version of a brand's mentions that is in use: found with one set of names, and switched as a whole (account API
 * 4).
 */

import { Mutex } from '#concurrency/mutex.ts'
import type { ControlStore } from '#control/store.ts'
import type { MentionVersionRow } from '#control/tables.ts'
import type { FoundBrand } from '../find-brand.ts'
import { readTrackedNames, type TrackedNames } from './tracked-brands.ts'

const FIRST_VERSION = 1

/** A lock for jobs that make or change mentions of stored answers, and for storing answers. */
export const MENTION_VERSIONS = new Mutex()

export async function readMentionVersion(
  { db }: ControlStore,
  { id }: Pick<FoundBrand, 'id'>,
): Promise<MentionVersionRow | null> {
  const row = await db.selectFrom('mention_versions').selectAll().where('brand_id', '=', id).executeTakeFirst()
  return row === undefined ? null : row
}

/** The version in use; before the first answer of a brand it has no rows. */
export async function readCurrentVersion(control: ControlStore, brand: Pick<FoundBrand, 'id'>): Promise<number> {
  const row = await readMentionVersion(control, brand)
  return row === null ? FIRST_VERSION : row.version
}

/** Whether stored answers must still be searched for changed names. */
export async function areNamesChanged(control: ControlStore, brand: Pick<FoundBrand, 'id'>): Promise<boolean> {
  const found = await readMentionVersion(control, brand)
  return found !== null && found.names_sha256 !== (await readTrackedNames(control.db, brand)).names_sha256
}

/** Of a version whose answers were searched for different names: it equals no names, so that a job searches anew. */
const MIXED = ''

/**
 * The version that new answers belong to. The first answers of a brand create the first one. Where names changed since,
 * new answers are searched for other names than those before, even if the names are changed back later.
 */
export async function startMentionVersion(
  control: ControlStore,
  brand: FoundBrand,
  { names_sha256 }: TrackedNames,
): Promise<number> {
  await control.db
    .insertInto('mention_versions')
    .values({ brand_id: brand.id, version: FIRST_VERSION, names_sha256 })
    .onConflict((conflict) => conflict.column('brand_id').doNothing())
    .execute()
  const row = await readMentionVersion(control, brand)
  if (row === null) return FIRST_VERSION
  if (row.names_sha256 !== names_sha256) await switchMentionVersion(control, { ...row, names_sha256: MIXED })
  return row.version
}

/** Puts a version of mentions in use. */
export async function switchMentionVersion(control: ControlStore, row: MentionVersionRow): Promise<void> {
  const { version, names_sha256 } = row
  await control.db
    .updateTable('mention_versions')
    .set({ version, names_sha256 })
    .where('brand_id', '=', row.brand_id)
    .execute()
}
