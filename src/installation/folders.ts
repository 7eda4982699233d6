/** The data folder and the folders inside it. */
import { join } from 'node:path'

export interface InstallationFolders {
  folder: string
  /** The embedded evidence store. */
  evidence: string
  /** Events that wait for the evidence store. */
  spool: string
}

/** The folders of a data folder; they need not exist. */
export const foldersOf = (folder: string): InstallationFolders => ({
  folder,
  evidence: join(folder, 'evidence'),
  spool: join(folder, 'spool'),
})
