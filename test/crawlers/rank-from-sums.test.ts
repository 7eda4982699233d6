import { expect, test } from 'vitest'
import type { SiteContext } from '#crawlers/context.ts'
import { readTopPages } from '#crawlers/top-pages.ts'
import { history } from '#demo/history.ts'
import { render } from '#evidence/fragment.ts'
import { overrideStore } from '#evidence/override-store.ts'
import { serviceOfFile } from '../support/fresh.ts'

const TODAY = '2026-03-10'
const shared = serviceOfFile()

test('names of top pages are read again after pages were written, and not before', async () => {
  const service = await shared.fresh(`${TODAY}T12:00:00.000Z`)
  const site = await service.addSite('example.com')
  let reads = 0
  const evidence = overrideStore(service.crawlers.evidence, {
    all: (statement, limits) => {
      const { text } = render(statement.fragment)
      if (text.includes('FROM spoor.pages FINAL') && text.includes('page_id IN')) reads += 1
      return service.crawlers.evidence.all(statement, limits)
    },
  })
  const ctx: SiteContext = { ...service.crawlers, site, evidence }
  const request = (path: string, from: string) =>
    service.importText(site, history().on(TODAY).crawler('oai-searchbot').requests(1, { from, path }))
  const answer = async () => {
    reads = 0
    const { pages } = await readTopPages(ctx, { window: '30d', purpose: ['search'], limit: 50 })
    return { paths: pages.map(({ path }) => path).sort(), reads }
  }
  await request('/a', '10:00')
  expect(await answer()).toEqual({ paths: ['/a'], reads: 1 })
  expect(await answer()).toEqual({ paths: ['/a'], reads: 0 })
  await request('/b', '10:01')
  expect(await answer()).toEqual({ paths: ['/a', '/b'], reads: 1 })
})
