/** For commands that only look: an installation that does not exist is not made, and an old one is not changed. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CONTROL } from '#backup/manifest.ts'
import type { Config } from '#config.ts'
import { type InspectedControl, inspectPostgresControl, inspectSqliteControl } from '#control/inspect.ts'
import { nameOfServer } from '#control/postgres-errors.ts'
import { readSetting } from '#control/settings.ts'
import type { ControlStore } from '#control/store.ts'
import { EVIDENCE_ID } from '#jobs/claim-evidence.ts'
import { type EvidenceFolders, refuseEvidenceWithoutControl, refuseMissingControl } from '#jobs/refuse-lost-control.ts'
import { refuseMoved } from '#move/move-state.ts'
import {
  evidenceElsewhere,
  evidenceMissing,
  type Makes,
  MissingInstallation,
  OutdatedStores,
} from './missing-installation.ts'
import { SPOOL } from './open-nodes.ts'

export type { Makes } from './missing-installation.ts'

/**
 * Before anything of the data folder is opened, or its lock makes it.
 * @throws MissingInstallation: there is none. OutdatedStores: it needs a start of the service (`no_layout`). Refusal
 * conflict: a store is lost, moved, or of another installation; not_readable: the database cannot be reached.
 */
export async function requireInstallation(config: Config, makes: Makes): Promise<void> {
  // Without a database, opening the folder says what is wrong with it.
  if (makes === 'all' && config.database_url === null) return
  const folder = resolve(config.data)
  refuseMoved(folder, config)
  const file = join(folder, CONTROL)
  const folders = { folder, evidence: join(folder, 'evidence'), spool: join(folder, SPOOL) }
  if (makes === 'all' && config.database_url !== null) return refuseEmptyDatabase(config.database_url, folders)
  const where = config.database_url === null ? file : nameOfServer(config.database_url)
  const control = await inspectControl(config, file)
  if (control === 'missing') {
    await refuseMissingControl(file, folders)
    throw new MissingInstallation(`${folder} holds no Spoor data`)
  }
  // Opening it says what is wrong with it.
  if (control === null) return
  if (!control.is_installed) {
    await refuseEvidenceWithoutControl(folders)
    throw new MissingInstallation(`The control store ${where} is empty`)
  }
  const lacks_evidence = config.clickhouse === null && !existsSync(folders.evidence)
  // Beside a database, commands that need no evidence run in any folder; openEvidence refuses the others.
  const may_lack_it = makes === 'nothing' && config.database_url !== null && existsSync(folder)
  if (lacks_evidence && control.evidence_id !== null && !may_lack_it) {
    throw config.database_url === null ? evidenceMissing(where, folders.evidence) : evidenceElsewhere(where, folder)
  }
  if (makes === 'nothing') return
  if (control.pending.length > 0) {
    throw new OutdatedStores('conflict', `The control store ${where} has the layout of an earlier release.`)
  }
  if (control.evidence_id === null) throw new MissingInstallation(`The control store ${where} has no evidence store`)
}

/** Beside evidence, a database without an installation is most likely misnamed: it gets no tables. */
async function refuseEmptyDatabase(database_url: string, folders: EvidenceFolders): Promise<void> {
  const { evidence_id } = await inspectPostgresControl(database_url)
  if (evidence_id === null) await refuseEvidenceWithoutControl(folders)
}

/**
 * Before a service makes its data folder: beside the database of another installation it would hold a lock and empty
 * stores from then on.
 * @throws Refusal conflict: the evidence is in another folder; not_readable: the database cannot be reached.
 */
export async function refuseForeignDatabase({ database_url, clickhouse, data }: Config): Promise<void> {
  const folder = resolve(data)
  if (database_url === null || clickhouse !== null || existsSync(join(folder, 'evidence'))) return
  const control = await inspectPostgresControl(database_url)
  const is_bound = control.is_installed && control.evidence_id !== null
  if (is_bound) throw evidenceElsewhere(nameOfServer(database_url), folder)
}

/** Beside a database whose evidence is elsewhere, a new store would be refused and left behind: none is made. */
export async function makesOfEvidence({ database_url }: Config, control: ControlStore, makes: Makes): Promise<Makes> {
  if (makes !== 'all' || database_url === null) return makes
  return (await readSetting(control.db, EVIDENCE_ID)) === null ? 'all' : 'nothing'
}

async function inspectControl({ database_url }: Config, file: string): Promise<InspectedControl | 'missing' | null> {
  if (database_url !== null) return inspectPostgresControl(database_url)
  return existsSync(file) ? inspectSqliteControl(file) : 'missing'
}
