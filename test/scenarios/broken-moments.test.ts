import { Readable } from 'node:stream'
import pino from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import { builtInDocument } from '#crawlers/registry/built-in.ts'
import { storeBuiltInRegistry } from '#crawlers/registry/registry-store.ts'
import { history } from '#demo/history.ts'
import { render } from '#evidence/fragment.ts'
import { overrideStore } from '#evidence/override-store.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { prepareEvidence } from '#installation/prepare-evidence.ts'
import { importLog } from '#intake/import/import-log.ts'
import { eraseRemovedSites } from '#jobs/erase-removed-sites.ts'
import type { Site } from '#sites/site.ts'
import { removeSite } from '#sites/sites.ts'
import { disconnectSource } from '#sources/disconnect-source.ts'
import { serviceOfFile } from '../support/fresh.ts'
import type { TestService } from '../support/service.ts'

let service: TestService
let site: Site

const shared = serviceOfFile()
beforeEach(async () => {
  service = await shared.fresh('2026-03-10T12:00:00Z')
  site = await service.addSite('example.com')
  await service.createKey()
})

const read = async (window = '7d') => (await service.ask(`/v1/sites/example.com/performance?window=${window}`)).json
const silent = pino({ level: 'silent' })

/** The real store, but this command does something else before, or instead of, what it says. */
function meddled(matches: RegExp, before: () => Promise<void>): EvidenceStore {
  const { evidence } = service.crawlers
  return overrideStore(evidence, {
    async run(command, limits) {
      const { text, parameters } = render(command)
      if (matches.test(text + JSON.stringify(parameters))) await before()
      return evidence.run(command, limits)
    },
  })
}

const importInto = (evidence: EvidenceStore, text: string) =>
  importLog({ ...service.crawlers, evidence }, { site, host: null, label: 'a.log' }, Readable.from([Buffer.from(text)]))

describe('moments at which something breaks', () => {
  test('a registry that was stored but never took over does so at the next start', async () => {
    const { control } = service.installation
    await control.db.deleteFrom('settings').where('name', 'in', ['registry_version', 'registry_adopted']).execute()
    expect(await storeBuiltInRegistry(control, service.clock)).toBe(builtInDocument.version)
    await prepareEvidence(service.crawlers, silent)
    expect((await service.crawlers.registries.current()).version).toBe(builtInDocument.version)
    expect(await storeBuiltInRegistry(control, service.clock)).toBeNull()
  })

  test('an import that breaks off after its first month covers nothing of the second', async () => {
    const log = history().on('2026-01-31').humans().crawler('oai-searchbot').requests(2)
    log.on('2026-03-09').humans().crawler('oai-searchbot').requests(3)
    const evidence = meddled(/INSERT INTO spoor.requests[\s\S]*2026-03-09/, async () => {
      throw new Error('the disk went away')
    })
    await expect(importInto(evidence, log.text())).rejects.toThrow('the disk went away')
    service.clock.set('2026-03-10T00:30:00Z')
    expect(await read('3d')).toMatchObject({
      observed_request_count: null,
      meta: { coverage_state: 'partial', gaps: [{ from: '2026-03-08', to: '2026-03-10' }] },
    })
    expect(String((await read()).meta && ((await read()).meta as { data_through: string }).data_through)).toContain(
      '2026-01-31',
    )
    await service.importText(site, log)
    expect(await read('3d')).toMatchObject({ observed_request_count: 3 })
  })

  test('a source that its owner disconnects during an import that breaks off stays disconnected', async () => {
    const { operator, control } = service.installation
    const log = history().on('2026-03-08').humans().crawler('oai-searchbot').requests(3)
    await service.importText(site, log)
    const states = () => control.db.selectFrom('sources').select(['id', 'connection_status']).execute()
    const [source] = await states()
    const evidence = meddled(/INSERT INTO spoor.requests/, async () => {
      await disconnectSource(operator, source?.id as string)
      throw new Error('the disk went away')
    })
    const next = history().on('2026-03-09').humans().crawler('oai-searchbot').requests(3)
    await expect(importInto(evidence, next.text())).rejects.toThrow('the disk went away')
    expect(await states()).toEqual([{ ...source, connection_status: 'disconnected' }])
  })

  test('a first import that stored nothing leaves no source behind', async () => {
    const evidence = meddled(/INSERT INTO spoor.pages/, async () => {
      throw new Error('the disk went away')
    })
    const log = history().on('2026-03-09').humans().crawler('oai-searchbot').requests(3)
    await expect(importInto(evidence, log.text())).rejects.toThrow('the disk went away')
    expect((await service.ask('/v1/sites/example.com/sources')).json).toEqual({ sources: [] })
    expect(await read()).toMatchObject({ meta: { coverage_state: 'unknown', gaps: [], sources: [] } })
    expect(await service.importText(site, log)).toMatchObject({ stored: 3, duplicates: 0 })
  })

  test('a site removed while its log is imported leaves no evidence, and the import says why it ended', async () => {
    const { installation, crawlers } = service
    const evidence = meddled(/INSERT INTO spoor.requests/, async () => {
      await removeSite(installation.operator, { account_id: installation.operator.account_id, site_id: site.id })
      await eraseRemovedSites(crawlers)
    })
    const log = history().on('2026-03-09').humans().crawler('oai-searchbot').requests(3)
    await expect(importInto(evidence, log.text())).rejects.toMatchObject({ kind: 'site_not_found' })
    expect(await eraseRemovedSites(crawlers)).toBe(1)
    expect(await eraseRemovedSites(crawlers)).toBe(0)
  })

  test('a site removed before the first row of its import has the same error', async () => {
    const { installation, crawlers } = service
    const whole = meddled(/never/, async () => {})
    const evidence: EvidenceStore = {
      ...whole,
      async insert(table, lines, count) {
        await whole.insert(table, lines, count)
        if (table !== 'import_rows') return
        await removeSite(installation.operator, { account_id: installation.operator.account_id, site_id: site.id })
      },
    }
    const log = history().on('2026-03-09').humans().crawler('oai-searchbot').requests(3)
    await expect(importInto(evidence, log.text())).rejects.toMatchObject({ kind: 'site_not_found' })
    expect(await eraseRemovedSites(crawlers)).toBe(1)
  })

  test('lines ahead of the clock are facts, and their time is covered once the clock has passed it', async () => {
    await service.importText(
      site,
      history().on('2026-03-10').humans().crawler('oai-searchbot').requests(3, { from: '20:00' }),
    )
    service.clock.set('2026-03-10T23:30:00Z')
    expect(await read('3d')).toMatchObject({
      observed_request_count: 3,
      meta: { data_through: '2026-03-10T23:30:00.000Z', coverage_state: 'partial' },
    })
  })

  test('the refusal of an old log says how it can be read', async () => {
    const receipt = await service.importText(site, history().on('2020-05-06').humans())
    expect(receipt.warnings).toMatchObject([
      { code: 'out_of_reach', next: { step: 'serve_at', clock: '2020-05-07T00:00:00Z' } },
    ])
  })
})
