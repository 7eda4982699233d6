import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import type { ControlStore } from '#control/store.ts'
import { readFreeSpace } from '#evidence/free-space.ts'
import type { EvidenceStore } from '#evidence/store.ts'

/**
 * Whether the service can do its work: both stores answer, and the disk of the data folder takes what is delivered, by
 * the rule by which the evidence store refuses an insert. A store that throws is not ready either.
 */
export async function isReady({
  control,
  evidence,
  folder,
}: {
  control: Pick<ControlStore, 'ping'>
  evidence: Pick<EvidenceStore, 'ping'>
  folder: string
}): Promise<boolean> {
  const [{ free_bytes, reserve_bytes }] = await Promise.all([
    readFreeSpace(folder),
    access(folder, constants.W_OK),
    control.ping(),
    evidence.ping(),
  ])
  return free_bytes >= reserve_bytes
}
