/**
 * The life of issues with real inspections over HTTP of a local site; requests of crawlers are delivered as logs (rules
 * 8).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import pino from 'pino'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { DAY_MS, HOUR_MS, instantText, MINUTE_MS } from '#clock.ts'
import type { Issue } from '#contract/site-api/index.ts'
import { builtInDocument } from '#crawlers/registry/built-in.ts'
import { planHomeInspections } from '#inspections/plan-homes.ts'
import { queueInspections } from '#inspections/queue.ts'
import { type RunInspectionsContext, runDueInspections } from '#inspections/run-due.ts'
import { detectIssues } from '#issues/detect-issues.ts'
import type { Site } from '#sites/site.ts'
import { certify, selfSigned } from '../support/certificate.ts'
import { type Delivered, deliver } from '../support/deliver.ts'
import { serviceOfFile } from '../support/fresh.ts'
import type { TestService } from '../support/service.ts'
import { openWebServers } from '../support/web-server.ts'

const START = Date.parse('2026-03-10T12:00:00Z')
const HOST = 'shop.example'
const agentOf = (id: string) =>
  builtInDocument.entries.find(({ crawler_id }) => crawler_id === id)?.example_user_agents[0] as string

const file = serviceOfFile()
const web = openWebServers()
afterEach(() => web.close())

let service: TestService
let site: Site
let inspector: RunInspectionsContext
/** What the site answers; robots.txt allows everything unless a test says otherwise. */
let answer: (request: IncomingMessage, response: ServerResponse) => void
let robots: string
beforeEach(async () => {
  service = await file.fresh('2026-03-10T12:00:00Z')
  site = await service.addSite(HOST)
  await service.createKey()
  robots = ''
  answer = serve
  const control = await web.http((_, response) => response.end('here'))
  const closed = await web.tcp((socket) => socket.destroy())
  const port = await web.http((request, response) =>
    request.url === '/robots.txt' ? response.end(robots) : answer(request, response),
  )
  inspector = {
    ...service.crawlers,
    clock: { ...service.clock, now: () => service.clock.now(), elapsed: () => performance.now() },
    log: pino({ level: 'silent' }),
    outgoing: web.outgoing({ [HOST]: ['127.0.0.1'], 'control.example': ['127.0.0.1'] }),
    public_url: 'https://spoor.example.org',
    originOf: (scheme, host) => `${scheme}://${host}:${scheme === 'http' ? port : closed}`,
    control_urls: [`http://control.example:${control}/`],
  }
})

const serve = (_request: IncomingMessage, response: ServerResponse) =>
  void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hello')
const challenge = (status: number) => (_request: IncomingMessage, response: ServerResponse) =>
  void response.writeHead(status, { 'cf-mitigated': 'challenge', 'content-type': 'text/html' }).end('wait')

const goTo = (ms: number) => service.clock.set(instantText(START + ms))
const requests = (count: number, status: number, given: Partial<Delivered> = {}): Delivered[] =>
  Array.from({ length: count }, (_one, index) => ({
    user_agent: agentOf('claudebot'),
    path: '/pricing',
    status,
    at: service.clock.now() - index * 1000,
    ...given,
  }))
const send = (...delivered: Delivered[]) => deliver(service, site, delivered)
async function detect(): Promise<Issue[]> {
  await service.rebuild()
  await detectIssues(service.crawlers, site.id)
  return (await service.ask(`/v1/sites/${HOST}/issues?limit=50`)).json.issues as Issue[]
}
/** Makes what is due, and detects again; how many inspections were made. */
const inspect = () => runDueInspections(inspector, new AbortController().signal)
const home = async () => {
  await service.rebuild()
  await planHomeInspections(service.crawlers, new AbortController().signal)
  return inspect()
}
const waiting = async () => {
  const { db } = service.crawlers.control
  const rows = await db.selectFrom('inspections').select('reason').where('state', '=', 'queued').execute()
  return rows.map(({ reason }) => reason)
}
const only = (issues: readonly Issue[]): Issue => {
  expect(issues).toHaveLength(1)
  return issues[0] as Issue
}

