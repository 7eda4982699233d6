import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import Type from 'typebox'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { storeAnswers } from '#crawlers/identity/address-proofs.sql.ts'
import { forgetOldAddresses, provePending } from '#crawlers/identity/prove-pending-addresses.ts'
import { builtInDocument } from '#crawlers/registry/built-in.ts'
import type { RegistryDocument } from '#crawlers/registry/document.ts'
import { labelAgents, labelAllAgents, pendingId } from '#crawlers/registry/label-agents.ts'
import { useRegistryVersion } from '#crawlers/registry/registry-store.ts'
import { rows } from '#evidence/sql.ts'
import { askNameServers } from '#outgoing/name-servers.ts'
import type { Site } from '#sites/site.ts'
import { runOperation } from '#surfaces/operator/operations.ts'
import { makeEntry } from '../crawlers/registry/make-registry.ts'
import { type Delivered, deliver } from '../support/deliver.ts'
import { type DnsDouble, openDnsDouble, reverseOf } from '../support/dns-double.ts'
import { openTestService, type TestService } from '../support/service.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const GPTBOT = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.4; +https://openai.com/gptbot'
const YANDEX = 'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)'
const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
const NEWCOMER = 'NewcomerBot/2.0 (+https://newcomer.example/bot)'
const INSIDE = '20.125.66.85'
const OUTSIDE = '198.51.100.23'
const SOON = { timeout: 200, tries: 2 }
const ALL = 'purpose=search,assistant,training,unknown'

let service: TestService
let site: Site
let dns: DnsDouble
beforeEach(async () => {
  dns = await openDnsDouble()
  service = await openTestService('2026-03-10T12:00:00Z')
  site = await service.addSite('example.com')
  await service.createKey()
})
afterEach(async () => {
  await service.close()
  await dns.close()
})

const importList = (list: string, networks: string, is_whole_as = false) =>
  runOperation(service.installation.operator, 'registry.lists.import', {
    list,
    document: Buffer.from(networks).toString('base64'),
    is_whole_as,
  })
const update = (document: RegistryDocument) =>
  runOperation(service.installation.operator, 'registry.update', { document: JSON.stringify(document) })
const use = (version: string) => runOperation(service.installation.operator, 'registry.use', { version })
const send = (...requests: Delivered[]) => deliver(service, site, requests)
/** Name servers that answer have all the time that they have in a service. */
const ask = () => {
  const name_servers = dns.silent ? askNameServers([dns.server], SOON) : askNameServers([dns.server])
  return provePending({ ...service.crawlers, name_servers })
}

interface Row {
  crawler_id: string
  identity: string
  observed_request_count: number
  impostor_request_count: number
  identities: Record<string, number>
}

async function crawler(id: string): Promise<Row> {
  const { json } = await service.ask(`/v1/sites/example.com/crawlers?window=7d&${ALL}`)
  const row = (json.crawlers as Row[]).find(({ crawler_id }) => crawler_id === id)
  if (row === undefined) throw new Error(`${id} is not in the answer`)
  return row
}

const counts = (unknown: number, ua_identified: number, provider_verified: number, network_verified: number) => ({
  unknown,
  ua_identified,
  provider_verified,
  network_verified,
})

