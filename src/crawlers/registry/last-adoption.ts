/** What the last switch of registries changed, kept so that it can be read again (decisions 3.3). */
import { readSetting, writeSetting } from '#control/settings.ts'
import type { ControlDb } from '#control/store.ts'
import type { Adoption } from './adopt-version.ts'

const LAST_ADOPTION = 'registry_last_adoption'

export interface KeptAdoption extends Adoption {
  /** As the API writes instants. */
  adopted_at: string
}

/** Kept in place of the one before. */
export const keepAdoption = (db: ControlDb, adoption: KeptAdoption): Promise<void> =>
  writeSetting(db, LAST_ADOPTION, JSON.stringify(adoption))

/** The switch that put `version` in force; null when it was not by a person, such as with a release. */
export async function readLastAdoption(db: ControlDb, version: string): Promise<KeptAdoption | null> {
  const stored = await readSetting(db, LAST_ADOPTION)
  if (stored === null) return null
  const kept: KeptAdoption = JSON.parse(stored)
  return kept.after === version ? kept : null
}
