/** Inspections of local sites, each with a fault of its own, and the queue that they wait in (rules 8.3, 8.4). */
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { KyselyPlugin } from 'kysely'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { builtInDocument } from '#crawlers/registry/built-in.ts'
import { nextBegin } from '#inspections/budgets.ts'
import type { InspectionInput } from '#inspections/inspection.ts'
import { listInspections } from '#inspections/list-inspections.ts'
import { queueInspections, resultOf } from '#inspections/queue.ts'
import { decidePastRequest } from '#inspections/robots-history.ts'
import { type RunInspectionsContext, runDueInspections } from '#inspections/run-due.ts'
import { findingOf } from '#issues/evidence/inspections-of-issues.ts'
import type { Site } from '#sites/site.ts'
import { selfSigned } from '../support/certificate.ts'
import { serviceOfFile } from '../support/fresh.ts'
import type { TestService } from '../support/service.ts'
import { openWebServers } from '../support/web-server.ts'

const { fresh } = serviceOfFile()
const web = openWebServers()
const trusted = getCACertificates('default')
const identity = selfSigned('shop.example')
beforeAll(() => setDefaultCACertificates([...trusted, identity.cert]))
afterAll(() => setDefaultCACertificates(trusted))
afterEach(() => web.close())

const NOW = '2026-11-20T12:00:00Z'

interface World {
  service: TestService
  site: Site
  context: RunInspectionsContext
  /** Queues and runs; the results in the order of the inputs. */
  inspect(...inputs: Partial<InspectionInput>[]): Promise<Made[]>
}

interface Made {
  row: Awaited<ReturnType<typeof queueInspections>>[number]
  result: NonNullable<ReturnType<typeof resultOf>>
}

/** `https` and `http`: the ports of the site; null: no server listens. */
async function openWorld(
  { https = null, http = null }: { https?: number | null; http?: number | null },
  names: Record<string, string[] | string> = {},
): Promise<World> {
  const control = await web.http((_, response) => response.end('here'))
  const closed = await web.tcp((socket) => socket.destroy())
  const service = await fresh(NOW)
  const site = await service.addSite('shop.example')
  const context: RunInspectionsContext = {
    ...service.crawlers,
    // Durations are real, with fractions of a millisecond.
    clock: { ...service.clock, elapsed: () => performance.now() },
    log: pino({ level: 'silent' }),
    outgoing: web.outgoing({ 'shop.example': ['127.0.0.1'], 'control.example': ['127.0.0.1'], ...names }),
    public_url: 'https://spoor.example.org',
    originOf: (scheme, host) => `${scheme}://${host}:${(scheme === 'https' ? https : http) ?? closed}`,
    control_urls: [`http://control.example:${control}/`],
  }
  const inspect = async (...inputs: Partial<InspectionInput>[]) => {
    const { db } = service.installation.control
    const wanted = inputs.map((input) => ({
      site_id: site.id,
      host: 'shop.example',
      path: '/page',
      crawler_id: 'gptbot',
      issue_id: null,
      reason: 'baseline' as const,
      ...input,
    }))
    const queued = await queueInspections(db, wanted, service.clock.now())
    await runDueInspections(context, new AbortController().signal)
    const rows = await Promise.all(
      queued.map(({ id }) => db.selectFrom('inspections').selectAll().where('id', '=', id).executeTakeFirstOrThrow()),
    )
    return rows.map((row) => ({ row, result: resultOf(row) as Made['result'] }))
  }
  return { service, site, context, inspect }
}

const only = ([first]: Made[]): Made => first as Made

