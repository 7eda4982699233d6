/** Refuses an empty control store beside evidence: as a new installation, it would report all of it as unknown. */
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { EVIDENCE_ID, readSetting } from '#control/settings.ts'
import type { ControlStore } from '#control/store.ts'
import { holdsEvidenceParts } from '#evidence/stored-parts.ts'
import type { InstallationFolders } from './folders.ts'
import { LostControl } from './missing-installation.ts'

/**
 * Before the embedded control store is opened, because opening makes a missing file.
 * @throws Refusal conflict: the file is missing beside evidence.
 */
export async function refuseMissingControl(file: string, folders: InstallationFolders): Promise<void> {
  if (!existsSync(file) && (await holdsEvidence(folders))) throw lostControl(`${file} is missing`, folders)
}

/**
 * @throws Refusal conflict: the control store was never bound to an evidence store, but the data folder holds evidence.
 */
export async function refuseEmptyControl(control: ControlStore, folders: InstallationFolders): Promise<void> {
  if ((await readSetting(control.db, EVIDENCE_ID)) === null) await refuseEvidenceWithoutControl(folders)
}

/** For a control store that holds nothing. @throws Refusal conflict: the data folder holds evidence. */
export async function refuseEvidenceWithoutControl(folders: InstallationFolders): Promise<void> {
  if (await holdsEvidence(folders)) throw lostControl('it holds nothing', folders)
}

async function holdsEvidence({ evidence, spool }: InstallationFolders): Promise<boolean> {
  if (await holdsEvidenceParts(evidence)) return true
  return existsSync(spool) && (await readdir(spool)).length > 0
}

function lostControl(what: string, { folder, evidence, spool }: InstallationFolders): LostControl {
  const found = [evidence, spool].filter((path) => existsSync(path)).join(' and ')
  return new LostControl(
    'conflict',
    `The control store of the data folder ${folder} is lost (${what}), but evidence is there: ${found}. ` +
      'Only the control store says which sites and which days that evidence covers, so Spoor does not start without it. ' +
      'Restore a backup ({next}; of PostgreSQL, pg_restore), check SPOOR_DATABASE_URL if it names the wrong database, ' +
      `or, to begin anew without that evidence, move it away: mv ${found.replace(' and ', ' ')} to another folder.`,
    { next: { step: 'restore' } },
  )
}