test('a WAF refuses ClaudeBot until the rule is lifted, ClaudeBot succeeds, and the WAF refuses it again', async () => {
  await send(...requests(5, 200, { at: START - 3 * DAY_MS }))
  await send(...requests(20, 403))
  answer = challenge(403)
  const opened = only(await detect())
  expect(opened).toMatchObject({ state: 'open', cause: 'http_status' })
  goTo(MINUTE_MS)
  expect(await inspect()).toBe(1)
  expect(only(await detect())).toMatchObject({ state: 'open', cause: 'waf_or_challenge', title: opened.title })
  answer = serve
  for (const hours of [1.1, 2.2]) {
    goTo(hours * HOUR_MS)
    expect(await inspect()).toBe(1)
    await detect()
  }
  expect(only(await detect())).toMatchObject({ state: 'fix_detected', fix_confirmed_at: null })
  goTo(4 * HOUR_MS)
  await send(...requests(3, 200))
  expect(only(await detect()).fix_confirmed_at).toBe(instantText(START + 4 * HOUR_MS))
  answer = challenge(403)
  goTo(2 * DAY_MS)
  await send(...requests(5, 403))
  expect(only(await detect())).toMatchObject({ id: opened.id, state: 'regressed', fix_confirmed_at: null })
})

test('a block of the user agent alone is not reproduced for sure, and ends by a day of success', async () => {
  await send(...requests(5, 200, { at: START - 3 * DAY_MS }))
  await send(...requests(20, 403))
  answer = (request, response) =>
    /ClaudeBot/.test(String(request.headers['user-agent']))
      ? void response.writeHead(403).end()
      : serve(request, response)
  await detect()
  goTo(MINUTE_MS)
  await inspect()
  expect(only(await detect())).toMatchObject({ state: 'open', cause: 'http_status' })
  const rows = await service.crawlers.control.db.selectFrom('inspections').select('reproduced').execute()
  expect(rows.map(({ reproduced }) => reproduced)).toContain('unknown')
  goTo(DAY_MS + HOUR_MS)
  await send(...requests(4, 200))
  await inspect()
  expect(only(await detect())).toMatchObject({ state: 'fix_detected', fix_confirmed_at: null })
})

test('redirects in a loop are an issue with their cause after an inspection has found them', async () => {
  await send(...requests(5, 200, { at: START - 3 * DAY_MS }))
  await send(...requests(20, 302))
  answer = (_request, response) => void response.writeHead(302, { location: '/pricing' }).end()
  expect(await detect()).toEqual([])
  goTo(MINUTE_MS)
  expect(await inspect()).toBe(1)
  const issue = only(await detect())
  expect(issue).toMatchObject({ harm: 'redirects', cause: 'redirect_chain', state: 'open' })
  expect(issue.fix_prompt).toContain('Requests naming ClaudeBot to this site met redirects that do not end at a page.')
})

test('a block of addresses that only the crawler itself passes does no harm', async () => {
  answer = challenge(403)
  await send(...requests(25, 200, { path: '/' }))
  expect(await home()).toBe(1)
  goTo(2 * HOUR_MS)
  await send(...requests(5, 200, { path: '/' }))
  expect(await detect()).toEqual([])
  expect(await inspect()).toBe(0)
})