describe('an inspection', () => {
  test('requests once as the crawler and once as Spoor, marked in both, and is clean if the page is served', async () => {
    const seen: string[] = []
    const https = await web.https(identity, (request, response) => {
      seen.push(`${request.url} ${request.headers['user-agent']}`)
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hello')
    })
    const { inspect } = await openWorld({ https })
    const { row, result } = only(await inspect({}))
    const mark = `SpoorInspector/1 (+https://spoor.example.org; ${row.id})`
    const gptbot = builtInDocument.entries.find(({ crawler_id }) => crawler_id === 'gptbot')?.example_user_agents[0]
    expect(seen).toEqual([`/robots.txt ${mark}`, `/page ${mark}`, `/page ${gptbot} ${mark}`])
    expect(row).toMatchObject({ state: 'done', scheme: 'https', is_clean: 1, reproduced: 'no' })
    expect(result).toMatchObject({
      dns: { state: 'resolved', addresses: ['127.0.0.1'] },
      tls: { state: 'valid', protocol: 'TLSv1.3' },
      robots: { fetched_status: 200, verdict: { decision: 'allowed' } },
      as_crawler: { state: 'answered', final_status: 200, is_served: true },
    })
  })

  test.each([
    ['gptbot', 'unknown'],
    ['bytespider', 'yes'],
  ])('refused as %s and served as Spoor: reproduced is %s', async (crawler_id, reproduced) => {
    const http = await web.http((request, response) => {
      const isCrawler = /GPTBot|Bytespider/.test(String(request.headers['user-agent']))
      response.writeHead(isCrawler ? 403 : 200, { 'content-type': 'text/html' }).end('text')
    })
    const { row, result } = only(await (await openWorld({ http })).inspect({ crawler_id }))
    expect(row).toMatchObject({ is_clean: 0, reproduced, scheme: 'http' })
    expect(result).toMatchObject({ as_crawler: { final_status: 403 }, as_ourselves: { final_status: 200 } })
  })

  test.each([
    [200, 'unknown'],
    [403, 'unknown'],
  ])(
    'a page that redirects to another site, which answers %i, is neither clean nor harmed',
    async (status, reproduced) => {
      const seen: string[] = []
      const other = await web.http((request, response) => {
        seen.push(String(request.headers['user-agent']))
        response.writeHead(status, { 'content-type': 'text/html' }).end('text')
      })
      const http = await web.http((request, response) => {
        if (request.url === '/robots.txt') response.writeHead(404).end()
        else response.writeHead(302, { location: `http://other.example:${other}/` }).end()
      })
      const world = await openWorld({ http }, { 'other.example': ['127.0.0.1'] })
      const { row, result } = only(await world.inspect({}))
      expect(seen.map((agent) => agent.startsWith('SpoorInspector/'))).toEqual([true, true])
      expect(row).toMatchObject({ is_clean: 0, reproduced })
      expect(result).toMatchObject({
        as_crawler: { final_status: status, is_served: false, challenge: { state: 'unknown' }, body_bytes: 0 },
      })
      expect(findingOf([row])).toMatchObject({ outcome: 'not_possible' })
    },
  )

  test('refused both ways is reproduced', async () => {
    const http = await web.http((_, response) => response.writeHead(403).end())
    expect(only(await (await openWorld({ http })).inspect({})).row).toMatchObject({ reproduced: 'yes', is_clean: 0 })
  })

  test('a challenge with status 200 is not clean', async () => {
    const http = await web.http((_, response) => response.writeHead(202, { 'x-amzn-waf-action': 'challenge' }).end())
    const { row, result } = only(await (await openWorld({ http })).inspect({}))
    expect(row).toMatchObject({ is_clean: 0, reproduced: 'yes' })
    expect(result.as_crawler?.challenge).toMatchObject({ state: 'detected', vendor: 'aws_waf' })
  })

  test('three redirects are clean, four are not', async () => {
    const http = await web.http((request, response) => {
      const left = Number(request.url?.slice(1))
      if (left > 0) response.writeHead(301, { location: `/${left - 1}` }).end()
      else response.writeHead(200).end('there')
    })
    const { inspect } = await openWorld({ http })
    const made = await inspect({ path: '/3' }, { path: '/4' })
    expect(made.map(({ row }) => row.is_clean)).toEqual([1, 0])
  })

  test('a page that robots.txt forbids is not clean, though it is served', async () => {
    const http = await web.http((request, response) =>
      response.end(request.url === '/robots.txt' ? 'User-agent: GPTBot\nDisallow: /p\n' : 'hello'),
    )
    const { row, result } = only(await (await openWorld({ http })).inspect({}))
    expect(row).toMatchObject({ is_clean: 0, reproduced: 'no' })
    expect(result.robots.verdict).toEqual({
      decision: 'disallowed',
      group: 'GPTBot',
      rule: '/p',
      line: 2,
      deviation: null,
    })
  })

  test('a redacted or cut path is not possible', async () => {
    const { service, site } = await openWorld({})
    const target = { site_id: site.id, host: 'shop.example', crawler_id: 'gptbot', issue_id: null }
    const rows = await queueInspections(
      service.installation.control.db,
      ['/user/:redacted', `/${'a'.repeat(1_023)}`].map((path) => ({ ...target, path, reason: 'verify' as const })),
      service.clock.now(),
    )
    expect(rows.map(({ state, obstacle }) => [state, obstacle])).toEqual([
      ['not_made', 'not_possible'],
      ['not_made', 'not_possible'],
    ])
  })
})

