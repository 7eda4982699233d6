/** Real servers on loopback; only the name servers are a double. */

import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HOUR_MS } from '#clock.ts'
import { readConfig } from '#config.ts'
import { findSnippetInspections } from '#inspections/snippet-inspections.ts'
import { snippetJobs } from '#jobs/snippet-jobs.ts'
import type { Site } from '#sites/site.ts'
import { hasSnippet } from '#tracker/coverage/find-snippet.ts'
import { serviceOfFile } from '../../support/fresh.ts'
import type { TestService } from '../../support/service.ts'
import { enableTracker, storeEvents } from '../../support/tracker.ts'

const NOW = '2026-03-10T01:00:00Z'
let service: TestService
const servers: Server[] = []

const shared = serviceOfFile()
beforeEach(async () => {
  service = await shared.fresh(NOW)
})
afterEach(async () => {
  for (const server of servers.splice(0)) server.close()
})

const db = () => service.installation.control.db

async function addTracked(domain: string): Promise<{ site: Site; key: string }> {
  const site = await service.addSite(domain)
  await enableTracker(service, site, { from: '2026-03-01T00:00:00Z', through: NOW })
  const row = await db()
    .selectFrom('tracker_keys')
    .select('prefix')
    .where('site_id', '=', site.id)
    .executeTakeFirstOrThrow()
  return { site, key: row.prefix }
}

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

async function inspect(ports: Record<string, number>, networks = '127.0.0.0/8') {
  const config = readConfig({ SPOOR_ALLOW_NETWORKS: networks, SPOOR_ALLOW_PORTS: Object.values(ports).join(',') })
  const { control, clock } = service.installation
  const [job] = snippetJobs({
    control,
    clock,
    outgoing: { ...config, resolve: async () => ['127.0.0.1'], own_endpoints: () => [] },
    homes: (domain) => [`http://${domain}:${ports[domain]}/`],
  })
  await job?.run(new AbortController().signal, { check: async () => {} })
  return job
}

const stored = async () => ({
  inspections: [...(await findSnippetInspections(db())).values()]
    .map(({ site_id, outcome }) => ({ site_id, outcome }))
    .sort((a, b) => (a.outcome < b.outcome ? -1 : 1)),
  proofs: await db().selectFrom('snippet_proofs').select(['site_id', 'day', 'proof']).execute(),
})

const snippet = (key: string) =>
  `<script defer src="https://spoor.example.com/spoor.js?site=${key}" data-site="${key}"></script>`