describe('proof by published lists', () => {
  test('a crawler’s requests are counted by how sure they are, and the row is as weak as the weakest', async () => {
    await importList('gptbot', '20.125.66.80/28')
    await send(
      { user_agent: GPTBOT, address: INSIDE, requests: 1_000 },
      { user_agent: GPTBOT, address: '10.1.2.3', requests: 20 },
      { user_agent: GPTBOT, address: '104.16.1.7', requests: 1 },
      { user_agent: GPTBOT, address: '198.51.100.0', requests: 2 },
      { user_agent: GPTBOT, address: OUTSIDE, attested: false, requests: 3 },
      { user_agent: GPTBOT, address: OUTSIDE, verified_bot: { provider: 'cloudflare' }, requests: 300 },
      { user_agent: GPTBOT, address: null, signature_verified: true, requests: 4 },
    )
    expect(await crawler('gptbot')).toMatchObject({
      identity: 'ua_identified',
      observed_request_count: 1_330,
      impostor_request_count: 0,
      identities: counts(0, 26, 304, 1_000),
    })
    await send({ user_agent: GPTBOT, address: OUTSIDE, requests: 7 })
    const before = await crawler('gptbot')
    expect(before).toMatchObject({
      identity: 'unknown',
      observed_request_count: 1_337,
      impostor_request_count: 7,
      identities: counts(7, 26, 304, 1_000),
    })
    await service.rebuild()
    expect(await crawler('gptbot')).toEqual(before)
  })

  test('a day is judged by that day’s list, even if the list changes in the middle', async () => {
    await send({ user_agent: GPTBOT, address: OUTSIDE, requests: 1 })
    expect(await crawler('gptbot')).toMatchObject({ identities: counts(0, 1, 0, 0) })
    service.clock.set('2026-03-11T09:00:00Z')
    await importList('gptbot', '20.125.66.80/28')
    await send(
      { user_agent: GPTBOT, address: '52.230.152.9', requests: 2 },
      { user_agent: GPTBOT, address: INSIDE, requests: 4 },
    )
    service.clock.set('2026-03-12T09:00:00Z')
    await importList('gptbot', '52.230.152.0/24')
    // Both were in force on the 12th, only the first on the 11th, only the second on the 13th.
    await send(
      { user_agent: GPTBOT, address: '52.230.152.9', requests: 8 },
      { user_agent: GPTBOT, address: INSIDE, requests: 16 },
    )
    await send({ user_agent: GPTBOT, address: '52.230.152.9', at: Date.parse('2026-03-11T23:00:00Z'), requests: 32 })
    service.clock.set('2026-03-13T09:00:00Z')
    await send(
      { user_agent: GPTBOT, address: '52.230.152.9', requests: 64 },
      { user_agent: GPTBOT, address: INSIDE, requests: 128 },
    )
    expect(await crawler('gptbot')).toMatchObject({ identities: counts(2 + 32 + 128, 1, 0, 4 + 8 + 16 + 64) })
  })

  test('a list that was not confirmed for more than 7 days proves and refutes nothing, until it is confirmed again', async () => {
    await importList('gptbot', '20.125.66.80/28')
    service.clock.advance(7 * DAY)
    await send({ user_agent: GPTBOT, address: OUTSIDE, requests: 1 })
    service.clock.advance(DAY)
    await send({ user_agent: GPTBOT, address: OUTSIDE, requests: 2 })
    expect(await importList('gptbot', '20.125.66.80/28')).toMatchObject({ is_new: false })
    await send({ user_agent: GPTBOT, address: OUTSIDE, requests: 4 })
    expect(await crawler('gptbot')).toMatchObject({ identities: counts(1 + 4, 2, 0, 0) })
  })

  test('all of an autonomous system proves nothing and refutes nothing', async () => {
    expect(await importList('gptbot', '20.125.66.80/28', true)).toMatchObject({ is_whole_as: true })
    await send({ user_agent: GPTBOT, address: OUTSIDE }, { user_agent: GPTBOT, address: INSIDE })
    expect(await crawler('gptbot')).toMatchObject({ identities: counts(0, 2, 0, 0) })
  })

  test('agents that no registry knows are proved too, so that a later one judges their past', async () => {
    const url = 'https://openai.com/gptbot.json'
    await importList('gptbot', '20.125.66.80/28')
    await send(
      { user_agent: NEWCOMER, address: INSIDE, requests: 5 },
      { user_agent: NEWCOMER, address: OUTSIDE, requests: 3 },
    )
    const plain = makeEntry('newcomer', { user_agent_tokens: ['NewcomerBot'] })
    const entry = { ...plain, verification: { ...plain.verification, ip_ranges_url: url } }
    const versions = [plain, entry].map((newcomer, at) => ({
      ...builtInDocument,
      version: `2027-01-01.${at + 1}`,
      entries: [...builtInDocument.entries, newcomer],
    })) as [RegistryDocument, RegistryDocument]
    expect((await update(versions[0])).changes).toEqual([
      {
        crawler_id: 'newcomer',
        before: null,
        after: { requests: 8, purpose: 'unknown', identities: counts(0, 8, 0, 0) },
      },
    ])
    const seen: Row[] = []
    let done = false
    const reading = (async () => {
      while (!done) {
        seen.push(await crawler('newcomer'))
        // An answer that is wholly kept waits for nothing.
        await setImmediate()
      }
    })()
    const adoption = await update(versions[1])
    done = true
    await reading
    expect(adoption.changes).toEqual([
      {
        crawler_id: 'newcomer',
        before: { requests: 8, purpose: 'unknown', identities: counts(0, 8, 0, 0) },
        after: { requests: 8, purpose: 'unknown', identities: counts(3, 0, 0, 5) },
      },
    ])
    expect(await crawler('newcomer')).toMatchObject({ identity: 'unknown', identities: counts(3, 0, 0, 5) })
    for (const row of seen) expect([counts(0, 8, 0, 0), counts(3, 0, 0, 5)]).toContainEqual(row.identities)
    await use('2027-01-01.1')
    expect(await crawler('newcomer')).toMatchObject({ identity: 'ua_identified', identities: counts(0, 8, 0, 0) })
  })
})

