/** Settings, registry versions and removed sites of the installation. */
import type { EpochMs } from './scalars.ts'

export interface RegistryVersionRow {
  version: string
  /** The whole registry document, JSON. */
  document: string
  sha256: string
  loaded_at: EpochMs
}

/** One row per installation-wide value, for example `registry_version` or `next_build`. */
export interface SettingRow {
  name: string
  value: string
}

/** A site that was removed; its evidence is deleted after the control rows, by a job that survives a crash. */
export interface RemovedSiteRow {
  site_id: string
  removed_at: EpochMs
  /** Null while evidence of this site may still be stored, 0 while a job deletes it. */
  evidence_deleted_at: EpochMs | null
}