test('a challenge page with status 200 is observed by two inspections, and ends with them', async () => {
  answer = challenge(200)
  await send(...requests(25, 200, { path: '/' }))
  expect(await home()).toBe(1)
  expect(await detect()).toEqual([])
  goTo(MINUTE_MS)
  expect(await inspect()).toBe(1)
  expect(await detect()).toEqual([])
  goTo(2 * HOUR_MS)
  expect(await inspect()).toBe(1)
  await send(...requests(4, 200, { path: '/' }))
  const issue = only(await detect())
  expect(issue).toMatchObject({
    harm: 'challenged',
    cause: 'waf_or_challenge',
    confidence: 'low',
    path: '/',
    crawler_id: 'claudebot',
    title:
      'Requests naming ClaudeBot got 200 on 4 of 4 observed requests to shop.example/, 10 Mar 2026; ' +
      'inspections as this crawler and as Spoor met a challenge of cloudflare, 10 Mar 2026',
  })
  expect(issue.evidence_refs.map(({ kind }) => kind)).toEqual(['rollup_daily', 'inspection', 'inspection'])
  goTo(2 * HOUR_MS + MINUTE_MS)
  await inspect()
  expect(only(await detect()).state).toBe('open')
  answer = serve
  for (const hours of [3.1, 4.3]) {
    goTo(hours * HOUR_MS)
    expect(await inspect()).toBe(1)
    await detect()
  }
  expect(only(await detect())).toMatchObject({ state: 'fix_detected', fix_confirmed_at: null })
  goTo(6 * HOUR_MS)
  await send(...requests(3, 200, { path: '/' }))
  expect(only(await detect()).fix_confirmed_at).not.toBeNull()

  // A page is asked for a precondition once in a week; the daily look at the home page meets the challenge first.
  answer = challenge(200)
  goTo(9 * DAY_MS)
  await send(...requests(3, 200, { path: '/' }))
  expect(await home()).toBe(1)
  expect(only(await detect())).toMatchObject({ id: issue.id, state: 'fix_detected' })
  for (const minutes of [1, 75]) {
    goTo(9 * DAY_MS + minutes * MINUTE_MS)
    expect(await inspect()).toBe(1)
    expect(only(await detect()).state).toBe('fix_detected')
  }
  goTo(9 * DAY_MS + 2 * HOUR_MS)
  await send(...requests(4, 200, { path: '/' }))
  const regressed = only(await detect())
  expect(regressed).toMatchObject({ id: issue.id, state: 'regressed', fix_confirmed_at: null })
  expect(regressed.title).toContain('got 200 on 4 of 4 observed requests to shop.example/, 19 Mar 2026')
  const refs = regressed.evidence_refs.map((ref) => (ref.kind === 'inspection' ? ref.kind : ref.window))
  const anew = ['2026-03-19/2026-03-19', 'inspection', 'inspection']
  expect(refs).toEqual(['2026-03-10/2026-03-10', 'inspection', 'inspection', ...anew])
  expect(await waiting()).toEqual(['baseline'])
})

test('an alert about a challenged page waits for evidence of unproven claims, and its harm is counted on', async () => {
  answer = challenge(200)
  await send(...requests(25, 200, { path: '/' }))
  await home()
  await detect()
  goTo(MINUTE_MS)
  await inspect()
  goTo(2 * HOUR_MS)
  await inspect()
  await send(...requests(4, 200, { path: '/' }))
  await detect()
  const { db } = service.crawlers.control
  const alerted = async () => (await db.selectFrom('alerts').select('type').execute()).map(({ type }) => type)
  const counted = () => db.selectFrom('issues').select('recent_harm_count').execute()
  expect([await alerted(), await counted()]).toEqual([[], [{ recent_harm_count: 4 }]])
  goTo(3 * HOUR_MS)
  await send(...requests(16, 200, { path: '/' }))
  await detect()
  expect([await alerted(), await counted()]).toEqual([['issue.opened'], [{ recent_harm_count: 20 }]])
  goTo(9 * DAY_MS)
  await detect()
  expect(await counted()).toEqual([{ recent_harm_count: 0 }])
})