const Line = Type.Object({ line: Type.String() })
const dumps = [
  rows(Line)`SELECT formatRow('JSONEachRow', *) AS line FROM spoor.requests`,
  rows(Line)`SELECT formatRow('JSONEachRow', *) AS line FROM spoor.import_rows`,
  rows(Line)`SELECT formatRow('JSONEachRow', *) AS line FROM spoor.agents`,
  rows(Line)`SELECT formatRow('JSONEachRow', *) AS line FROM spoor.agent_labels`,
  rows(Line)`SELECT formatRow('JSONEachRow', *) AS line FROM spoor.address_proofs`,
  rows(Line)`SELECT formatRow('JSONEachRow', *) AS line FROM spoor.pages`,
  rows(Line)`SELECT formatRow('JSONEachRow', *) AS line FROM spoor.crawler_daily`,
  rows(Line)`SELECT formatRow('JSONEachRow', *) AS line FROM spoor.page_monthly`,
  rows(Line)`SELECT formatRow('JSONEachRow', *) AS line FROM spoor.page_outcomes_daily`,
  rows(Line)`SELECT formatRow('JSONEachRow', *) AS line FROM spoor.events`,
  rows(Line)`SELECT formatRow('JSONEachRow', *) AS line FROM spoor.sessions`,
  rows(Line)`SELECT formatRow('JSONEachRow', *) AS line FROM spoor.tracker_daily`,
  rows(Line)`SELECT formatRow('JSONEachRow', *) AS line FROM spoor.source_daily`,
  rows(Line)`SELECT formatRow('JSONEachRow', *) AS line FROM spoor.tracker_page_daily`,
  rows(Line)`SELECT formatRow('JSONEachRow', *) AS line FROM spoor.journey_daily`,
  rows(Line)`SELECT formatRow('JSONEachRow', *) AS line FROM spoor.definition_daily`,
  rows(Line)`SELECT formatRow('JSONEachRow', *) AS line FROM spoor.answers`,
  rows(Line)`SELECT formatRow('JSONEachRow', *) AS line FROM spoor.answer_citations`,
  rows(Line)`SELECT formatRow('JSONEachRow', *) AS line FROM spoor.answer_mentions`,
  rows(Line)`SELECT formatRow('JSONEachRow', *) AS line FROM spoor.counted_answers`,
  rows(Line)`SELECT formatRow('JSONEachRow', *) AS line FROM spoor.search_rows`,
  rows(Line)`SELECT formatRow('JSONEachRow', *) AS line FROM spoor.search_ai_rows`,
]
const tables = rows(Type.Object({ name: Type.String() }))`
  SELECT name FROM system.tables WHERE database = 'spoor' AND name NOT IN ('identity', 'schema_versions')`

/**
 * Everything at rest: the rows of all tables of the evidence, and every byte of the data folder, the control store's
 * files among them.
 */
async function everythingAtRest(): Promise<string> {
  const { evidence, control } = service.crawlers
  expect(await evidence.all(tables)).toHaveLength(dumps.length)
  const dumped = (await Promise.all(dumps.map((dump) => evidence.all(dump)))).flat().map((row) => row.line)
  for (const table of ['pending_addresses', 'ip_list_versions', 'settings', 'sources'] as const) {
    dumped.push(JSON.stringify(await control.db.selectFrom(table).selectAll().execute()))
  }
  return `${dumped.join('\n')}${bytesUnder(service.folder)}`
}

function bytesUnder(folder: string): string {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => !path.endsWith('.sock'))
    .map((path) => (statSync(path).isDirectory() ? bytesUnder(path) : readFileSync(path, 'latin1')))
    .join('')
}