test('a page that redirects where Spoor does not go is not inspected, and has no result', async () => {
  const { inspect } = await openWorld({}, { 'inside.shop.example': ['10.0.0.1'] })
  const { row } = only(await inspect({ host: 'inside.shop.example' }))
  expect(row).toMatchObject({ state: 'done', reproduced: 'unknown', is_clean: 0 })
  expect(findingOf([row])).toMatchObject({ outcome: 'not_possible', cause: null })
})

test('a page that is served while robots.txt is refused to Spoor is not clean, and not harmed', async () => {
  const http = await web.http((request, response) =>
    response.writeHead(request.url === '/robots.txt' ? 403 : 200, { 'content-type': 'text/html' }).end('hello'),
  )
  const { row } = only(await (await openWorld({ http })).inspect({}))
  expect(row).toMatchObject({ reproduced: 'no', is_clean: 0 })
  expect(findingOf([row])).toMatchObject({ outcome: 'served', robots: 'unknown' })
})

describe('an unreachable host', () => {
  test('whose name does not resolve fails at the stage of the name', async () => {
    const { inspect } = await openWorld({}, { 'gone.shop.example': 'ENOTFOUND' })
    expect(only(await inspect({ host: 'gone.shop.example', crawler_id: null })).result).toMatchObject({
      dns: { state: 'failed', code: 'ENOTFOUND' },
      unreachable: { stage: 'name', code: 'ENOTFOUND', is_outside_reached: true },
      as_crawler: null,
      as_ourselves: null,
      reproduced: 'yes',
      is_clean: false,
    })
  })

  test('with the certificate of another name fails at the stage of the certificate', async () => {
    const https = await web.https(selfSigned('elsewhere.example'), (_, response) => response.end('hello'))
    const { result } = only(await (await openWorld({ https })).inspect({ crawler_id: null }))
    expect(result).toMatchObject({
      scheme: 'https',
      tls: { state: 'invalid', issuer: 'elsewhere.example' },
      unreachable: { stage: 'certificate', is_outside_reached: true },
    })
  })

  test('is inconclusive if nothing outside is reached either', async () => {
    const { inspect, context } = await openWorld({}, { 'control.example': 'ETIMEOUT' })
    expect(context.control_urls).toHaveLength(1)
    const { row, result } = only(await inspect({}))
    expect(result.unreachable).toMatchObject({ is_outside_reached: false })
    expect(result.reproduced).toBe('unknown')
    expect(findingOf([row])).toMatchObject({ outcome: 'inconclusive', cause: null })
  })

  test('http is requested while https was never clean, and not afterwards', async () => {
    const http = await web.http((_, response) => response.end('plain'))
    const { inspect, service } = await openWorld({ http })
    expect(only(await inspect({})).row).toMatchObject({ scheme: 'http', is_clean: 1 })
    await service.installation.control.db.updateTable('inspections').set({ scheme: 'https' }).execute()
    expect(only(await inspect({})).result).toMatchObject({ scheme: 'https', unreachable: { stage: 'connection' } })
  })
})