test('a challenged page whose path ends with * is one path', async () => {
  answer = challenge(200)
  await send(...requests(25, 200, { path: '/' }), ...requests(25, 200, { path: '/a*' }))
  const { db } = service.crawlers.control
  const asked = { site_id: site.id, host: HOST, path: '/a*', crawler_id: 'claudebot', issue_id: null }
  for (const hours of [0, 2]) {
    goTo(hours * HOUR_MS)
    await queueInspections(db, [{ ...asked, reason: 'precondition' }], service.clock.now())
    await inspect()
  }
  await send(...requests(4, 200, { path: '/a*' }))
  expect(only(await detect())).toMatchObject({
    path: '/a%2A',
    title: expect.stringContaining('observed requests to shop.example/a%2A, 10 Mar 2026'),
  })
  answer = serve
  for (const hours of [3.1, 4.2, 5.3]) {
    goTo(hours * HOUR_MS)
    await inspect()
    await detect()
  }
  expect(only(await detect()).state).toBe('fix_detected')
})

test('a name that leads to an address which Spoor does not ask is neither reached nor repaired', async () => {
  let answering = true
  const port = await web.http((_, response) => (answering ? response.end('<p>hello') : response.destroy()))
  const closed = await web.tcp((socket) => socket.destroy())
  inspector.originOf = (scheme, host) => `${scheme}://${host}:${scheme === 'http' ? port : closed}`
  const reachable = inspector.outgoing
  await send(...requests(25, 200, { path: '/' }))
  await home()
  answering = false
  goTo(DAY_MS)
  await home()
  await detect()
  goTo(DAY_MS + 11 * MINUTE_MS)
  await inspect()
  expect(only(await detect())).toMatchObject({ harm: 'unreachable', state: 'open' })
  inspector.outgoing = { ...reachable, resolve: async () => ['192.168.7.7'] }
  for (const hours of [36, 38, 40]) {
    goTo(hours * HOUR_MS)
    await inspect()
    expect(only(await detect())).toMatchObject({ harm: 'unreachable', state: 'open' })
  }
})

test('a later robots.txt does not make old requests violations, and pages that a crawler then loses are an issue', async () => {
  const shop = ['/shop/a', '/shop/b', '/shop/c']
  for (const path of shop) await send(...requests(3, 200, { path }))
  await send(...requests(20, 200, { path: '/' }))
  expect(await home()).toBe(1)
  expect(await detect()).toEqual([])
  robots = 'User-agent: ClaudeBot\nDisallow: /shop/\n'
  for (const days of [1, 2]) {
    goTo(days * DAY_MS)
    await home()
    await send(...requests(1, 200, { path: '/' }))
    expect(await detect()).toEqual([])
  }
  // The crawler gets the new file; from then on it asks for nothing below the pattern.
  goTo(2 * DAY_MS + HOUR_MS)
  await send(...requests(1, 200, { path: '/robots.txt' }))
  for (const days of [3, 4]) {
    goTo(days * DAY_MS)
    await home()
    await send(...requests(1, 200, { path: '/' }))
  }
  const issue = only(await detect())
  expect(issue).toMatchObject({
    harm: 'robots',
    cause: 'robots_rule',
    confidence: 'low',
    path: '/shop/',
    crawler_id: 'claudebot',
    state: 'open',
    title:
      'robots.txt of shop.example, fetched by a client naming ClaudeBot on 12 Mar 2026, disallows /shop/: ' +
      '9 requests below it got 200 in the 30 days before, 0 since',
  })
  goTo(4 * DAY_MS + MINUTE_MS)
  await inspect()
  expect(only(await detect()).state).toBe('open')
  robots = ''
  for (const hours of [1.1, 2.3]) {
    goTo(4 * DAY_MS + hours * HOUR_MS)
    expect(await inspect()).toBe(3)
    await detect()
  }
  expect(only(await detect())).toMatchObject({ state: 'fix_detected', fix_confirmed_at: null })
  goTo(4 * DAY_MS + 5 * HOUR_MS)
  for (const path of shop) await send(...requests(1, 200, { path }))
  expect(only(await detect()).fix_confirmed_at).not.toBeNull()

  // The rule comes back; that counts once the crawler was given the new file.
  robots = 'User-agent: ClaudeBot\nDisallow: /shop/\n'
  for (const days of [6, 7]) {
    goTo(days * DAY_MS)
    await home()
    expect(only(await detect())).toMatchObject({ id: issue.id, state: 'fix_detected' })
  }
  goTo(7 * DAY_MS + HOUR_MS)
  await send(...requests(1, 200, { path: '/robots.txt' }))
  expect(only(await detect()).state).toBe('fix_detected')
  goTo(8 * DAY_MS)
  await home()
  const regressed = only(await detect())
  expect(regressed).toMatchObject({
    id: issue.id,
    state: 'regressed',
    fix_confirmed_at: null,
    title: 'robots.txt of shop.example disallows a path below /shop/ for ClaudeBot again, 16 Mar 2026',
  })
  expect(regressed.evidence_refs.at(-1)?.kind).toBe('inspection')
  expect(await waiting()).toEqual(['baseline', 'baseline', 'baseline'])
  // What robots.txt keeps away makes no harmful requests.
  const { db } = service.crawlers.control
  expect(await db.selectFrom('issues').select('recent_harm_count').execute()).toEqual([{ recent_harm_count: 0 }])
})

