/** Access checks of local sites, each with a fault of its own: whatever is observed is an answer (rules 8.5). */
import { randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { deflateSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '#clock.ts'
import { checkAccess } from '#inspections/access-check.ts'
import type { SafeFetchContext } from '#outgoing/safe-fetch.ts'
import type { Site } from '#sites/site.ts'
import { certify, selfSigned } from '../support/certificate.ts'
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
const LOCAL = { 'shop.example': ['127.0.0.1'], 'other.example': ['127.0.0.1'] }

/** A site of pages by path; a page is a status, headers and a body. */
type Pages = Record<string, [status: number, headers?: Record<string, string>, body?: string | Buffer]>
const pagesOf =
  (pages: Pages): RequestListener =>
  (request, response) => {
    const [status, headers = {}, body = ''] = pages[request.url ?? ''] ?? [404, {}, 'not here']
    response.writeHead(status, headers).end(body)
  }

async function openSite(): Promise<{ service: TestService; site: Site }> {
  const service = await fresh(NOW)
  return { service, site: await service.addSite('shop.example') }
}

async function check(url: string, outgoing: SafeFetchContext = web.outgoing(LOCAL)) {
  const { service, site } = await openSite()
  const caller = { kind: 'operator' as const, account_id: service.installation.operator.account_id }
  return checkAccess({ ...service.crawlers, site, caller, access: { outgoing, public_url: null } }, { url })
}

const HTML = { 'content-type': 'text/html' }

describe('a page that is served', () => {
  test('says DNS, TLS, robots, redirects, directives and challenge', async () => {
    const port = await web.https(
      identity,
      pagesOf({
        '/robots.txt': [
          200,
          {},
          'User-agent: *\nContent-Signal: search=yes, ai-train=no\nDisallow: /a\n\nUser-agent: GPTBot\nAllow: /a\n',
        ],
        '/a?b=1': [301, { location: '/b' }],
        '/b': [
          200,
          { ...HTML, 'x-robots-tag': 'googlebot: noindex, nofollow, otherbot: none', 'content-usage': 'train-ai=n' },
          '<head><meta name="robots" content="noarchive"></head>',
        ],
        '/llms.txt': [200, { 'content-type': 'text/plain' }, '# Shop\n'],
      }),
    )
    const answer = await check(`https://user:word@shop.example:${port}/a?b=1#top`)
    expect(answer).toMatchObject({
      scope: 'current_state_only',
      url: `https://user:word@shop.example:${port}/a?b=1#top`,
      normalized_url: `https://shop.example:${port}/a?b=1`,
      agent: 'SpoorInspector/1',
      dns: { state: 'resolved', code: null, addresses: ['127.0.0.1'] },
      tls: { state: 'valid', code: null, protocol: 'TLSv1.3', issuer: 'shop.example', names_match: true },
      http: { state: 'answered', final_status: 200, content_type: 'text/html', body_truncated: false },
      page_directives: {
        meta_robots: ['noarchive'],
        x_robots_tag: [
          { agent: 'googlebot', directives: ['noindex', 'nofollow'] },
          { agent: 'otherbot', directives: ['none'] },
        ],
        content_signal: 'search=yes, ai-train=no',
        content_usage: 'train-ai=n',
        llms_txt: 'present',
      },
      challenge: { state: 'not_detected', vendor: null, signals: [] },
      organic: null,
    })
    expect(answer.http?.hops.map(({ status, location }) => [status, location])).toEqual([
      [301, '/b'],
      [200, null],
    ])
    const { entries } = await (await openSite()).service.crawlers.registries.current()
    expect(answer.robots?.per_crawler.map(({ crawler_id }) => crawler_id)).toEqual(
      entries.map(({ crawler_id }) => crawler_id),
    )
    const of = (id: string) => answer.robots?.per_crawler.find(({ crawler_id }) => crawler_id === id)
    expect(of('gptbot')).toMatchObject({ decision: 'allowed', group: 'GPTBot', rule: '/a', line: 6, deviation: null })
    expect(of('ccbot')).toMatchObject({ decision: 'disallowed', group: '*', rule: '/a', line: 3 })
    expect(of('google-extended')).toMatchObject({ decision: 'disallowed', token: 'Google-Extended' })
    expect(of('chatgpt-user')).toMatchObject({ decision: 'disallowed', deviation: 'may_ignore' })
    expect(of('claude-code')).toMatchObject({ decision: 'unknown', token: null, deviation: 'no_token' })
  })

  test('a challenge with status 200 is one', async () => {
    const port = await web.http(pagesOf({ '/': [200, HTML, '<script id="anubis_challenge">{}</script>'] }))
    const answer = await check(`http://shop.example:${port}/`)
    expect(answer).toMatchObject({
      tls: null,
      http: { state: 'answered', final_status: 200 },
      challenge: { state: 'detected', vendor: 'anubis', signals: ['anubis.01'] },
    })
  })

  test('a body that unfolds to a huge one is read up to 2 MiB', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    const port = await web.http(pagesOf({ '/': [200, { ...HTML, 'content-encoding': 'gzip' }, bomb] }))
    expect(await check(`http://shop.example:${port}/`)).toMatchObject({
      http: { state: 'answered', body_bytes: 2 * 1024 ** 2, body_truncated: true },
      limitations: expect.arrayContaining(['body_read_up_to_2_mib']),
    })
  })

  test('of a path that is not stored as it is, organic is about others too', async () => {
    const path = '/articles/8f14e45fceea167a5a36dedd4bea2543'
    const port = await web.http(pagesOf({ '/a': [200, HTML, 'hello'], [path]: [200, HTML, 'hello'] }))
    const limitationsOf = async (of: string) => (await check(`http://shop.example:${port}${of}`)).limitations
    expect(await limitationsOf(path)).toContain('path_redacted_in_organic')
    expect(await limitationsOf('/a')).not.toContain('path_redacted_in_organic')
  })

  test.each([403, 429])('a robots.txt that answers %i is undecided, and both readings are shown', async (status) => {
    const port = await web.http(pagesOf({ '/robots.txt': [status], '/': [200, HTML, 'hello'] }))
    const { robots, limitations } = await check(`http://shop.example:${port}/`)
    const of = (id: string) => robots?.per_crawler.find(({ crawler_id }) => crawler_id === id)
    expect(robots).toMatchObject({ fetched_status: status, sha256: null })
    expect(of('gptbot')).toMatchObject({ decision: 'unknown', deviation: 'refused_to_spoor (RFC 9309: allowed)' })
    if (status === 429) {
      expect(of('googlebot')?.deviation).toBe('429_as_unreachable, refused_to_spoor (RFC 9309: disallowed)')
    }
    expect(limitations).toContain('robots_refused_to_spoor')
  })
})

describe('what servers do and crawlers put up with', () => {
  test('a redirect that says it is compressed, and is empty', async () => {
    const packed = { 'content-encoding': 'gzip' }
    const port = await web.http(pagesOf({ '/': [301, { ...packed, location: '/b' }], '/b': [204, packed] }))
    expect((await check(`http://shop.example:${port}/`)).http).toMatchObject({ state: 'answered', final_status: 204 })
  })

  test('a redirect to a path that is written in UTF-8', async () => {
    const port = await web.http(
      pagesOf({ '/': [301, { location: Buffer.from('/café').toString('latin1') }], '/caf%C3%A9': [200] }),
    )
    const { http } = await check(`http://shop.example:${port}/`)
    expect(http).toMatchObject({ final_status: 200, hops: [{ status: 301 }, { status: 200 }] })
  })

  test('a URL with a user name, a password and a fragment, which are not sent', async () => {
    const port = await web.http((request, response) => response.end(request.headers.authorization ?? 'none'))
    const url = `http://me:secret@SHOP.example:${port}/a#b`
    expect(await check(url)).toMatchObject({
      url,
      normalized_url: `http://shop.example:${port}/a`,
      http: { body_bytes: 'none'.length },
    })
  })
})

describe('a fault is an answer', () => {
  test('of the name: the steps after it are null', async () => {
    const answer = await check('https://shop.example/', web.outgoing({ 'shop.example': 'ESERVFAIL' }))
    expect(answer).toMatchObject({
      dns: { state: 'failed', code: 'ESERVFAIL', addresses: [] },
      tls: null,
      robots: null,
      http: null,
      page_directives: null,
      challenge: null,
    })
  })

  test('of the certificate: another name, which is reported', async () => {
    const port = await web.https(selfSigned('elsewhere.example'), pagesOf({ '/': [200] }))
    expect(await check(`https://shop.example:${port}/`)).toMatchObject({
      dns: { state: 'resolved' },
      tls: { state: 'invalid', code: expect.any(String), issuer: 'elsewhere.example' },
      robots: null,
      http: null,
      page_directives: null,
      challenge: null,
    })
  })

  test('of the certificate of a host that http redirects to, and of one that redirects to http', async () => {
    const expired = await web.https(certify({ name: 'shop.example', expires: '20200101' }), pagesOf({ '/': [200] }))
    const plain = await web.http(pagesOf({ '/': [301, { location: `https://shop.example:${expired}/` }] }))
    const answer = await check(`http://shop.example:${plain}/`)
    expect(answer).toMatchObject({
      dns: { state: 'resolved' },
      tls: { state: 'invalid', issuer: 'shop.example', expires_at: '2020-01-01T00:00:00.000Z', names_match: true },
      http: { state: 'refused', hops: [{ status: 301 }], final_status: null },
      page_directives: null,
      challenge: null,
    })
    expect(answer.limitations).toContain('tls_of_last_https_host_only')
    const served = await web.http(pagesOf({ '/': [200] }))
    const back = await web.https(identity, pagesOf({ '/': [301, { location: `http://shop.example:${served}/` }] }))
    expect(await check(`https://shop.example:${back}/`)).toMatchObject({
      tls: { state: 'valid', issuer: 'shop.example' },
      http: { state: 'answered', final_status: 200, hops: [{ status: 301 }, { status: 200 }] },
    })
  })

  test('of several hosts with TLS, the last is described', async () => {
    const other = await web.https(selfSigned('elsewhere.example'), pagesOf({ '/': [200] }))
    const first = await web.https(identity, pagesOf({ '/': [302, { location: `https://shop.example:${other}/` }] }))
    expect(await check(`https://shop.example:${first}/`)).toMatchObject({
      tls: { state: 'invalid', issuer: 'elsewhere.example', names_match: false },
      http: { state: 'refused', hops: [{ status: 302 }] },
      robots: { fetched_status: 404 },
    })
  })

  test('of TLS: a server that speaks none', async () => {
    const port = await web.http(pagesOf({ '/': [200] }))
    expect(await check(`https://shop.example:${port}/`)).toMatchObject({
      tls: { state: 'none', code: 'ERR_SSL_WRONG_VERSION_NUMBER', protocol: null, expires_at: null },
      http: null,
    })
  })

  test('of the connection: no server listens', async () => {
    const port = await web.http(() => {})
    web.close()
    expect(await check(`http://shop.example:${port}/`)).toMatchObject({
      tls: null,
      page_directives: null,
      challenge: null,
      robots: { fetched_status: null, size_bytes: null },
      http: { state: 'refused', hops: [], final_status: null },
    })
  })

  test('of HTTP: half a header, another protocol, a body that is cut', async () => {
    const half = await web.tcp((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-ty'))
    const other = await web.tcp((socket) => socket.end('220 mail.example ESMTP\r\n'))
    const cut = await web.tcp((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\nhalf'))
    for (const port of [half, other, cut]) {
      expect((await check(`http://shop.example:${port}/`)).http?.state).toBe('reset')
    }
  })

  test('of redirects: a loop, and too many of them', async () => {
    const loop = await web.http(pagesOf({ '/': [302, { location: '/login' }], '/login': [302, { location: '/#a' }] }))
    expect((await check(`http://shop.example:${loop}/`)).http).toMatchObject({ state: 'loop', final_status: null })
    const chain = await web.http((request, response) =>
      response.writeHead(302, { location: `/${Number(request.url?.slice(1)) + 1}` }).end(),
    )
    const { http } = await check(`http://shop.example:${chain}/1`)
    expect(http).toMatchObject({ state: 'too_many_redirects' })
    expect(http?.hops).toHaveLength(6)
  })

  test('of an answer that cannot be used: a redirect to no URL, and a body in an unknown encoding', async () => {
    const lost = await web.http(pagesOf({ '/': [302, { location: 'http://[::1' }] }))
    expect(await check(`http://shop.example:${lost}/`)).toMatchObject({
      http: { state: 'answered', hops: [{ status: 302 }], final_status: 302 },
      challenge: { state: 'unknown' },
      page_directives: null,
    })
    const coded = await web.http(pagesOf({ '/': [200, { 'content-encoding': 'rot13' }, 'cntr'] }))
    expect((await check(`http://shop.example:${coded}/`)).http).toMatchObject({ state: 'answered', final_status: 200 })
  })

  test('of redirects: too many of them, the last of which names no URL', async () => {
    const chain = await web.http((request, response) => {
      const step = Number(request.url?.slice(1))
      response.writeHead(302, { location: step < 6 ? `/${step + 1}` : 'http://[::1' }).end()
    })
    const { http } = await check(`http://shop.example:${chain}/1`)
    expect(http).toMatchObject({ state: 'too_many_redirects', final_status: null })
    expect(http?.hops.at(-1)).toMatchObject({ status: 302, location: 'http://[::1' })
  })

  test('of redirects: a wall of cookies is a loop for who keeps none', async () => {
    const seen: unknown[] = []
    const wall = await web.http((request, response) => {
      seen.push(request.headers.cookie)
      response.writeHead(302, { location: '/', 'set-cookie': `visit=${seen.length}; path=/` }).end()
    })
    expect((await check(`http://shop.example:${wall}/`)).http).toMatchObject({ state: 'loop', final_status: null })
    expect(new Set(seen)).toEqual(new Set([undefined]))
  })

  test('of HTTP: 10,000 headers, or another protocol instead of an answer', async () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => `x-${index}: y\r\n`).join('')
    const crowded = await web.tcp((socket) => socket.end(`HTTP/1.1 200 OK\r\n${lines}\r\n`))
    const upgraded = await web.tcp((socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: other\r\nconnection: upgrade\r\n\r\n'),
    )
    for (const port of [crowded, upgraded]) {
      expect((await check(`http://shop.example:${port}/`)).http).toMatchObject({ state: 'reset', hops: [] })
    }
  })

  test('of robots.txt: one that redirects where Spoor does not go does not count against the crawlers', async () => {
    const port = await web.http(pagesOf({ '/robots.txt': [302, { location: 'http://10.0.0.1/' }], '/': [200] }))
    const { robots, http, limitations } = await check(`http://shop.example:${port}/`)
    expect(http).toMatchObject({ final_status: 200 })
    expect(robots?.per_crawler.find(({ crawler_id }) => crawler_id === 'gptbot')).toMatchObject({
      decision: 'unknown',
      deviation: 'not_asked_by_spoor (RFC 9309: disallowed)',
    })
    expect(limitations).toContain('robots_not_asked')
  })

  test.each([
    [
      'in an encoding that was not asked for',
      { 'content-encoding': 'deflate' },
      deflateSync('User-agent: *\nAllow: /'),
    ],
    ['that is not what it says', { 'content-encoding': 'gzip' }, 'User-agent: *\nAllow: /'],
  ])('of robots.txt: one %s does not count against the crawlers', async (_, headers, body) => {
    const port = await web.http(pagesOf({ '/robots.txt': [200, headers, body], '/': [200] }))
    const { robots, limitations } = await check(`http://shop.example:${port}/`)
    expect(robots).toMatchObject({ fetched_status: 200, sha256: null, size_bytes: null })
    expect(new Set(robots?.per_crawler.map(({ decision }) => decision))).toEqual(new Set(['unknown']))
    expect(robots?.per_crawler[0]).toMatchObject({ deviation: 'unreadable_to_spoor' })
    expect(limitations).toContain('robots_unreadable')
  })

  test('of robots.txt: the status of an error counts, and a redirect without a URL, whatever the body is', async () => {
    const missing: Pages[string] = [404, { 'content-encoding': 'deflate' }, 'not here']
    const lost: Pages[string] = [302, { location: 'http://[::1' }]
    for (const answer of [missing, lost]) {
      const port = await web.http(pagesOf({ '/robots.txt': answer, '/': [200] }))
      const { robots } = await check(`http://shop.example:${port}/`)
      expect(robots).toMatchObject({ fetched_status: answer[0] })
      expect(robots?.per_crawler[0]).toMatchObject({ decision: 'allowed', deviation: null })
    }
  })

  test('of robots.txt: one that was not reached for 30 days says nothing of the crawlers', async () => {
    const port = await web.http(pagesOf({ '/robots.txt': [503], '/': [200] }))
    const { service, site } = await openSite()
    const caller = { kind: 'operator' as const, account_id: service.installation.operator.account_id }
    const access = { outgoing: web.outgoing(LOCAL), public_url: null }
    const decide = async () => {
      const url = `http://shop.example:${port}/`
      const { robots } = await checkAccess({ ...service.crawlers, site, caller, access }, { url })
      return robots?.per_crawler.find(({ crawler_id }) => crawler_id === 'gptbot')
    }
    expect(await decide()).toMatchObject({ decision: 'disallowed', deviation: null })
    const at = Date.parse(NOW) - 31 * DAY_MS
    const key = { site_id: site.id, scheme: 'http' as const, host: `shop.example:${port}` }
    const found = { status: 503, failure: null, sha256: null, is_truncated: 0 as const, is_challenge: 0 as const }
    await service.installation.control.db
      .insertInto('robots_snapshots')
      .values({ id: randomUUID(), ...key, ...found, first_fetched_at: at, last_fetched_at: at })
      .execute()
    expect(await decide()).toMatchObject({ decision: 'unknown', deviation: 'unreachable_over_30_days' })
  })

  test('of a later redirect to an internal address: the hops so far', async () => {
    const port = await web.http(
      pagesOf({ '/': [302, { location: '/next' }], '/next': [302, { location: 'http://169.254.169.254/latest' }] }),
    )
    const { http } = await check(`http://shop.example:${port}/`)
    expect(http).toMatchObject({ state: 'refused', hops: [{ status: 302 }, { status: 302 }], final_status: null })
  })

  test('another site in the redirects is requested with the same agent, and its body is not read', async () => {
    const seen: unknown[] = []
    const other = await web.http((request, response) => {
      seen.push(request.headers['user-agent'])
      response.writeHead(200, HTML).end('Incapsula incident ID')
    })
    const port = await web.http(pagesOf({ '/': [302, { location: `http://other.example:${other}/` }] }))
    expect(await check(`http://shop.example:${port}/`)).toMatchObject({
      http: { state: 'answered', final_status: 200, body_bytes: 0 },
      // The page may well be one.
      challenge: { state: 'unknown' },
      limitations: expect.arrayContaining(['final_page_on_another_site_not_read']),
    })
    expect(seen).toEqual(['SpoorInspector/1'])
  })
})

describe('what is declined', () => {
  const declined = (url: string, outgoing?: SafeFetchContext) =>
    check(url, outgoing).then(
      () => expect.fail('it was answered'),
      (error) => [error.kind, error.message],
    )

  test('a name with a private address among its addresses, which is not shown', async () => {
    const [kind, message] = await declined(
      'http://shop.example/',
      web.outgoing({ 'shop.example': ['93.184.216.34', '10.1.2.3'] }),
    )
    expect([kind, message]).toEqual(['not_readable', expect.not.stringContaining('10.1.2.3')])
  })

  test('a refused port', async () => {
    expect(await declined('http://shop.example:22/')).toEqual(['not_readable', expect.stringContaining('port 22')])
  })

  test('a first redirect to a private address', async () => {
    const port = await web.http(pagesOf({ '/': [302, { location: 'http://10.0.0.1/' }] }))
    const [kind, message] = await declined(`http://shop.example:${port}/`)
    expect([kind, message]).toEqual([
      'not_readable',
      expect.stringContaining('redirects to an address that is not requested'),
    ])
    expect(message).not.toContain('10.0.0.1')
  })

  test('the 61st check within an hour', async () => {
    const { service, site } = await openSite()
    const { control } = service.installation
    const at = service.clock.now()
    const rows = Array.from({ length: 60 }, (_, index) => ({
      id: `check-${index}`,
      site_id: site.id,
      checked_at: at - index * 30_000,
      key_id: null,
      user_id: null,
      host: 'shop.example',
      path: '/',
    }))
    await control.db.insertInto('access_checks').values(rows).execute()
    const caller = { kind: 'operator' as const, account_id: service.installation.operator.account_id }
    const port = await web.http(pagesOf({ '/': [200] }))
    const access = { outgoing: web.outgoing(LOCAL), public_url: null }
    const run = () =>
      checkAccess({ ...service.crawlers, site, caller, access }, { url: `http://shop.example:${port}/` })
    await expect(run()).rejects.toMatchObject({
      kind: 'not_readable',
      message: 'shop.example had 60 access checks within the last hour, which is the limit. Try again in 31 minutes.',
    })
    service.clock.set('2026-11-20T13:00:00Z')
    expect(await run()).toMatchObject({ http: { final_status: 200 } })
  })
})

describe('POST /v1/sites/{site}/access-checks', () => {
  const post = async (body: unknown) => {
    const { service } = await openSite()
    await service.createKey()
    const headers = { 'content-type': 'application/json' }
    return service.ask('/v1/sites/shop.example/access-checks', { method: 'POST', body: JSON.stringify(body), headers })
  }

  test.each([
    [{ url: 'http://elsewhere.example/' }],
    [{ url: 'http://shop.example/', depth: 2 }],
    [{ url: 'ftp://shop.example/' }],
    [{ url: `http://shop.example/${'a'.repeat(10_240)}` }],
    [{ url: `http://shop.example/${'é'.repeat(2_000)}` }],
    [{ url: 'http://[fe80::1%25eth0]/' }],
    [{ url: 'http://[::1]/' }],
    [{ url: 'http://127.0.0.1/' }],
    [{ url: 'http://shop.example@elsewhere.example/' }],
    [{ url: 'http://notshop.example/' }],
    [{ url: 'shop.example' }],
    [{}],
  ])('%j is 400', async (body) => {
    expect((await post(body)).status).toBe(400)
  })

  test('what is declined is 422', async () => {
    const answer = await post({ url: 'http://shop.example:22/' })
    expect(answer).toMatchObject({ status: 422, json: { title: 'request cannot be processed' } })
  })

  test('stores who asked for what, without the query', async () => {
    const { service } = await openSite()
    await service.createKey()
    await service.ask('/v1/sites/shop.example/access-checks', {
      method: 'POST',
      body: JSON.stringify({ url: 'http://shop.example:22/a?token=1' }),
      headers: { 'content-type': 'application/json' },
    })
    const rows = await service.installation.control.db.selectFrom('access_checks').selectAll().execute()
    expect(rows).toEqual([expect.objectContaining({ host: 'shop.example', path: '/a', key_id: expect.any(String) })])
  })
})