describe('proof by names', () => {
  test('an address waits for its names, is proved, and is deleted', async () => {
    dns.records.set(reverseOf('5.255.253.7'), ['spider-5-255-253-7.yandex.com'])
    dns.records.set('spider-5-255-253-7.yandex.com', ['5.255.253.7'])
    await send(
      { user_agent: YANDEX, address: '5.255.253.7', requests: 6 },
      { user_agent: YANDEX, address: OUTSIDE, requests: 2 },
    )
    expect(await crawler('yandexbot')).toMatchObject({ identities: counts(0, 8, 0, 0) })
    expect(await everythingAtRest()).toContain('5.255.253.7')
    expect(await ask()).toEqual({ proved: 2, waiting: 0, forgotten: 0 })
    expect(await crawler('yandexbot')).toMatchObject({ identity: 'unknown', identities: counts(2, 0, 0, 6) })
    const rest = await everythingAtRest()
    for (const address of ['5.255.253.7', '5-255-253-7', OUTSIDE]) expect(rest).not.toContain(address)
    // What is known needs no id any more: the next request is proved at once.
    const asked = dns.asked.length
    await send({ user_agent: YANDEX, address: '5.255.253.7', requests: 10 })
    expect(await crawler('yandexbot')).toMatchObject({ identities: counts(2, 0, 0, 16) })
    expect(await ask()).toEqual({ proved: 0, waiting: 0, forgotten: 0 })
    expect(dns.asked.length).toBe(asked)
  })

  test('silent name servers are queried again; after a day the request is left unchecked and the address is deleted', async () => {
    dns.silent = true
    await send({ user_agent: YANDEX, address: OUTSIDE })
    expect(await ask()).toEqual({ proved: 0, waiting: 1, forgotten: 0 })
    const asked = dns.asked.length
    expect(await ask()).toEqual({ proved: 0, waiting: 0, forgotten: 0 })
    expect(dns.asked.length).toBe(asked)
    service.clock.advance(HOUR)
    expect(await ask()).toEqual({ proved: 0, waiting: 1, forgotten: 0 })
    service.clock.advance(23 * HOUR)
    expect(await ask()).toEqual({ proved: 0, waiting: 0, forgotten: 1 })
    expect(await everythingAtRest()).not.toContain(OUTSIDE)
    expect(await crawler('yandexbot')).toMatchObject({ identities: counts(0, 1, 0, 0) })
  })

  test('name servers of a closed network, which deny every name, refute no claim', async () => {
    dns.domains.clear()
    await send({ user_agent: YANDEX, address: OUTSIDE })
    expect(await ask()).toEqual({ proved: 0, waiting: 1, forgotten: 0 })
    expect(await crawler('yandexbot')).toMatchObject({ identities: counts(0, 1, 0, 0) })
    dns.domains.add('yandex.net')
    service.clock.advance(HOUR)
    expect(await ask()).toEqual({ proved: 1, waiting: 0, forgotten: 0 })
    expect(await crawler('yandexbot')).toMatchObject({ identities: counts(1, 0, 0, 0) })
  })

  test('names are queried only for recent requests of crawlers whose vendor publishes suffixes, and not proved by a list', async () => {
    await importList('googlebot', '66.249.66.0/27')
    await send(
      { user_agent: YANDEX, address: OUTSIDE, at: service.clock.now() - DAY },
      { user_agent: GPTBOT, address: OUTSIDE },
      { user_agent: NEWCOMER, address: OUTSIDE },
      { user_agent: GOOGLEBOT, address: '66.249.66.1' },
      { user_agent: YANDEX, address: '10.0.0.7' },
      { user_agent: YANDEX, address: OUTSIDE, attested: false },
    )
    expect(await service.installation.control.db.selectFrom('pending_addresses').selectAll().execute()).toEqual([])
    await ask()
    expect(dns.asked).toEqual([])
  })

  test('a name saves a claim that the list of the day does not know yet', async () => {
    await importList('googlebot', '66.249.66.0/27')
    dns.records.set(reverseOf('66.249.79.5'), ['crawl-66-249-79-5.googlebot.com'])
    dns.records.set('crawl-66-249-79-5.googlebot.com', ['66.249.79.5'])
    await send({ user_agent: GOOGLEBOT, address: '66.249.79.5', requests: 3 })
    expect(await crawler('googlebot')).toMatchObject({ identities: counts(3, 0, 0, 0) })
    await ask()
    expect(await crawler('googlebot')).toMatchObject({ identities: counts(0, 0, 0, 3) })
  })

  test('proof that arrives after another registry came into force is valid under both', async () => {
    dns.records.set(reverseOf('5.255.253.7'), ['spider.yandex.com'])
    dns.records.set('spider.yandex.com', ['5.255.253.7'])
    await send({ user_agent: YANDEX, address: '5.255.253.7' })
    await update({ ...builtInDocument, version: '2027-01-01.1' })
    await ask()
    expect(await crawler('yandexbot')).toMatchObject({ identity: 'network_verified' })
    const { changes } = await use(builtInDocument.version)
    expect(changes).toEqual([])
    expect(await crawler('yandexbot')).toMatchObject({ identity: 'network_verified' })
  })

  test.each([
    ['with a batch', labelAgents],
    ['with all agents, for a registry that has no label of it yet', labelAllAgents],
  ])('a proof that arrives while its agent is labelled %s is not overwritten by the older label', async (_, label) => {
    await send({ user_agent: YANDEX, address: '5.255.253.7' })
    const { evidence, registries, control } = service.crawlers
    const version = '2027-01-01.1'
    const row = { version, document: JSON.stringify({ ...builtInDocument, version }), sha256: '', loaded_at: 0 }
    await control.db.insertInto('registry_versions').values(row).execute()
    const registry = await registries.open(version)
    const [agent] = await evidence.all(
      rows(Type.Object({ agent_key: Type.String(), user_agent: Type.String(), proof: Type.String() }))`
        SELECT toString(agent_key) AS agent_key, user_agent, proof FROM spoor.agents`,
    )
    if (agent === undefined) throw new Error('nothing was stored')
    const id = pendingId(agent) as string
    let arrived = false
    const slow: typeof evidence = {
      ...evidence,
      all: (statement, limits) => evidence.all(statement, limits),
      async insert(table, inserted, count) {
        if (table === 'agent_labels' && !arrived) {
          arrived = true
          await storeAnswers(evidence, new Map([[id, { suffix: '.yandex.com' }]]))
          await labelAgents(evidence, registry, [agent])
        }
        await evidence.insert(table, inserted, count)
      },
    }
    await label(slow, registry, [agent])
    expect(arrived).toBe(true)
    await useRegistryVersion(control, version)
    expect(await crawler('yandexbot')).toMatchObject({ identity: 'network_verified' })
  })

  test('a restart drops addresses that are too old, and a stop keeps waiting ones', async () => {
    const { prover } = service.crawlers
    prover.prove({
      at: service.clock.now(),
      received_at: service.clock.now(),
      user_agent: YANDEX,
      address: OUTSIDE,
      attested: true,
      verified_bot: null,
      signature_verified: false,
    })
    const { folder } = service
    await service.installation.close()
    service = await openTestService('2026-03-10T13:00:00Z', folder)
    const waiting = () => service.installation.control.db.selectFrom('pending_addresses').select('address').execute()
    expect(await waiting()).toEqual([{ address: OUTSIDE }])
    service.clock.advance(DAY)
    expect(await forgetOldAddresses(service.crawlers)).toBe(1)
    expect(await waiting()).toEqual([])
  })

  test('a backup contains no address', async () => {
    await send({ user_agent: YANDEX, address: OUTSIDE })
    const archive = await service.installation.backup(async ({ chunks }) =>
      (await Readable.from(chunks).toArray()).join(''),
    )
    expect(archive.length).toBeGreaterThan(10_000)
    expect(archive).not.toContain(OUTSIDE)
    expect(await everythingAtRest()).toContain(OUTSIDE)
  })
})