describe('the queue', () => {
  test('20 an hour and site for people and baselines; the rest waits with its reason', async () => {
    const http = await web.http((_, response) => response.end('hello'))
    const { inspect, service, context } = await openWorld({ http })
    const { db } = service.installation.control
    const inputs = Array.from({ length: 22 }, (_, index) => ({ crawler_id: null, path: `/${index}`, weight: index }))
    const made = await inspect(...inputs, { reason: 'home', crawler_id: null })
    expect(made.filter(({ row }) => row.state === 'done')).toHaveLength(21)
    expect(made.slice(0, 2).map(({ row }) => [row.state, row.obstacle])).toEqual([
      ['queued', 'budget'],
      ['queued', 'budget'],
    ])
    service.clock.set('2026-11-20T13:00:01Z')
    await runDueInspections(context, new AbortController().signal)
    const states = await db.selectFrom('inspections').select('state').distinct().execute()
    expect(states).toEqual([{ state: 'done' }])
  })

  test('with the hour used up, the next may begin an hour after the first of the last 20', async () => {
    const http = await web.http((_, response) => response.end('hello'))
    const { inspect, service, site } = await openWorld({ http })
    const next = () =>
      nextBegin(service.installation.control.db, { site_id: site.id, reason: 'verify' }, service.clock.now())
    await inspect({ crawler_id: null, path: '/first' })
    service.clock.set('2026-11-20T12:10:00Z')
    await inspect(...Array.from({ length: 18 }, (_, index) => ({ crawler_id: null, path: `/${index}` })))
    expect(await next()).toBe(service.clock.now())
    await inspect({ crawler_id: null, reason: 'verify', path: '/last' })
    service.clock.set('2026-11-20T12:30:00Z')
    expect(only(await inspect({ crawler_id: null, reason: 'verify' })).row.obstacle).toBe('budget')
    expect(await next()).toBe(Date.parse('2026-11-20T13:00:00Z'))
  })

  test('a long queue of one site without a budget hides no other', async () => {
    const http = await web.http((_, response) => response.end('hello'))
    const { inspect, service, context } = await openWorld({ http })
    const other = await service.addSite('other.example')
    const { db } = service.installation.control
    const now = service.clock.now()
    const wanted = (index: number) => ({
      site_id: other.id,
      host: 'other.example',
      path: `/${index}`,
      crawler_id: null,
      issue_id: null,
      reason: 'follow_up' as const,
      weight: 9,
    })
    const begun = await queueInspections(
      db,
      Array.from({ length: 20 }, (_, index) => wanted(index)),
      now,
    )
    const ids = begun.map(({ id }) => id)
    await db.updateTable('inspections').set({ state: 'done', started_at: now }).where('id', 'in', ids).execute()
    await service.installation.control.transaction(async (tx) => {
      await queueInspections(
        tx,
        Array.from({ length: 501 }, (_, index) => wanted(index)),
        now,
      )
    })
    expect(only(await inspect({ crawler_id: null, reason: 'follow_up' })).row.state).toBe('done')
    expect(await runDueInspections(context, new AbortController().signal)).toBe(0)
    const waiting = db.selectFrom('inspections').select('obstacle').distinct().where('state', '=', 'queued')
    expect(await waiting.execute()).toEqual([{ obstacle: 'budget' }])
  })

  test('an inspection that a person waits for is next, although others were queued before', async () => {
    const paths: string[] = []
    let first = async () => {}
    const http = await web.http(async (request, response) => {
      if (request.url !== '/robots.txt') paths.push(request.url ?? '')
      if (paths.length === 1) await first()
      response.end('hello')
    })
    const { inspect, service, site } = await openWorld({ http })
    const asked = { site_id: site.id, host: 'shop.example', path: '/asked', crawler_id: null, issue_id: null }
    first = async () => {
      first = async () => {}
      await queueInspections(service.installation.control.db, [{ ...asked, reason: 'verify' }], service.clock.now())
    }
    const daily = ['/a', '/b', '/c'].map((path) => ({
      path,
      crawler_id: null,
      reason: 'follow_up' as const,
      weight: 9,
    }))
    await inspect(...daily)
    expect(paths.slice(1, 2)).toEqual(['/asked'])
    expect(paths).toHaveLength(4)
  })

  test('a host that becomes free while the queue is read gets its next inspection', async () => {
    const http = await web.http((_, response) => response.end('hello'))
    const { service, site, context } = await openWorld({ http })
    const { control } = service.installation
    const target = { site_id: site.id, host: 'shop.example', crawler_id: null, issue_id: null }
    const wanted = ['/a', '/b'].map((path) => ({ ...target, path, reason: 'home' as const }))
    await queueInspections(control.db, wanted, service.clock.now())
    const ended = Promise.withResolvers<void>()
    const reads = new WeakSet<object>()
    let held = 0
    // The answer that nothing is due, because the only host is busy, comes after that host has become free.
    const plugin: KyselyPlugin = {
      transformQuery({ node, queryId }) {
        if (JSON.stringify(node).includes('row_number()')) reads.add(queryId)
        return node
      },
      async transformResult({ queryId, result }) {
        if (reads.has(queryId) && result.rows.length === 0 && held++ === 0) {
          await ended.promise
          await new Promise((resolve) => setImmediate(resolve))
        }
        return result
      },
    }
    const slow = {
      ...context,
      control: { ...control, db: control.db.withPlugin(plugin) },
      onInspected: () => ended.resolve(),
    }
    expect(await runDueInspections(slow, new AbortController().signal)).toBe(2)
    expect(held).toBeGreaterThan(0)
  })

  test('a stop leaves none behind as running', async () => {
    const asked = Promise.withResolvers<void>()
    let seen = 0
    const http = await web.http(() => {
      if (++seen === 3) asked.resolve()
    })
    const hosts = ['a.shop.example', 'b.shop.example', 'c.shop.example']
    const { service, site, context } = await openWorld(
      { http },
      Object.fromEntries(hosts.map((host) => [host, ['127.0.0.1']])),
    )
    const { db } = service.installation.control
    const inputs = hosts.map((host) => ({ site_id: site.id, host, path: '/', crawler_id: null, issue_id: null }))
    await queueInspections(
      db,
      inputs.map((input) => ({ ...input, reason: 'baseline' as const })),
      service.clock.now(),
    )
    // Over http at once: https would be tried first.
    const plain = { ...context, originOf: (_: string, host: string) => `http://${host}:${http}` }
    const stop = new AbortController()
    const run = runDueInspections(plain, stop.signal)
    await asked.promise
    stop.abort(new Error('stopping'))
    await expect(run).rejects.toThrow('stopping')
    const states = await db.selectFrom('inspections').select(['state', 'started_at']).execute()
    expect(states).toEqual(hosts.map(() => ({ state: 'queued', started_at: null })))
  })

  test('what waited for a day is not made', async () => {
    const { inspect, service } = await openWorld({})
    const due_at = service.clock.now() - 25 * 3_600_000
    expect(only(await inspect({ due_at })).row).toMatchObject({ state: 'not_made', obstacle: 'expired' })
  })

  test('a host is requested by one inspection at a time, other hosts in the meantime', async () => {
    let now = 0
    let most = 0
    const http = await web.http((_, response) => {
      most = Math.max(most, ++now)
      setImmediate(() => {
        now--
        response.end('hello')
      })
    })
    const { inspect } = await openWorld({ http })
    await inspect(...Array.from({ length: 6 }, (_, index) => ({ crawler_id: null, path: `/${index}` })))
    expect(most).toBe(1)
  })
})

