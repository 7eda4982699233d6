import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { openChdb } from '#evidence/chdb/store.ts'
import { openClickHouse } from '#evidence/clickhouse/open.ts'
import type { Migration } from '#evidence/migrate.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { startClickHouseDouble } from './clickhouse.ts'
import { copyStore } from './shared.ts'

export interface TestEvidence {
  store: EvidenceStore
  /** Of the engine's files: the store's own, or those of the server's double. */
  folder: string
  /** Closes the store and opens it again, with another set of tables than the shipped one if it is given. */
  reopen(options?: EvidenceOptions): Promise<void>
  /** Closes the store and removes its folder. */
  remove(): Promise<void>
}

interface EvidenceOptions {
  migrations?: readonly Migration[]
}

/** A fresh evidence store in a folder of its own. One at a time: the engine takes one folder per process. */
export async function openTestEvidence(options: EvidenceOptions = {}): Promise<TestEvidence> {
  const folder = await mkdtemp(join(tmpdir(), 'spoor-evidence-'))
  if (options.migrations === undefined) await copyStore('evidence', folder)
  const double = inject('evidence_store') === 'clickhouse' ? await startClickHouseDouble(folder) : null
  const open = (set: EvidenceOptions): Promise<EvidenceStore> =>
    double === null ? openChdb({ memory_mb: 2_048, ...set, folder }) : openClickHouse({ ...set, urls: [double.url] })
  const opened = {
    store: await open(options),
    folder,
    async reopen(set: EvidenceOptions = {}) {
      await opened.store.close()
      opened.store = await open(set)
    },
    async remove() {
      await opened.store.close()
      await double?.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
  return opened
}
