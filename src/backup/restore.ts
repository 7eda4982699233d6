/**
 * Restores both stores of a backup: prepares and checks them in a folder, then moves them into place (decisions 1).
 */
import { existsSync, rmSync, statfsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Clock, instantText } from '#clock.ts'
import { lockFolder } from '#control/folder-lock.ts'
import type { EmbeddedEvidence } from '#evidence/store.ts'
import { Refusal } from '#refusal.ts'
import { CONTROL, EVIDENCE, type Layouts } from './manifest.ts'
import { finishMove, holdsStores, moveIn, preparedFolder } from './move-in.ts'
import { checkBackup, findBackup, unpack } from './unpack.ts'

export interface RestoreRequest {
  /** The data folder; created if it is missing. */
  folder: string
  file: string
  /** Moves existing stores aside instead of refusing. */
  replace: boolean
  clock: Clock
  wait_ms: number
  known: Layouts
  /** Opens an evidence store with this layout in an empty folder. */
  openEvidence(folder: string, layout: number): Promise<EmbeddedEvidence>
  /** Brings the prepared stores up to date: layouts, interrupted imports, and marks of days near the backup. */
  bringUpToDate(folder: string, created_at: number): Promise<{ sites: number }>
  onRead?: (bytes: number) => void
}

export interface Restored {
  created_at: string
  sites: number
  /** The folder of the previous stores; null: there were none. */
  moved_aside: string | null
}

/**
 * Restores a backup into a data folder that no process uses. The stores of the folder are unchanged until the prepared
 * ones are checked and ready.
 * @throws Refusal store_busy (a server, a full disk), conflict (the folder holds stores), not_readable (the file).
 */
export async function restoreBackup(request: RestoreRequest): Promise<Restored> {
  const folder = resolve(request.folder)
  const is_new = !existsSync(folder)
  const lock = await lockFolder(folder, { wait_ms: request.wait_ms })
  let done = false
  try {
    const restored = await restoreLocked({ ...request, folder })
    done = true
    return restored
  } finally {
    lock.release()
    if (is_new && !done) rmSync(folder, { recursive: true, force: true })
  }
}

async function restoreLocked(request: RestoreRequest): Promise<Restored> {
  const { folder, known, clock } = request
  finishMove(folder)
  const holds_stores = holdsStores(folder)
  if (holds_stores && !request.replace) {
    throw new Refusal(
      'conflict',
      `the data folder ${folder} holds evidence already, and nothing of it was changed: restore into an empty folder with --data, or give --replace, which moves what is there aside`,
    )
  }
  const file = await findBackup(request.file)
  const { manifest, size } = await checkBackup(file, known, request.onRead)
  refuseFullDisk(folder, size)
  const created_at = Date.parse(manifest.created_at)
  const prepared = preparedFolder(folder)
  try {
    await mkdir(prepared, { mode: 0o700 })
    await placeMembers({ ...request, file }, prepared, manifest.evidence_layout)
    const { sites } = await request.bringUpToDate(prepared, created_at)
    const aside = holds_stores ? join(folder, `before-restore-${instantText(clock.now()).replaceAll(':', '-')}`) : null
    moveIn(folder, aside)
    return { created_at: manifest.created_at, sites, moved_aside: aside }
  } catch (error) {
    // After the mark of `moveIn`, this finishes the last step; before the mark, it deletes the prepared stores.
    finishMove(folder)
    throw error
  }
}

async function placeMembers({ file, openEvidence }: RestoreRequest, prepared: string, layout: number): Promise<void> {
  const evidence = await openEvidence(join(prepared, EVIDENCE), layout)
  try {
    await evidence.attach(async (tables) => {
      const folders = new Map(tables.map(({ table, folder }) => [table, folder]))
      await unpack(file, (name) => {
        if (name === CONTROL) return join(prepared, CONTROL)
        const [store, table, ...path] = name.split('/')
        if (store !== EVIDENCE || table === undefined) return null
        const target = folders.get(table)
        if (target === undefined)
          throw new Refusal(
            'not_readable',
            `${file} holds a table ${table} that its layout does not have: nothing was changed`,
          )
        return join(target, ...path)
      })
    })
  } finally {
    await evidence.close()
  }
}

/** @throws Refusal store_busy: too little space for the stores, and for what they write. */
function refuseFullDisk(folder: string, size: number): void {
  const { bavail, bsize } = statfsSync(folder)
  const needed = Math.ceil(size * 1.05) + (32 << 20)
  if (bavail * bsize >= needed) return
  throw new Refusal(
    'store_busy',
    `the disk of ${folder} has ${bavail * bsize} bytes free, and the restore needs ${needed}: free some space and repeat; nothing was changed`,
  )
}
