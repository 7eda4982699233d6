import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Type from 'typebox'
import { beforeEach, expect, test } from 'vitest'
import { DAY_MS } from '#clock.ts'
import { history } from '#demo/history.ts'
import { render } from '#evidence/fragment.ts'
import { overrideStore } from '#evidence/override-store.ts'
import { count, rows, sql, uuid } from '#evidence/sql.ts'
import { eraseRemovedSites } from '#jobs/erase-removed-sites.ts'
import { EVIDENCE_TABLES, purgeDeleted } from '#jobs/purge-deleted.ts'
import { eraseAgain } from '#sites/erase-removed.ts'
import type { Site } from '#sites/site.ts'
import { removeSite } from '#sites/sites.ts'
import { serviceOfFile } from '../support/fresh.ts'
import type { TestService } from '../support/service.ts'
import { enableTracker, storeEvents } from '../support/tracker.ts'

const NOW = '2026-03-10T12:00:00Z'
let service: TestService
let sites: Site[]

const shared = serviceOfFile()
beforeEach(async () => {
  service = await shared.fresh(NOW)
  sites = [await service.addSite('gone.example'), await service.addSite('kept.example')]
  for (const site of sites) {
    await service.importText(site, history().on('2026-03-09').humans().crawler('oai-searchbot').requests(5))
    await enableTracker(service, site, { from: '2026-03-01T00:00:00Z', through: NOW })
    await storeEvents(service, site, [{ at: '2026-03-09T10:00:00Z', path: '/prices' }])
  }
  await service.rebuild()
})

const files = rows(Type.Object({ name: Type.String(), rows: count(), masked: count() }))`
  SELECT table AS name, sum(rows) AS rows, sum(has_lightweight_delete) AS masked
  FROM system.parts WHERE database = 'spoor' AND active GROUP BY table`
const stored = async () => new Map((await service.crawlers.evidence.all(files)).map((row) => [row.name, row]))
const HELD = ['requests', 'crawler_daily', 'page_outcomes_daily', 'events', 'pages']

test('a removed site is deleted from the files, and the rows of others are kept', async () => {
  await purgeDeleted(service.crawlers)
  const before = await stored()
  const { operator } = service.installation
  const [gone] = sites as [Site]
  await removeSite(operator, { account_id: operator.account_id, site_id: gone.id })
  expect(await eraseRemovedSites(service.crawlers)).toBe(1)
  expect(
    [...(await stored()).values()]
      .filter(({ masked }) => masked > 0)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(HELD.toSorted())
  expect((await purgeDeleted(service.crawlers)).toSorted()).toEqual(HELD.toSorted())
  const after = await stored()
  for (const table of HELD) {
    expect(after.get(table)).toEqual({ name: table, rows: (before.get(table)?.rows as number) / 2, masked: 0 })
  }
})

/** The real store, that does something once before a command of this kind. */
function before(command: RegExp, work: () => Promise<unknown>) {
  const { evidence } = service.crawlers
  let is_done = false
  return overrideStore(evidence, {
    async run(fragment, limits) {
      if (!is_done && command.test(render(fragment).text)) {
        is_done = true
        await work()
      }
      return evidence.run(fragment, limits)
    },
  })
}

test('events that are stored while the evidence of their removed site is deleted are deleted too', async () => {
  const { operator } = service.installation
  const [gone] = sites as [Site]
  const { control } = service.crawlers
  await removeSite(operator, { account_id: operator.account_id, site_id: gone.id })
  // After the site's events were deleted, before that is recorded.
  const evidence = before(/DELETE FROM spoor\.pages/, () => control.transaction((tx) => eraseAgain(tx, gone.id)))
  await eraseRemovedSites({ ...service.crawlers, evidence })
  expect(await eraseRemovedSites(service.crawlers)).toBe(1)
  expect(await eraseRemovedSites(service.crawlers)).toBe(0)
})

test('files of a site that is erased while others are rewritten are rewritten in the next round', async () => {
  const { operator } = service.installation
  const [gone, kept] = sites as [Site, Site]
  const { evidence } = service.crawlers
  await evidence.run(sql`DELETE FROM spoor.requests WHERE site_id = ${uuid(kept.id)}`)
  const erasing = before(/ALTER TABLE/, async () => {
    await removeSite(operator, { account_id: operator.account_id, site_id: gone.id })
    await eraseRemovedSites(service.crawlers)
  })
  expect(await purgeDeleted({ ...service.crawlers, evidence: erasing })).toEqual(['requests'])
  expect(await purgeDeleted(service.crawlers)).toContain('events')
  expect(await purgeDeleted(service.crawlers)).toEqual([])
})

test('files that are rewritten before the evidence of a removed site is deleted are rewritten after it, too', async () => {
  const { operator } = service.installation
  const [gone] = sites as [Site]
  await purgeDeleted(service.crawlers)
  await removeSite(operator, { account_id: operator.account_id, site_id: gone.id })
  const evidence = before(/DELETE FROM spoor\.events/, () => purgeDeleted(service.crawlers))
  await eraseRemovedSites({ ...service.crawlers, evidence })
  expect(await purgeDeleted(service.crawlers)).toContain('events')
})

test('rows that retention deletes are purged a week later', async () => {
  const [gone] = sites as [Site]
  await purgeDeleted(service.crawlers)
  await service.crawlers.evidence.run(sql`DELETE FROM spoor.requests WHERE site_id = ${uuid(gone.id)}`)
  service.clock.advance(7 * DAY_MS - 1)
  expect(await purgeDeleted(service.crawlers)).toEqual([])
  service.clock.advance(1)
  expect(await purgeDeleted(service.crawlers)).toEqual(['requests'])
  expect(await purgeDeleted(service.crawlers)).toEqual([])
})

test('a clock that was ahead does not delay the purge', async () => {
  const [gone] = sites as [Site]
  service.clock.leap('2027-03-10T12:00:00Z')
  await purgeDeleted(service.crawlers)
  service.clock.leap(NOW)
  await service.crawlers.evidence.run(sql`DELETE FROM spoor.requests WHERE site_id = ${uuid(gone.id)}`)
  expect(await purgeDeleted(service.crawlers)).toEqual(['requests'])
})

test('every table with evidence of a site is purged', () => {
  const folder = 'src/evidence/migrations'
  const layouts = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  const tables = layouts.flatMap((layout) => [
    ...layout.matchAll(/CREATE TABLE IF NOT EXISTS spoor\.(\w+)\s*\(([^;]*?)\n\)/g),
  ])
  const dropped = layouts.flatMap((layout) => [...layout.matchAll(/DROP TABLE IF EXISTS spoor\.(\w+)/g)])
  const gone = new Set(dropped.map(([, name]) => name))
  const of_sites = tables
    .filter(([, name, columns]) => !gone.has(name) && /^\s*site_id\b/m.test(columns as string))
    .map(([, name]) => name)
  expect(of_sites.length).toBeGreaterThan(5)
  expect([...EVIDENCE_TABLES.keys()].toSorted()).toEqual(of_sites.toSorted())
})
