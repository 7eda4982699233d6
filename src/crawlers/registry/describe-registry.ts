import { instantText } from '#clock.ts'
import type { ControlStore } from '#control/store.ts'
import { readLastAdoption, type StoredAdoption } from './last-adoption.ts'
import type { RegistryStore } from './registry-store.ts'
import { compareVersions } from './version.ts'

export interface RegistrySummary {
  /** The version in force, which labels answers. */
  version: string
  entries: number
  /** Entries by declared purpose. */
  purposes: Record<string, number>
  /** Every loaded version, newest first. */
  versions: { version: string; sha256: string; loaded_at: string }[]
  /** The changes of the switch to the version in force; null if a release brought it. */
  last_adoption: StoredAdoption | null
}

/** The registry in force, and the loaded versions that `registry use` can put in force. */
export async function describeRegistry(control: ControlStore, registries: RegistryStore): Promise<RegistrySummary> {
  const current = await registries.current()
  const loaded = await control.db.selectFrom('registry_versions').select(['version', 'sha256', 'loaded_at']).execute()
  const purposes: Record<string, number> = {}
  for (const [purpose, entries] of Map.groupBy(current.entries, (entry) => entry.purpose))
    purposes[purpose] = entries.length
  return {
    version: current.version,
    entries: current.entries.length,
    purposes,
    versions: loaded
      .sort((a, b) => compareVersions(b.version, a.version))
      .map((row) => ({ version: row.version, sha256: row.sha256, loaded_at: instantText(row.loaded_at) })),
    last_adoption: await readLastAdoption(control.db, current.version),
  }
}
