/** Imports on a node that has lost the import lock, so that another node has removed what it had staged (ADR 44). */
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { IntakeMemory } from '#crawlers/intake-memory.ts'
import { history } from '#demo/history.ts'
import { EvidenceError } from '#evidence/errors.ts'
import { render } from '#evidence/fragment.ts'
import { type NamedLocks, processLocks } from '#evidence/named-locks.ts'
import { overrideStore } from '#evidence/override-store.ts'
import { sql } from '#evidence/sql.ts'
import { importLog } from '#intake/import/import-log.ts'
import type { Site } from '#sites/site.ts'
import { serviceOfFile } from '../../support/fresh.ts'
import type { TestService } from '../../support/service.ts'

const shared = serviceOfFile()
const LOG = history().on('2026-03-09').humans().crawler('gptbot').requests(5).text()

/** Imports the log on a node with these locks, which calls `beforeFacts` before its facts are stored. */
async function importOnNode(
  { crawlers }: TestService,
  site: Site,
  { locks = processLocks(), beforeFacts = async () => {} }: { locks?: NamedLocks; beforeFacts?: () => Promise<void> },
) {
  const evidence = overrideStore(crawlers.evidence, {
    async run(command, limits) {
      if (render(command).text.startsWith('INSERT INTO spoor.requests')) await beforeFacts()
      await crawlers.evidence.run(command, limits)
    },
  })
  const ctx = { ...crawlers, evidence, intake: new IntakeMemory('5f9c1a52-3a5e-4d2c-9c61-0c9a3b7d1e10', locks) }
  return importLog(ctx, { site, host: null, label: 'access.log' }, Readable.from([Buffer.from(LOG, 'latin1')]))
}

test('an import whose staged rows were removed fails instead of reporting them as duplicates; a repeat completes it', async () => {
  const service = await shared.fresh('2026-03-10T12:00:00Z')
  const { evidence } = service.crawlers
  const site = await service.addSite('example.com')
  const beforeFacts = () => evidence.run(sql`TRUNCATE TABLE spoor.import_rows`)
  await expect(importOnNode(service, site, { beforeFacts })).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringMatching(/^Of 5 staged rows the store has 0/),
  })
  expect(await importOnNode(service, site, {})).toMatchObject({ stored: 5, duplicates: 0 })
})

test('an import that has lost its lock fails, because pages that it had written may be deleted', async () => {
  const service = await shared.fresh('2026-03-10T12:00:00Z')
  const site = await service.addSite('example.com')
  const lost: NamedLocks = {
    ...processLocks(),
    run: (name, work) =>
      work({
        name,
        epoch: 1,
        deletions: 0,
        check() {
          throw new EvidenceError('unavailable', `The lock "${name}" was lost.`)
        },
        async noteDeletion() {},
      }),
  }
  await expect(importOnNode(service, site, { locks: lost })).rejects.toThrow('The lock "imports" was lost.')
  // Its facts are stored already; what it had not stored or claimed is completed.
  expect(await importOnNode(service, site, {})).toMatchObject({ stored: 0, duplicates: 5 })
})
