import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ChdbOptions, openChdb } from '#evidence/chdb.ts'
import type { EmbeddedEvidence } from '#evidence/store.ts'
import { copyStore } from './shared.ts'

export interface TestEvidence {
  store: EmbeddedEvidence
  folder: string
  /** Closes the store and removes its folder. */
  remove(): Promise<void>
}

/** A fresh evidence store in a folder of its own. One at a time: the engine takes one folder per process. */
export async function openTestEvidence(options: Partial<ChdbOptions> = {}): Promise<TestEvidence> {
  const folder = await mkdtemp(join(tmpdir(), 'spoor-evidence-'))
  if (options.migrations === undefined) await copyStore('evidence', folder)
  const store = await openChdb({ memory_mb: 2_048, ...options, folder })
  const opened = {
    store,
    folder,
    async remove() {
      // A test may have opened it anew.
      await opened.store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
  return opened
}
