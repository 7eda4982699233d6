/** Pages of an import are stored before its facts: no deletion of pages without facts may run in between. */
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MINUTE_MS } from '#clock.ts'
import { PURPOSES } from '#contract/vocabulary.ts'
import { readTopPages } from '#crawlers/top-pages.ts'
import { deleteRetired } from '#derived/delete-retired-builds.ts'
import { render } from '#evidence/fragment.ts'
import { overrideStore } from '#evidence/override-store.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { importLog } from '#intake/import/import-log.ts'
import { deleteExpiredDays } from '#retention/delete-expired.ts'
import { runOperation } from '#surfaces/operator/operations.ts'
import { retireVisitorDay, visitorFacts } from '#tracker/sessions/visitor-facts.ts'
import { openTestService, type TestService } from '../support/service.ts'

const NOW = '2026-03-10T12:00:00.000Z'
const PATHS = ['/page-1', '/page-2', '/page-3', '/page-4']
const LOG = PATHS.map(
  (path) => `192.0.2.1 - - [09/Mar/2026:10:00:00 +0000] "GET ${path} HTTP/1.1" 200 100 "-" "GPTBot/1.2"\n`,
).join('')

/** The same store, which calls `before` once, before the first facts are stored. */
function beforeFacts(store: EvidenceStore, before: () => Promise<unknown>): EvidenceStore {
  let called = false
  return overrideStore(store, {
    run: async (...[command, limits]: Parameters<EvidenceStore['run']>) => {
      if (!called && render(command).text.includes('INSERT INTO spoor.requests')) {
        called = true
        await before()
      }
      return store.run(command, limits)
    },
    all: store.all.bind(store),
    insert: store.insert.bind(store),
    state: store.state.bind(store),
  })
}

async function importBeside(service: TestService, deletion: (site_id: string) => Promise<unknown>): Promise<string[]> {
  const site = await service.addSite('example.com')
  const { crawlers } = service
  const evidence = beforeFacts(crawlers.evidence, () => deletion(site.id))
  await importLog({ ...crawlers, evidence }, { site, host: null, label: 'a.log' }, Readable.from([Buffer.from(LOG)]))
  const answer = await readTopPages({ ...crawlers, site } as never, { window: '7d', purpose: [...PURPOSES], limit: 50 })
  return answer.pages.map(({ path }) => path).sort()
}

describe('pages of an import are kept', () => {
  let service: TestService
  beforeEach(async () => {
    service = await openTestService(NOW)
  })
  afterEach(() => service.close())

  test('when the events of an expired day are deleted in the meantime', async () => {
    let deleted: Promise<unknown> = Promise.resolve()
    const paths = await importBeside(service, async (site_id) => {
      const retired_at = service.clock.now() - 11 * MINUTE_MS
      await service.crawlers.control.transaction((tx) =>
        retireVisitorDay(tx, { site_id, day: '2025-01-01', retired_at }),
      )
      deleted = deleteRetired(service.crawlers, [visitorFacts(service.crawlers)])
      // Given every chance to be early: it may not delete before the import has ended.
      await Promise.race([deleted, service.crawlers.evidence.state()])
    })
    expect(await deleted).toBe(1)
    expect(paths).toEqual(PATHS)
  })

  test('when a live source delivers evidence of a day that waits for its deletion', async () => {
    const paths = await importBeside(service, async (site_id) => {
      const { control } = service.crawlers
      const { operator } = service.installation
      const source = await runOperation(operator, 'source.add', { site: site_id, type: 'https_intake', name: 'web' })
      const expired_at = service.clock.now()
      const day = { source_id: source.id, site_id, day: '2025-01-01', expired_at }
      await control.db.insertInto('expired_days').values(day).execute()
      expect(await deleteExpiredDays(service.crawlers, { source_id: source.id })).toBe(1)
    })
    expect(paths).toEqual(PATHS)
  })
})
