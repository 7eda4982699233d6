/** The changes of the last switch of registries, stored so that they can be read again (decisions 3.3). */
import { readSetting, writeSetting } from '#control/settings.ts'
import type { ControlDb } from '#control/store.ts'
import type { Adoption } from './adopt-version.ts'

const LAST_ADOPTION = 'registry_last_adoption'

export interface StoredAdoption extends Adoption {
  /** In the format of instants in the API. */
  adopted_at: string
}

/** Stores the changes of a switch in place of those of the previous one. */
export const storeAdoption = (db: ControlDb, adoption: StoredAdoption): Promise<void> =>
  writeSetting(db, LAST_ADOPTION, JSON.stringify(adoption))

/** The switch that put `version` in force; null if a release brought it, not a person. */
export async function readLastAdoption(db: ControlDb, version: string): Promise<StoredAdoption | null> {
  const stored = await readSetting(db, LAST_ADOPTION)
  if (stored === null) return null
  const adoption: StoredAdoption = JSON.parse(stored)
  return adoption.after === version ? adoption : null
}
