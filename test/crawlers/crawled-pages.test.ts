/** Few redacted paths are counted in memory, many by the store: both count alike. */

import Type from 'typebox'
import { expect, test } from 'vitest'
import { PURPOSES } from '#contract/vocabulary.ts'
import type { SiteContext } from '#crawlers/context.ts'
import { openReading } from '#crawlers/coverage/meta.ts'
import { digestOfRedacted } from '#crawlers/crawled-pages.sql.ts'
import { countCrawled } from '#crawlers/crawled-pages.ts'
import { history } from '#demo/history.ts'
import { overrideStore } from '#evidence/override-store.ts'
import { rows, uuid } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { serviceOfFile } from '../support/fresh.ts'

const shared = serviceOfFile()
const SEEN = ['/a', '/cart/:redacted', '/team/:redacted']

test('counts are the same below and above the bound of redacted paths, of closed days and of today', async () => {
  const service = await shared.fresh('2026-03-10T12:00:00.000Z')
  const site = await service.addSite('example.com')
  let reads = 0
  const { evidence } = service.crawlers
  const all: EvidenceStore['all'] = (...asked) => {
    reads++
    return evidence.all(...asked)
  }
  const ctx: SiteContext = { ...service.crawlers, site, evidence: overrideStore(evidence, { all }) }
  const log = history()
  for (const day of ['2026-03-08', '2026-03-10']) {
    const asks = (crawler: string, requests: number, path: string) =>
      log.on(day).crawler(crawler).requests(requests, { path, from: '09:00' })
    asks('oai-searchbot', 3, '/a')
    asks('gptbot', 2, '/a')
    asks('oai-searchbot', 1, '/team/jo@example.org')
    asks('gptbot', 4, '/cart/jo@example.org')
    asks('oai-searchbot', 4, '/user/jo@example.org')
    asks('gptbot', 2, '/user/jo@example.org')
    for (const name of ['d', 'b', 'c']) asks('oai-searchbot', 2, `/${name}/jo@example.org`)
  }
  await service.importText(site, log)
  const named = rows(Type.Object({ page_id: Type.String(), path: Type.String() }))
  const known = await ctx.evidence.all(named`
    SELECT toString(page_id) AS page_id, path FROM spoor.pages FINAL WHERE site_id = ${uuid(site.id)}`)
  const pages = known.filter(({ path }) => SEEN.includes(path)).map(({ page_id }) => page_id)
  expect(pages).toHaveLength(3)
  const [found] = await ctx.evidence.all(digestOfRedacted(site.id))
  expect(found?.paths).toBe(6)
  const redacted = found ?? { paths: 0, digest: '' }

  for (const isDerived of [false, true]) {
    if (isDerived) await service.rebuild()
    for (const purpose of [['search'], ['training'], [...PURPOSES]] as const) {
      const { scope } = await openReading(ctx, { window: '7d', purpose: [...purpose] })
      for (const max_patterns of [2, 100]) {
        const count = async (max_redacted: number) => {
          const counted = await countCrawled(
            ctx,
            scope,
            { ranked: { pages, candidates: pages }, redacted, max_patterns, max_redacted },
            {},
          )
          const of_pages = pages.map((id) => counted.by_page.get(id)).map((page) => page && countsOf(page))
          const patterns = counted.patterns.map((row) => ({ ...countsOf(row), name: row.hostname + row.path }))
          return { of_pages, patterns, total: counted.total_patterns }
        }
        const kept = await count(6)
        reads = 0
        expect(await count(5)).toEqual(kept)
        // The redacted paths are counted, and no list of them is read.
        expect(reads).toBe(1)
        expect(kept.total).toBe({ search: 5, training: 2, all: 6 }[purpose.length === 1 ? purpose[0] : 'all'])
        expect(kept.patterns).toHaveLength(Math.min(max_patterns, kept.total))
      }
    }
  }
})

const countsOf = ({
  requests,
  crawlers,
  last_at,
  hidden,
}: Record<'requests' | 'crawlers' | 'last_at' | 'hidden', number>) => ({
  requests,
  crawlers,
  last_at,
  hidden,
})