test('a page that was served at the edge and later by the origin is lost once', async () => {
  const shop = ['/shop/a', '/shop/b', '/shop/c']
  for (const path of shop) {
    const served = requests(3, 200, { path, at: START - 3 * DAY_MS, edge_action: 'none' })
    await deliver(service, site, served, 'ed9e0000')
  }
  await service.crawlers.control.db
    .updateTable('sources')
    .set({ connection_status: 'disconnected', vantage: 'edge' })
    .execute()
  for (const path of shop) await send(...requests(3, 200, { path }))
  await send(...requests(20, 200, { path: '/' }))
  await home()
  robots = 'User-agent: ClaudeBot\nDisallow: /shop/\n'
  for (const days of [1, 2]) {
    goTo(days * DAY_MS)
    await home()
    await send(...requests(1, 200, { path: '/' }))
  }
  goTo(2 * DAY_MS + HOUR_MS)
  await send(...requests(1, 200, { path: '/robots.txt' }))
  for (const days of [3, 4]) {
    goTo(days * DAY_MS)
    await home()
    await send(...requests(1, 200, { path: '/' }))
  }
  expect(only(await detect())).toMatchObject({ harm: 'robots', path: '/shop/', state: 'open' })
  const { db } = service.crawlers.control
  const members = await db.selectFrom('issue_members').select('path').orderBy('path').execute()
  expect(members.map(({ path }) => path)).toEqual(shop)
})

test('a host whose certificate expired and whose logs fell silent is unreachable', async () => {
  const valid = selfSigned(HOST)
  const expired = certify({ name: HOST, expires: '20200101' })
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, valid.cert, expired.cert])
  onTestFinished(() => setDefaultCACertificates(trusted))
  let port = await web.https(valid, serve)
  inspector.originOf = (scheme, host) => `${scheme}://${host}:${port}`
  await send(...requests(25, 200, { path: '/' }))
  expect(await home()).toBe(1)
  expect(await detect()).toEqual([])
  port = await web.https(expired, serve)
  goTo(DAY_MS)
  expect(await home()).toBe(1)
  expect(await detect()).toEqual([])
  goTo(DAY_MS + 11 * MINUTE_MS)
  expect(await inspect()).toBe(1)
  expect(only(await detect())).toMatchObject({
    title: `Inspections of ${HOST} over https failed at the certificate (CERT_HAS_EXPIRED), 11 Mar 2026`,
    harm: 'unreachable',
    cause: 'tls',
    confidence: 'low',
    path: null,
    crawler_id: null,
    state: 'open',
  })
})

