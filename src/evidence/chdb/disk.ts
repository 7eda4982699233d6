/** Handles full disks where the engine itself does not. */
import { statfs } from 'node:fs/promises'
import { EvidenceError } from '../errors.ts'
import { type Fragment, render } from '../fragment.ts'
import { DISK_ALMOST_FULL } from './errors.ts'
import type { EngineLimits } from './settings.ts'

/** A DELETE, or the rewriting of files in which it only masked rows. */
export const isDeletion = (command: Fragment): boolean => /^DELETE\b|\bAPPLY DELETED MASK$/i.test(render(command).text)

/**
 * TRICKY: on a full disk an INSERT fails at once, but a deletion waits for its background work until its time limit,
 * and blocks every writer until then ("a full disk does not delay a deletion").
 */
export async function refuseFullDisk(folder: string, { min_free_disk_bytes }: EngineLimits): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < min_free_disk_bytes) throw new EvidenceError('disk_full', DISK_ALMOST_FULL)
}
