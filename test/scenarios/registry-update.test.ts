import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtInDocument } from '#crawlers/registry/built-in.ts'
import type { RegistryDocument } from '#crawlers/registry/document.ts'
import { history } from '#demo/history.ts'
import type { Site } from '#sites/site.ts'
import { runOperation } from '#surfaces/operator/operations.ts'
import { makeEntry } from '../crawlers/registry/make-registry.ts'
import { openTestService, type TestService } from '../support/service.ts'

let service: TestService
let site: Site
const newcomer = makeEntry('newcomer', { user_agent_tokens: ['NewcomerBot'] })
const later: RegistryDocument = {
  ...builtInDocument,
  version: '2027-01-01.1',
  entries: [
    ...builtInDocument.entries.map((entry) =>
      entry.crawler_id === 'gptbot' ? { ...entry, purpose: 'search' as const } : entry,
    ),
    newcomer,
  ],
}

beforeAll(async () => {
  service = await openTestService('2026-03-10T12:00:00Z')
  site = await service.addSite('example.com')
  await service.createKey()
  const log = history().on('2026-03-08').humans()
  log.agent('NewcomerBot/2.0').requests(6).crawler('gptbot').requests(4, { from: '15:00' })
  await service.importText(site, log)
})
afterAll(() => service.close())

const update = (document: unknown) =>
  runOperation(service.installation.operator, 'registry.update', {
    document: typeof document === 'string' ? document : JSON.stringify(document),
  })
const use = (version: string) => runOperation(service.installation.operator, 'registry.use', { version })
const byAgent = (ua_identified: number) => ({ unknown: 0, ua_identified, provider_verified: 0, network_verified: 0 })
const read = async () =>
  (await service.ask('/v1/sites/example.com/crawlers?window=7d&purpose=search,assistant,training,unknown')).json

describe('registry update and use (decisions 3.3)', () => {
  test('an update re-labels all history while reads go on: every answer is the old one or the new one', async () => {
    const before = await read()
    const seen: unknown[] = []
    let done = false
    const reading = (async () => {
      while (!done) {
        seen.push(await read())
        // An answer out of what is kept lets nothing else happen meanwhile.
        await setImmediate()
      }
    })()
    const adoption = await update(later)
    done = true
    await reading
    expect(adoption).toEqual({
      before: builtInDocument.version,
      after: '2027-01-01.1',
      changes: [
        {
          crawler_id: 'gptbot',
          before: { requests: 4, purpose: 'training', identities: byAgent(4) },
          after: { requests: 4, purpose: 'search', identities: byAgent(4) },
        },
        { crawler_id: 'newcomer', before: null, after: { requests: 6, purpose: 'unknown', identities: byAgent(6) } },
      ],
    })
    const after = await read()
    expect(after).toMatchObject({
      meta: { registry_version: '2027-01-01.1' },
      crawlers: [
        { crawler_id: 'newcomer', observed_request_count: 6 },
        { crawler_id: 'gptbot', observed_request_count: 4, purpose: 'search' },
      ],
    })
    expect(seen.length).toBeGreaterThan(0)
    for (const answer of seen) expect([before, after]).toContainEqual(answer)
  })

  test('an agent imported under the new version is labelled by it, and use goes back and forth', async () => {
    const log = history().on('2026-03-09').humans().agent('NewcomerBot/3.0').requests(2)
    await service.importText(site, log)
    expect(await read()).toMatchObject({ crawlers: [{ crawler_id: 'newcomer', observed_request_count: 8 }, {}] })
    const back = await use(builtInDocument.version)
    expect(back.changes).toContainEqual({
      crawler_id: 'newcomer',
      before: { requests: 8, purpose: 'unknown', identities: byAgent(8) },
      after: null,
    })
    expect(await read()).toMatchObject({ crawlers: [{ crawler_id: 'gptbot', purpose: 'training' }] })
    await use('2027-01-01.1')
    expect(await read()).toMatchObject({ crawlers: [{ crawler_id: 'newcomer' }, { crawler_id: 'gptbot' }] })
  })

  test('an agent imported during the switch has its label', async () => {
    const next = { ...later, version: '2027-01-01.2' }
    const log = history().on('2026-03-07').humans().agent('NewcomerBot/4.0').requests(3)
    await Promise.all([update(next), service.importText(site, log)])
    const answer = await read()
    expect(answer).toMatchObject({
      meta: { registry_version: '2027-01-01.2' },
      crawlers: [{ crawler_id: 'newcomer', observed_request_count: 11 }, {}],
    })
  })

  test.each([
    ['a wrong shape', { ...later, entries: 7 }, /not valid and was not loaded/],
    [
      'a lower version',
      { ...later, version: '2026-12-31.9' },
      /older than the loaded version 2027-01-01.2.*to go back, use \{next\}/,
    ],
    ['a duplicate id', { ...later, version: '2027-02-01.1', entries: [newcomer, newcomer] }, /newcomer occurs twice/],
    ['the same version with another content', { ...later, entries: later.entries.slice(1) }, /other content/],
    ['no JSON', 'registry', /not JSON/],
  ])('%s is refused and changes nothing', async (_what, document, complaint) => {
    const before = await read()
    await expect(update(document)).rejects.toThrow(complaint)
    expect(await read()).toEqual(before)
  })

  test('a version that is not loaded cannot be used', async () => {
    await expect(use('2020-01-01.1')).rejects.toThrow(
      'registry version "2020-01-01.1" is not loaded here: {next} lists the loaded ones',
    )
  })

  test('the list shows what is in force and what is loaded, newest first', async () => {
    const shown = await runOperation(service.installation.operator, 'registry.show', {})
    expect(shown.version).toBe('2027-01-01.2')
    expect(shown.versions.map((row) => row.version)).toEqual(['2027-01-01.2', '2027-01-01.1', builtInDocument.version])
    expect(shown.last_adoption).toMatchObject({
      before: '2027-01-01.1',
      after: '2027-01-01.2',
      changes: expect.any(Array),
    })
  })
})
