/** The changes of the last switch of registries, stored so that they can be read again (decisions 3.3). */
import { readSetting, writeSetting } from '#control/settings.ts'
import type { ControlDb } from '#control/store.ts'
import type { Adoption } from './adopt-version.ts'

const LAST_ADOPTION = 'registry_last_adoption'

export interface KeptAdoption extends Adoption {
  /** In the format of instants in the API. */
  adopted_at: string
}

/** Replaces the previous one. */
export const keepAdoption = (db: ControlDb, adoption: KeptAdoption): Promise<void> =>
  writeSetting(db, LAST_ADOPTION, JSON.stringify(adoption))

/** The switch that put `version` in force; null if a person did not do it, such as with a release. */
export async function readLastAdoption(db: ControlDb, version: string): Promise<KeptAdoption | null> {
  const stored = await readSetting(db, LAST_ADOPTION)
  if (stored === null) return null
  const kept: KeptAdoption = JSON.parse(stored)
  return kept.after === version ? kept : null
}