describe('an uploaded log', () => {
  const line = (day: string, address: string, agent: string) =>
    `${address} - - [${day}:12:00:00 +0000] "GET / HTTP/1.1" 200 512 "-" "${agent}"\n`

  test('is proved by the client of each line and the list of its day', async () => {
    await importList('gptbot', '20.125.66.80/28')
    service.clock.set('2026-03-11T18:00:00Z')
    const log = [
      line('09/Mar/2026', OUTSIDE, GPTBOT),
      ...[INSIDE, INSIDE, OUTSIDE, '172.17.0.1', '127.0.0.1', '104.16.1.7', '198.51.100.0', 'client.example', '-'].map(
        (address) => line('10/Mar/2026', address, GPTBOT),
      ),
      line('11/Mar/2026', '5.255.253.7', YANDEX),
      line('09/Mar/2026', '5.255.253.7', YANDEX),
    ].join('')
    const receipt = await service.importText(site, log)
    expect(receipt).toMatchObject({ stored: 12, by_crawler: { gptbot: 10, yandexbot: 2 } })
    expect(await crawler('gptbot')).toMatchObject({ identities: counts(1, 7, 0, 2) })
    dns.records.set(reverseOf('5.255.253.7'), ['spider.yandex.com'])
    dns.records.set('spider.yandex.com', ['5.255.253.7'])
    expect(await ask()).toMatchObject({ proved: 1 })
    // The older line is over a day old: its names say nothing of its time.
    expect(await crawler('yandexbot')).toMatchObject({ identities: counts(0, 1, 0, 1) })
    expect(await service.importText(site, log)).toMatchObject({ stored: 0, duplicates: 12 })
    expect(await everythingAtRest()).not.toContain('5.255.253.7')
  })
})