test('a crawler that is served on a page among thousands below a disallowed pattern loses it at a later fetch', async () => {
  const at = service.clock.now()
  const busy = Array.from({ length: 2_010 }, (_one, index) => ({
    user_agent: agentOf('claudebot'),
    path: `/shop/${index}`,
    status: 200,
    requests: 3,
    at,
  }))
  await send(...busy, ...requests(1, 200, { path: '/shop/rare' }), ...requests(20, 200, { path: '/' }))
  await home()
  robots = 'User-agent: ClaudeBot\nDisallow: /shop/\n'
  for (const days of [1, 2]) {
    goTo(days * DAY_MS)
    await home()
    await send(...requests(1, 200, { path: '/' }))
  }
  goTo(2 * DAY_MS + HOUR_MS)
  await send(...requests(1, 200, { path: '/robots.txt' }))
  goTo(3 * DAY_MS)
  await send(...requests(1, 200, { path: '/shop/rare' }))
  goTo(4 * DAY_MS)
  await home()
  await send(...requests(1, 200, { path: '/' }))
  expect(await detect()).toEqual([])

  // After another fetch it asks for nothing below the pattern any more.
  goTo(4 * DAY_MS + HOUR_MS)
  await send(...requests(1, 200, { path: '/robots.txt' }))
  for (const days of [5, 6]) {
    goTo(days * DAY_MS)
    await home()
    await send(...requests(1, 200, { path: '/' }))
  }
  const issue = only(await detect())
  expect(issue).toMatchObject({ harm: 'robots', path: '/shop/', crawler_id: 'claudebot', state: 'open' })
  expect(issue.title).toMatch(/^robots\.txt of shop\.example, fetched by a client naming ClaudeBot on 14 Mar 2026,/)
})

test.each([
  ['connection', {}],
  ['name', { [HOST]: 'ENOTFOUND' }],
])('a host that was reached over http alone is unreachable over http once its %s fails', async (stage, names) => {
  let answering = true
  const port = await web.http((_, response) => (answering ? response.end('<p>hello') : response.destroy()))
  const closed = await web.tcp((socket) => socket.destroy())
  inspector.originOf = (scheme, host) => `${scheme}://${host}:${scheme === 'http' ? port : closed}`
  await send(...requests(25, 200, { path: '/' }))
  expect(await home()).toBe(1)
  expect(await detect()).toEqual([])
  answering = false
  const control = new URL(String(inspector.control_urls?.[0]))
  inspector.outgoing = web.outgoing({ [HOST]: ['127.0.0.1'], [control.hostname]: ['127.0.0.1'], ...names })
  goTo(DAY_MS)
  expect(await home()).toBe(1)
  expect(await detect()).toEqual([])
  goTo(DAY_MS + 11 * MINUTE_MS)
  expect(await inspect()).toBe(1)
  const issue = only(await detect())
  expect(issue.title).toContain(`Inspections of ${HOST} over http failed at the ${stage}`)
  expect(issue).toMatchObject({ harm: 'unreachable', path: null, crawler_id: null, state: 'open' })
  answering = true
  inspector.outgoing = web.outgoing({ [HOST]: ['127.0.0.1'], [control.hostname]: ['127.0.0.1'] })
  for (const hours of [36, 38, 40]) {
    goTo(hours * HOUR_MS)
    await inspect()
    await detect()
  }
  expect(only(await detect())).toMatchObject({ id: issue.id, state: 'fix_detected' })
})

test('a crawler that continues below a disallowed pattern loses nothing', async () => {
  await send(...requests(9, 200, { path: '/shop/a' }), ...requests(20, 200, { path: '/' }))
  robots = 'User-agent: *\nDisallow: /shop/\n'
  for (const days of [0, 1, 2, 3]) {
    goTo(days * DAY_MS + HOUR_MS)
    await home()
    const at = service.clock.now()
    await send(
      ...requests(1, 200, { path: '/robots.txt', at: at - HOUR_MS / 2 }),
      ...requests(1, 200, { path: '/shop/a' }),
    )
    expect(await detect()).toEqual([])
  }
})