describe('the daily inspection (rules 6)', () => {
  test('proves the day of a site whose home page has the snippet, and only of that', async () => {
    const found = await addTracked('found.example')
    const without = await addTracked('without.example')
    const broken = await addTracked('broken.example')
    const job = await inspect({
      'found.example': await serve((_, response) => response.end(`<html>${snippet(found.key)}</html>`)),
      'without.example': await serve((_, response) => response.end(`<html>${snippet(found.key)}</html>`)),
      'broken.example': await serve((_, response) => response.writeHead(500).end(snippet(broken.key))),
    })
    expect(job?.rests_under_simulated_clock).toBe(true)
    expect(await stored()).toEqual({
      inspections: [
        { site_id: found.site.id, outcome: 'found' },
        { site_id: broken.site.id, outcome: 'http_500' },
        { site_id: without.site.id, outcome: 'not_found' },
      ],
      proofs: [{ site_id: found.site.id, day: '2026-03-10', proof: 'inspection' }],
    })
  })

  test('follows the redirect to www, and no address that is not allowed', async () => {
    const { site, key } = await addTracked('example.com')
    const www = await serve((_, response) => response.end(snippet(key)))
    const bare = await serve((_, response) =>
      response.writeHead(301, { location: `http://www.example.com:${www}/` }).end(),
    )
    await inspect({ 'example.com': bare, 'www.example.com': www }, '10.0.0.0/8')
    expect((await stored()).inspections).toEqual([{ site_id: site.id, outcome: 'address' }])
    service.clock.advance(6 * HOUR_MS)
    await inspect({ 'example.com': bare, 'www.example.com': www })
    expect(await stored()).toMatchObject({ inspections: [{ outcome: 'found' }], proofs: [{ day: '2026-03-10' }] })
  })

  test('is not repeated while the day is proved, nor within six hours, and starts again each day', async () => {
    const { key } = await addTracked('example.com')
    let asked = 0
    let page = '<html>'
    const port = await serve((_, response) => {
      asked++
      response.end(page)
    })
    const ports = { 'example.com': port }
    await inspect(ports)
    await inspect(ports)
    expect(asked).toBe(1)
    service.clock.advance(6 * HOUR_MS)
    page = snippet(key)
    await inspect(ports)
    service.clock.advance(10 * HOUR_MS)
    await inspect(ports)
    expect(asked).toBe(2)
    service.clock.set('2026-03-11T00:10:00Z')
    await inspect(ports)
    expect(asked).toBe(3)
    expect((await stored()).proofs.map(({ day }) => day)).toEqual(['2026-03-10', '2026-03-11'])
  })

  test('a load of the script spares no inspection, an accepted event of a browser does, and one of a server does not', async () => {
    const [loaded, heard, served] = await Promise.all(
      ['loaded.example', 'heard.example', 'served.example'].map(addTracked),
    )
    const sites = { loaded, heard, served } as Record<string, Awaited<ReturnType<typeof addTracked>>>
    const proof = { day: '2026-03-10', proof: 'script_load', proved_at: Date.parse(NOW) } as const
    await db()
      .insertInto('snippet_proofs')
      .values(Object.values(sites).map(({ site }) => ({ site_id: site.id, ...proof })))
      .execute()
    await storeEvents(service, (sites.heard as { site: Site }).site, [{ at: NOW }])
    await storeEvents(service, (sites.served as { site: Site }).site, [
      { at: NOW, stream: 'server', visitor: 0, kind: 'event', name: 'signup' },
    ])
    const ports: Record<string, number> = {}
    for (const [name, { key }] of Object.entries(sites))
      ports[`${name}.example`] = await serve((_, response) => response.end(snippet(key)))
    await inspect(ports)
    expect((await stored()).proofs.filter((row) => row.proof === 'inspection').map((row) => row.site_id)).toEqual(
      expect.arrayContaining([sites.loaded?.site.id, sites.served?.site.id]),
    )
    expect((await stored()).inspections).toHaveLength(2)
  })

  test('leaves sites alone whose owner switched the tracker off; without a key there is nothing to look for', async () => {
    const off = await addTracked('off.example')
    await db().updateTable('trackers').set({ disabled_at: 1 }).where('site_id', '=', off.site.id).execute()
    const keyless = await addTracked('keyless.example')
    await db().updateTable('tracker_keys').set({ revoked_at: 1 }).where('site_id', '=', keyless.site.id).execute()
    await inspect({})
    expect((await stored()).inspections).toEqual([{ site_id: keyless.site.id, outcome: 'no_key' }])
  })
})

describe('the snippet on a page', () => {
  const KEY = 'spoor_pub_0123456789abcdef'
  test.each([
    ['as it is given out', snippet(KEY), true],
    ['under a name of the site, over lines', `<SCRIPT\n src='/s.js'\n data-site='${KEY}'\n></SCRIPT>`, true],
    ['commented out', `<!-- ${snippet(KEY)} --><p>`, false],
    ['after a comment', `<!-- x -->${snippet(KEY)}`, true],
    ['in a comment without an end', `<!-- ${snippet(KEY)}`, false],
    ['with a longer key', snippet(`${KEY}0`), false],
    ['as text only', `<p>${KEY} spoor.js</p>`, false],
    ['behind unfinished tags', `${'<script '.repeat(200_000)}${snippet(KEY)}`, true],
    ['beside unfinished tags without end', `${'<script '.repeat(200_000)}${KEY}`, false],
    ['with blanks around its equals sign', `<script src  =  '/s.js' data-site=${KEY}>`, true],
    ['with blanks that lead nowhere', `<script${' src '.repeat(200_000)}${KEY}>`, false],
    ['as a script without src', `<script>"${KEY}"</script>`, false],
  ])('%s', (_, html, expected) => {
    expect(hasSnippet(html, [KEY])).toBe(expected)
  })
})