describe('robots.txt snapshots', () => {
  const past = (world: World, at: string, path = '/private/a') => {
    const gptbot = builtInDocument.entries.find(({ crawler_id }) => crawler_id === 'gptbot')
    if (gptbot === undefined) throw new Error('GPTBot is not in the registry')
    const request = {
      site_id: world.site.id,
      scheme: 'http' as const,
      host: 'shop.example',
      path,
      at: Date.parse(at),
    }
    return decidePastRequest(world.service.installation.control.db, request, gptbot, { isClosedOnly: false })
  }

  test('judge a request by the file of its time, never by a later one', async () => {
    let file = 'User-agent: *\nAllow: /\n'
    const http = await web.http((request, response) => response.end(request.url === '/robots.txt' ? file : 'hello'))
    const world = await openWorld({ http })
    const look = async (at: string) => {
      world.service.clock.set(at)
      await world.inspect({ reason: 'home', crawler_id: null, path: '/' })
    }
    await look('2026-11-20T12:00:00Z')
    await look('2026-11-21T12:00:00Z')
    file = 'User-agent: *\nDisallow: /private/\n'
    await look('2026-11-22T12:00:00Z')
    await look('2026-11-24T12:00:00Z')
    const { db } = world.service.installation.control
    const snapshots = await db.selectFrom('robots_snapshots').selectAll().orderBy('first_fetched_at').execute()
    expect(snapshots.map(({ first_fetched_at, last_fetched_at }) => last_fetched_at - first_fetched_at)).toEqual([
      24 * 3_600_000,
      48 * 3_600_000,
    ])
    expect(await db.selectFrom('robots_bodies').select('size_bytes').execute()).toHaveLength(2)
    expect(await past(world, '2026-11-20T18:00:00Z')).toMatchObject({ decision: 'allowed', reason: null })
    expect(await past(world, '2026-11-22T00:00:00Z')).toMatchObject({ decision: 'unknown', reason: 'rules_not_known' })
    expect(await past(world, '2026-11-22T12:00:00Z')).toMatchObject({ reason: 'cached_rules_differ' })
    // The file may have been changed a moment before.
    expect(await past(world, '2026-11-23T11:59:00Z')).toMatchObject({ reason: 'cached_rules_differ' })
    expect(await past(world, '2026-11-23T12:00:00Z')).toMatchObject({
      decision: 'disallowed',
      rule: '/private/',
      line: 2,
    })
    expect(await past(world, '2026-11-25T11:00:00Z')).toMatchObject({ decision: 'disallowed' })
    expect(await past(world, '2026-11-25T13:00:00Z')).toMatchObject({ reason: 'rules_not_known' })
  })
})

