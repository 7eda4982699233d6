import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { builtInDocument } from '#crawlers/registry/built-in.ts'
import type { RegistryDocument } from '#crawlers/registry/document.ts'
import { labelAllAgents } from '#crawlers/registry/label-agents.ts'
import { useRegistryVersion } from '#crawlers/registry/registry-store.ts'
import { history } from '#demo/history.ts'
import { makeEntry } from '../crawlers/registry/make-registry.ts'
import { openTestService, type TestService } from '../support/service.ts'

let service: TestService

beforeEach(async () => {
  service = await openTestService('2026-03-10T12:00:00Z')
  const site = await service.addSite('example.com')
  await service.createKey()
  const log = history()
    .on('2026-03-08')
    .humans()
    .agent('NewcomerBot/2.0 (+https://newcomer.example/bot)')
    .requests(6, { path: '/a' })
    .crawler('oai-searchbot')
    .requests(4, { path: '/b' })
  await service.importText(site, log)
})
afterEach(() => service.close())

/** What an installation does when another registry version arrives. */
async function adopt(document: RegistryDocument): Promise<void> {
  const { control } = service.installation
  const row = { version: document.version, document: JSON.stringify(document), sha256: '', loaded_at: 0 }
  await control.db.insertInto('registry_versions').values(row).execute()
  await labelAllAgents(service.crawlers.evidence, await service.crawlers.registries.open(document.version))
  await useRegistryVersion(control, document.version)
}

const read = async () => (await service.ask('/v1/sites/example.com/crawlers?window=7d&purpose=search,unknown')).json

describe('a registry change re-labels history (spec 9.5)', () => {
  test('an agent that a later registry knows is counted in all of its past, from facts and from roll-ups', async () => {
    expect(await read()).toMatchObject({
      meta: { registry_version: builtInDocument.version },
      crawlers: [{ crawler_id: 'oai-searchbot', observed_request_count: 4, observed_share: 1 }],
    })
    const newcomer = makeEntry('newcomer', { user_agent_tokens: ['NewcomerBot'] })
    await adopt({ ...builtInDocument, version: '2026-12-01.1', entries: [...builtInDocument.entries, newcomer] })
    const relabelled = {
      meta: { registry_version: '2026-12-01.1' },
      crawlers: [
        { crawler_id: 'newcomer', observed_request_count: 6, observed_share: 0.6 },
        { crawler_id: 'oai-searchbot', observed_request_count: 4, observed_share: 0.4 },
      ],
    }
    expect(await read()).toMatchObject(relabelled)
    await service.rebuild()
    expect(await read()).toMatchObject(relabelled)
  })

  test('a newly declared purpose applies to the whole history, and going back restores the old answer', async () => {
    const before = await read()
    const entries = builtInDocument.entries.map((entry) =>
      entry.crawler_id === 'oai-searchbot' ? { ...entry, purpose: 'assistant' as const } : entry,
    )
    await adopt({ ...builtInDocument, version: '2026-12-01.2', entries })
    expect(await read()).toMatchObject({ crawlers: [] })
    await useRegistryVersion(service.installation.control, builtInDocument.version)
    expect(await read()).toEqual(before)
  })
})
