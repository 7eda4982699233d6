/** For commands that only read: a missing installation is not created, and an old one is not changed. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CONTROL } from '#backup/manifest.ts'
import type { Config } from '#config.ts'
import { type InspectedControl, inspectPostgresControl, inspectSqliteControl } from '#control/inspect.ts'
import { nameOfServer } from '#control/postgres-errors.ts'
import { EVIDENCE_ID, readSetting } from '#control/settings.ts'
import type { ControlStore } from '#control/store.ts'

import { refuseMoved } from '#move/move-state.ts'
import { foldersOf, type InstallationFolders } from './folders.ts'
import {
  evidenceElsewhere,
  evidenceMissing,
  type MayCreate,
  MissingInstallation,
  OutdatedStores,
} from './missing-installation.ts'
import { refuseEvidenceWithoutControl, refuseMissingControl } from './refuse-lost-control.ts'

/**
 * Call it before the data folder is opened or locked, because both create it.
 * @throws MissingInstallation: there is none. OutdatedStores: it needs a start of the service (`nothing`). Refusal
 * conflict: a store is lost, moved, or of another installation; not_readable: the database cannot be reached.
 */
export async function requireInstallation(config: Config, may_create: MayCreate): Promise<void> {
  // Without a database, opening the folder reports what is wrong with it.
  if (may_create === 'all' && config.database_url === null) return
  const folder = resolve(config.data)
  refuseMoved(folder, config)
  const file = join(folder, CONTROL)
  const folders = foldersOf(folder)
  if (may_create === 'all' && config.database_url !== null) return refuseEmptyDatabase(config.database_url, folders)
  const where = config.database_url === null ? file : nameOfServer(config.database_url)
  const control = await inspectControl(config, file)
  if (control === 'missing') {
    await refuseMissingControl(file, folders)
    throw new MissingInstallation(`${folder} holds no Spoor data`)
  }
  // Opening it reports what is wrong with it.
  if (control === null) return
  if (!control.is_installed) {
    await refuseEvidenceWithoutControl(folders)
    throw new MissingInstallation(`The control store ${where} is empty`)
  }
  const lacks_evidence = config.clickhouse === null && !existsSync(folders.evidence)
  // Beside a database, commands that need no evidence run in any folder; openEvidence refuses the others.
  const may_lack_it = may_create === 'upgrade' && config.database_url !== null && existsSync(folder)
  if (lacks_evidence && control.evidence_id !== null && !may_lack_it) {
    throw config.database_url === null ? evidenceMissing(where, folders.evidence) : evidenceElsewhere(where, folder)
  }
  if (may_create === 'upgrade') return
  if (control.pending.length > 0) {
    throw new OutdatedStores('conflict', `The control store ${where} has the layout of an earlier release.`)
  }
  if (control.evidence_id === null) throw new MissingInstallation(`The control store ${where} has no evidence store`)
}

/** If the folder holds evidence, a database without an installation is most likely the wrong one: it gets no tables. */
async function refuseEmptyDatabase(database_url: string, folders: InstallationFolders): Promise<void> {
  const { evidence_id } = await inspectPostgresControl(database_url)
  if (evidence_id === null) await refuseEvidenceWithoutControl(folders)
}

/**
 * Call it before a service creates its data folder: with the database of another installation, that folder would keep
 * a lock and empty stores.
 * @throws Refusal conflict: the evidence is in another folder; not_readable: the database cannot be reached.
 */
export async function refuseForeignDatabase({ database_url, clickhouse, data }: Config): Promise<void> {
  const folder = resolve(data)
  if (database_url === null || clickhouse !== null || existsSync(foldersOf(folder).evidence)) return
  const control = await inspectPostgresControl(database_url)
  const is_bound = control.is_installed && control.evidence_id !== null
  if (is_bound) throw evidenceElsewhere(nameOfServer(database_url), folder)
}

/** Creates no evidence store beside a database that is bound to another one: it would be refused and left behind. */
export async function mayCreateEvidence(
  { database_url }: Config,
  control: ControlStore,
  may_create: MayCreate,
): Promise<MayCreate> {
  if (may_create !== 'all' || database_url === null) return may_create
  return (await readSetting(control.db, EVIDENCE_ID)) === null ? 'all' : 'upgrade'
}

async function inspectControl({ database_url }: Config, file: string): Promise<InspectedControl | 'missing' | null> {
  if (database_url !== null) return inspectPostgresControl(database_url)
  return existsSync(file) ? inspectSqliteControl(file) : 'missing'
}
