/**
 * Takes a backup of both embedded stores while they are in use: first control, then evidence (decisions 1, rules 7).
 */
import { mkdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, instantText } from '#clock.ts'
import type { Mutex } from '#concurrency/mutex.ts'
import type { ControlStore } from '#control/store.ts'
import { missingTables } from '#evidence/missing-tables.ts'
import type { EmbeddedEvidence } from '#evidence/store.ts'
import { Refusal } from '#refusal.ts'
import { CONTROL, EVIDENCE, MANIFEST, writeManifest } from './manifest.ts'
import { type Member, memberOf, membersOf, pack, packedBytes } from './pack.ts'

export interface BackupSource {
  control: ControlStore
  evidence: EmbeddedEvidence
  clock: Clock
  /** The data folder, which holds the temporary files of the backup until its end. */
  folder: string
  /** The version of this Spoor, for people. */
  version: string
  control_layout: readonly string[]
  /** Allows one backup of the data folder at a time. */
  backups: Mutex
}

/** The archive as a stream, with its size. */
export interface BackupStream {
  size: number
  chunks: AsyncIterable<Buffer>
}

/**
 * Calls `take` with the archive of one instant: no evidence is written between the copy of the control store and the
 * freezing of the evidence, so that the two are consistent. It has no secret key and no salts. Temporary files are
 * deleted when `take` ends.
 * @throws Refusal store_busy: another backup is being made, or the disk is full; not_readable: tables are missing.
 */
export async function takeBackup<T>(source: BackupSource, take: (archive: BackupStream) => Promise<T>): Promise<T> {
  if (source.backups.is_busy) throw new Refusal('store_busy', 'A backup is being made already. Wait until it is done.')
  return source.backups.run(() => makeBackup(source, take))
}

async function makeBackup<T>(source: BackupSource, take: (archive: BackupStream) => Promise<T>): Promise<T> {
  const work = join(source.folder, WORK_FOLDER)
  const missing = await missingTables(source.evidence)
  if (missing.length > 0) throw incomplete(missing)
  try {
    await clearBackupWork(source.folder)
    await mkdir(work, { mode: 0o700 })
    const copy = join(work, CONTROL)
    let created_at = source.clock.now()
    const copyControl = async () => {
      await refuseFullDisk(source.folder)
      created_at = source.clock.now()
      await source.control.copyTo(copy)
    }
    return await source.evidence.freeze(copyControl, async (tables) => {
      const manifest = writeManifest({
        spoor: source.version,
        created_at: instantText(created_at),
        control_layout: [...source.control_layout],
        evidence_layout: source.evidence.layout,
      })
      const members: Member[] = [
        { name: MANIFEST, size: manifest.length, from: manifest },
        await memberOf(CONTROL, copy),
      ]
      for (const { table, folder } of tables) {
        // A table without rows has no folder.
        if (await exists(folder)) members.push(...(await membersOf(`${EVIDENCE}/${table}`, folder)))
      }
      return take({ size: packedBytes(members), chunks: pack(members, created_at) })
    })
  } finally {
    await clearBackupWork(source.folder)
  }
}

/** The refusal of a backup with missing tables: after a restore, nothing would show that rows are missing. */
const incomplete = (missing: readonly string[]) =>
  new Refusal(
    'not_readable',
    `Tables of the evidence store are missing (${missing.join(', ')}), and a backup would lack their rows: no backup was made. ` +
      'Look into the system log for a fault of the disk, then restore an earlier backup.',
  )

/** Deletes the temporary files of an interrupted backup from the data folder. */
export async function clearBackupWork(folder: string): Promise<void> {
  await rm(join(folder, WORK_FOLDER), { recursive: true, force: true })
}

const WORK_FOLDER = 'backup.partial'
const MIN_FREE_BYTES = 4 << 20

/** @throws Refusal store_busy: too little space for the copy of the control store; evidence is only linked. */
async function refuseFullDisk(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const { size } = await stat(join(folder, CONTROL)).catch(() => ({ size: MIN_FREE_BYTES }))
  const needed = 2 * size + MIN_FREE_BYTES
  if (bavail * bsize >= needed) return
  throw new Refusal(
    'store_busy',
    `The disk of the data folder has no room for a copy of the control store (${needed} bytes): free some space and repeat the backup.`,
  )
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