test('of a robots.txt that is not reached a copy may apply, and after 30 days nothing is known', async () => {
  let status = 200
  const http = await web.http((request, response) => {
    if (request.url === '/robots.txt') response.writeHead(status).end('User-agent: *\nDisallow: /private/\n')
    else response.end('hello')
  })
  const { inspect, service } = await openWorld({ http })
  const verdicts = async (at: string) => {
    service.clock.set(at)
    const made = await inspect({ path: '/page' }, { path: '/private/a' })
    return made.map(({ result }) => [result.robots.verdict?.decision, result.robots.verdict?.deviation])
  }
  expect(await verdicts('2026-11-20T12:00:00Z')).toEqual([
    ['allowed', null],
    ['disallowed', null],
  ])
  status = 503
  expect(await verdicts('2026-11-21T12:00:00Z')).toEqual([
    ['unknown', 'last_copy_may_apply'],
    ['disallowed', null],
  ])
  expect(await verdicts('2026-12-21T12:00:00Z')).toEqual([
    ['unknown', 'last_copy_may_apply'],
    ['disallowed', null],
  ])
  const over = ['unknown', 'unreachable_over_30_days']
  expect(await verdicts('2026-12-21T12:00:01Z')).toEqual([over, over])
  status = 404
  expect(await verdicts('2026-12-22T12:00:00Z')).toEqual([
    ['allowed', null],
    ['allowed', null],
  ])
  status = 500
  expect(await verdicts('2026-12-23T12:00:00Z')).toEqual([
    ['disallowed', null],
    ['disallowed', null],
  ])
})

test('inspection.list shows what was made and what was not, with its reason', async () => {
  const http = await web.http((_, response) => response.end('hello'))
  const { inspect, service, site } = await openWorld({ http })
  await inspect({})
  const target = { site_id: site.id, host: 'shop.example', crawler_id: null, issue_id: null, reason: 'verify' as const }
  const { control } = service.installation
  await queueInspections(control.db, [{ ...target, path: '/:redacted' }], service.clock.now() + 1)
  const listed = await listInspections({ control, site }, { limit: 10 })
  expect(
    listed.inspections.map(({ path, state, obstacle, is_clean, final_status }) => [
      path,
      state,
      obstacle,
      is_clean,
      final_status,
    ]),
  ).toEqual([
    ['/:redacted', 'not_made', 'not_possible', null, null],
    ['/page', 'done', null, true, 200],
  ])
})

test('uploaded logs leave out requests of own inspections, and credit no crawler with marked ones', async () => {
  const http = await web.http((_, response) => response.end('hello'))
  const { inspect, service, site } = await openWorld({ http })
  const { row } = only(await inspect({}))
  const line = (agent: string) =>
    `203.0.113.9 - - [20/Nov/2026:11:00:00 +0000] "GET /page HTTP/1.1" 200 5 "-" "${agent}"\n`
  const text = [
    `GPTBot/1.4 SpoorInspector/1 (+https://spoor.example.org; ${row.id})`,
    'GPTBot/1.4 SpoorInspector/1 (+https://spoor.example.org; 00000000-0000-4000-8000-000000000000)',
    'GPTBot/1.4 SpoorInspector/1',
    'GPTBot/1.4',
    'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0',
  ]
  const receipt = await service.importText(site, text.map(line).join(''))
  expect(receipt).toMatchObject({
    lines: 5,
    stored: 3,
    human: 1,
    automated_unlabelled: 2,
    by_crawler: { gptbot: 1 },
    ignored: { own_inspection: 1 },
  })
})
