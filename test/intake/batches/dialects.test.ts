/** Vendors' own records, and the words by which their services ask whose address this is (decisions 3.5). */

import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import { collectKeyUses } from '#accounts/key-uses.ts'
import type { ProveRequest } from '#crawlers/identity/prove-request.ts'
import { loadTable } from '#intake/batches/load-limits.ts'
import { openBatchReader } from '#intake/batches/read-batch.ts'
import { REALTIME_FIELDS } from '#intake/log/cloudfront-realtime.ts'
import { authenticateToken } from '#sources/authenticate-token.ts'
import { serviceOfFile } from '../../support/fresh.ts'
import { GPTBOT, openTestIntake, PERSON, type TestIntake, visit } from '../../support/intake.ts'

let intake: TestIntake
const shared = serviceOfFile()
beforeEach(async () => {
  intake = await openTestIntake(await shared.fresh('2026-03-10T12:00:00Z'))
})

const as = (dialect: string, more: Record<string, string> = {}) => ({ query: `?dialect=${dialect}`, headers: more })
const stored = async () => (await intake.facts()).map(({ host, path, status, method }) => [host, path, status, method])

describe('cloudflare_logpush', () => {
  const record = (given: Record<string, unknown> = {}) => ({
    RayID: '3a6050bcbe121a87',
    EdgeStartTimestamp: '2026-03-10T11:59:00Z',
    ClientIP: '192.0.2.1',
    ClientRequestHost: 'www.example.com',
    ClientRequestMethod: 'GET',
    ClientRequestURI: '/a?b=c',
    ClientRequestUserAgent: GPTBOT,
    EdgeResponseStatus: 200,
    ...given,
  })

  test('is read with its times, text numbers, odd bytes and ids', async () => {
    const answer = await intake.send(
      [
        record(),
        record({
          RayID: '2',
          EdgeStartTimestamp: 1_773_143_940_000_000_000,
          EdgeResponseStatus: '404',
          ClientRequestURI: '/ü',
        }),
        record({ RayID: '3', ClientRequestUserAgent: PERSON }),
        record({ RayID: '4', ClientRequestHost: 'example.org' }),
        record({ RayID: '5', ClientRequestUserAgent: undefined }),
        record({ RayID: '6', EdgeStartTimestamp: '2027-01-01T00:00:00Z' }),
        record(),
      ],
      as('cloudflare_logpush'),
    )
    expect(answer).toMatchObject({
      records: 7,
      accepted: 2,
      duplicates: 1,
      ignored_human: 1,
      ignored_other_site: 1,
      rejected_count: 2,
      rejected: [
        { index: 4, code: 'no_user_agent' },
        { index: 5, code: 'timestamp_ahead' },
      ],
    })
    expect(await stored()).toEqual([
      ['www.example.com', '/a', 200, 'GET'],
      ['www.example.com', '/ü', 404, 'GET'],
    ])
    expect(await intake.send([record({ ClientRequestURI: '/other' })], as('cloudflare_logpush'))).toMatchObject({
      accepted: 0,
      duplicates: 1,
    })
  })

  test('is named by a warning where all records are refused because the dialect is missing, or another', async () => {
    const [one, two] = [record(), record({ RayID: '2' })]
    const plain = await intake.send([one, two])
    expect(plain).toMatchObject({ rejected_count: 2, rejected: [{ code: 'timestamp_missing' }, {}] })
    expect(plain.warnings).toEqual([
      {
        code: 'no_record_read',
        message: expect.stringMatching(/read as a generic record.*\?dialect= with one of cloudflare_logpush, vercel/),
      },
    ])
    expect((await intake.send([one, two], as('vercel'))).warnings).toMatchObject([
      { code: 'no_record_read', message: expect.stringMatching(/dialect vercel\..*leave the parameter out/) },
    ])
    expect((await intake.send([one, visit()])).warnings).toEqual([])
    expect((await intake.send([visit({ timestamp: 'yesterday' })])).warnings).toEqual([])
    expect((await intake.send([one, two], as('cloudflare_logpush'))).warnings).toEqual([])
  })

  test('leaves out the requests of Workers and of Cloudflare itself', async () => {
    const answer = await intake.send(
      [
        record({ WorkerSubrequest: true }),
        record({ ParentRayID: '7a1f7ad4df2f870a' }),
        record({ ClientRequestSource: 'edgeWorkerFetch' }),
        record({ ClientRequestSource: 'purge' }),
        record({ ParentRayID: '00' }),
      ],
      as('cloudflare_logpush'),
    )
    expect(answer).toMatchObject({ accepted: 1, ignored_not_a_visit: 4 })
  })

  test.each(['test', 'test\n', '"test"', '{"content":"test"}', '{"content":"tests"}'])(
    'answers the trial upload %j',
    async (word) => {
      const answer = await intake.post(gzipSync(word), as('cloudflare_logpush', { 'content-encoding': 'gzip' }))
      expect(answer).toMatchObject({ status: 200, json: { accepted: 0, rejected_count: 0 } })
    },
  )

  test('is read beside a record of an unexpected form, which refuses itself alone', async () => {
    const answer = await intake.send([{ content: { toString: 1 } }, record()], as('cloudflare_logpush'))
    expect(answer).toMatchObject({ records: 2, accepted: 1, rejected: [{ index: 0, code: 'no_timestamp' }] })
  })

  test('carries a verdict of Cloudflare, as its lines do in any dialect; a field of that name elsewhere is none', async () => {
    const { crawlers, installation } = intake.service
    const proven: ProveRequest[] = []
    const reader = openBatchReader(loadTable())
    reader.know(await crawlers.registries.current(), (request) => {
      proven.push(request)
      return ''
    })
    const deliverer = await authenticateToken({ ...installation, uses: collectKeyUses(installation) }, intake.token)
    if (deliverer === null) throw new Error('the token is known')
    const { site_id, source_id } = deliverer
    const origin = { site_id, source_id, delivery_id: randomUUID(), received_at: intake.service.clock.now() }
    const nothing = { hosts: async () => [], agents: async () => [], isInspection: async () => false }
    const send = (dialect: 'cloudflare_logpush' | 'vector' | null, json: unknown) =>
      reader.read(
        { deliverer, origin, slot: 0, dialect, sender: null, idempotency_key: null, fields: null },
        (async function* () {
          yield Buffer.from(JSON.stringify(json))
        })(),
        nothing,
      )
    await send('cloudflare_logpush', record({ ClientRequestUserAgent: PERSON, VerifiedBotCategory: 'AI Crawler' }))
    await send('cloudflare_logpush', record({ RayID: '2', VerifiedBotCategory: '' }))
    await send('vector', { message: JSON.stringify(record({ RayID: '3', VerifiedBotCategory: 'AI Crawler' })) })
    const own = { time: '2026-03-10T11:59:00Z', request: 'GET / HTTP/1.1', http_user_agent: GPTBOT, status: 200 }
    await send('vector', { ...own, client_ip: '192.0.2.1', VerifiedBotCategory: 'AI Crawler', verified_bot: true })
    await send(null, visit({ verified_bot: 'cloudflare', VerifiedBotCategory: 'AI Crawler' }))
    expect(proven.map(({ verified_bot, address, attested }) => [verified_bot?.provider, address, attested])).toEqual([
      ['cloudflare', '192.0.2.1', true],
      [undefined, '192.0.2.1', true],
      ['cloudflare', '192.0.2.1', true],
      [undefined, '192.0.2.1', true],
      ['cloudflare', '192.0.2.1', true],
    ])
  })
})

describe('vercel', () => {
  const entry = (given: Record<string, unknown> = {}, proxy: Record<string, unknown> | null = {}) => ({
    id: '1573817250283254651097202070',
    deploymentId: 'dpl_1',
    projectId: 'p',
    source: 'lambda',
    host: 'my-app-abc123.vercel.app',
    timestamp: 1_773_143_941_000,
    requestId: 'r1',
    ...(proxy === null
      ? {}
      : {
          proxy: {
            timestamp: 1_773_143_940_000,
            method: 'GET',
            host: 'example.com',
            path: '/api?page=1',
            userAgent: [GPTBOT],
            statusCode: 200,
            clientIp: '192.0.2.1',
            ...proxy,
          },
        }),
    ...given,
  })

  test('counts a request once, however many entries describe it', async () => {
    const answer = await intake.post(
      JSON.stringify([
        entry({ source: 'build' }, null),
        entry(),
        entry({ id: '2' }),
        entry({ requestId: 'r2' }, { statusCode: 0, path: '/b' }),
        entry({ requestId: 'r3' }, { statusCode: -1 }),
      ]),
      as('vercel'),
    )
    expect(answer.json).toMatchObject({ records: 5, accepted: 2, ignored_not_a_visit: 3 })
    expect(await stored()).toEqual([
      ['example.com', '/api', 200, 'GET'],
      ['example.com', '/b', 0, 'GET'],
    ])
    expect(await intake.send([entry({ id: '9' })], as('vercel'))).toMatchObject({ duplicates: 1 })
  })

  test('refuses records that Vercel did not write, so that a wrong dialect does not look like a quiet site', async () => {
    const answer = await intake.send([visit(), entry({ source: 'build' }, null)], as('vercel'))
    expect(answer).toMatchObject({ rejected: [{ index: 0, code: 'unknown_json' }], ignored_not_a_visit: 1 })
  })

  test('gets the code by which it verifies its owner', async () => {
    const code = 'abc-DEF_123'
    const by_url = { method: 'GET', token: null, query: `?dialect=vercel&vercel_verify=${code}` } as const
    expect(await intake.post('', by_url)).toMatchObject({ status: 200, headers: { 'x-vercel-verify': code } })
    const by_header = { method: 'GET', token: null, headers: { 'x-vercel-verify': code } } as const
    expect(await intake.post('', by_header)).toMatchObject({ status: 200, headers: { 'x-vercel-verify': code } })
    const ping = { token: null, headers: { 'x-vercel-verify': code, 'content-length': '0' } }
    expect(await intake.post('', ping)).toMatchObject({ status: 200, headers: { 'x-vercel-verify': code } })
    const logs = await intake.post(JSON.stringify([entry()]), { query: by_url.query })
    expect(logs).toMatchObject({ status: 200, headers: { 'x-vercel-verify': code }, json: { accepted: 1 } })
    expect((await intake.post('{}', { token: null, query: by_url.query })).status).toBe(401)
    const odd = await intake.post('', { method: 'GET', query: '?vercel_verify=a%0d%0ab' })
    expect(odd.status).toBe(405)
    expect(odd.headers).not.toHaveProperty('x-vercel-verify')
  })
})

describe('fastly and vector', () => {
  test('use the names that an operator configured', async () => {
    const answer = await intake.send(
      [
        {
          timestamp: '2026-03-10T11:59:00+0000',
          client_ip: '192.0.2.1',
          host: 'www.example.com',
          url: '/f.exe',
          request_method: 'GET',
          request_user_agent: GPTBOT,
          response_status: 404,
        },
        visit({ path: '/generic', id: 'x' }),
        { hello: 'world' },
      ],
      as('fastly'),
    )
    expect(answer).toMatchObject({ accepted: 2, rejected: [{ index: 2, code: 'unknown_json' }] })
    expect(await stored()).toEqual([
      ['www.example.com', '/f.exe', 404, 'GET'],
      ['example.com', '/generic', 200, 'GET'],
    ])
  })

  test('accept an event with a log line in it', async () => {
    const line = (agent: string) =>
      `192.0.2.1 - - [10/Mar/2026:11:59:00 +0000] "GET /v?x=1 HTTP/1.1" 200 12 "-" "${agent}"`
    const event = (message: string) => ({
      file: '/var/log/nginx/access.log',
      host: 'web1',
      message,
      timestamp: '2026-03-10T12:00:00Z',
    })
    const answer = await intake.send([event(line(GPTBOT)), event(line(PERSON)), event('not a log line')], as('vector'))
    expect(answer).toMatchObject({ accepted: 1, ignored_human: 1, rejected: [{ index: 2 }] })
    expect(await stored()).toEqual([['example.com', '/v', 200, 'GET']])
  })

  test('take the id from the event’s content, so that another batch does not double it', async () => {
    const event = (message: Record<string, unknown>) => ({
      file: 'a.log',
      host: 'web1',
      message: JSON.stringify(message),
    })
    const generic = event(visit({ path: '/generic', id: 'g1' }))
    const nginx = event({
      time_iso8601: '2026-03-10T11:59:00+00:00',
      request: 'GET /nginx HTTP/1.1',
      status: '200',
      http_user_agent: GPTBOT,
      request_id: 'n1',
    })
    expect(await intake.send([generic, nginx], as('vector'))).toMatchObject({ accepted: 2, duplicates: 0 })
    const again = await intake.send([nginx, event({ hello: 'world' }), generic], as('vector'))
    expect(again).toMatchObject({ accepted: 0, duplicates: 2, rejected: [{ index: 1, code: 'unknown_json' }] })
    expect(await stored()).toEqual([
      ['example.com', '/generic', 200, 'GET'],
      ['example.com', '/nginx', 200, 'GET'],
    ])
  })

  test('Fastly’s question whose address this is gets its answer', async () => {
    const answer = await intake.service.ask('/.well-known/fastly/logging/challenge', { key: null })
    expect(answer).toMatchObject({ status: 200, text: '*\n' })
    const wrong = await intake.service.ask('/.well-known/fastly/logging/challenge', { key: null, method: 'POST' })
    expect(wrong).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } })
  })
})

test('akamai is read with its nulls and encodings', async () => {
  const record = {
    reqTimeSec: '1773143940.280',
    UA: encodeURIComponent(GPTBOT),
    reqHost: 'www.example.com',
    reqPath: 'doc.pdf',
    reqMethod: 'GET',
    statusCode: '200',
    cliIP: '192.0.2.1',
    reqId: '2898b6',
    queryStr: '-',
  }
  const answer = await intake.send(
    [record, { ...record, reqTimeSec: '1773143941.280' }, record, { ...record, UA: '^' }],
    as('akamai'),
  )
  expect(answer).toMatchObject({ accepted: 2, duplicates: 1, ignored_human: 1 })
  expect((await stored())[0]).toEqual(['www.example.com', '/doc.pdf', 200, 'GET'])
})

test('akamai without the field reqPath is refused, and not counted as the home page', async () => {
  const record = { reqTimeSec: '1773143940.280', UA: encodeURIComponent(GPTBOT), reqHost: 'www.example.com' }
  const sent = [record, { ...record, reqPath: null }, { ...record, reqPath: '-' }]
  expect(await intake.send(sent, as('akamai'))).toMatchObject({
    accepted: 1,
    rejected: [
      { index: 0, code: 'request_without_path' },
      { index: 1, code: 'request_without_path' },
    ],
  })
})

describe('cloudfront_realtime', () => {
  const agent = GPTBOT.replaceAll(' ', '%20')
  const data = (line: string) => ({ data: Buffer.from(line).toString('base64') })
  const body = (...records: unknown[]) => JSON.stringify({ requestId: 'r-1', timestamp: 1_773_143_999_000, records })

  test('is read from the posts of Amazon Data Firehose, which gets the answer that it requires', async () => {
    const columns =
      'timestamp,c-ip,sc-status,cs-method,cs-host,cs-uri-stem,x-edge-request-id,x-host-header,cs-user-agent'
    const line = (id: string, path: string) =>
      `1773143940.250\t192.0.2.1\t200\tGET\td1.cloudfront.net\t${path}\t${id}\twww.example.com\t${agent}\n`
    const json = JSON.stringify({
      timestamp: '1773143940.5',
      'cs-uri-stem': '/json',
      'sc-status': '000',
      'cs-method': 'HEAD',
      'x-host-header': 'example.com',
      'cs-user-agent': GPTBOT,
      'x-edge-request-id': 'id-3',
    })
    const answer = await intake.post(
      gzipSync(body(data(line('id-1', '/a')), data(line('id-2', '/b') + line('id-1', '/a')), data(json), data('x\ty'))),
      {
        token: null,
        query: `?dialect=cloudfront_realtime&fields=${columns}`,
        headers: { 'x-amz-firehose-access-key': intake.token, 'x-amz-firehose-request-id': 'r-1' },
      },
    )
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ requestId: 'r-1', timestamp: intake.service.clock.now() })
    expect(answer.json).toMatchObject({ accepted: 3, duplicates: 1, rejected: [{ code: 'columns_unlike_header' }] })
    expect(await stored()).toEqual([
      ['www.example.com', '/a', 200, 'GET'],
      ['www.example.com', '/b', 200, 'GET'],
      ['example.com', '/json', 0, 'HEAD'],
    ])
  })

  test('the guide names the host that was asked for, and its fields in the order of CloudFront', () => {
    const guide = readFileSync(new URL('../../../docs/senders/cloudfront-akamai.md', import.meta.url), 'utf8')
    const fields = /&fields=([a-z0-9,-]+)/.exec(guide)?.[1]?.split(',') ?? []
    expect(fields).toContain('x-host-header')
    expect(fields).toEqual(REALTIME_FIELDS.filter((field) => fields.includes(field)))
  })

  test('with all fields needs no list of them', async () => {
    const values = Array.from({ length: 40 }, () => '-')
    Object.assign(values, { 0: '1773143940', 3: '304', 5: 'GET', 8: '/all', 11: 'id', 12: 'example.com', 16: agent })
    const answer = await intake.post(body(data(values.join('\t'))), as('cloudfront_realtime'))
    expect(answer.json).toMatchObject({ accepted: 1 })
    expect(await stored()).toEqual([['example.com', '/all', 304, 'GET']])
    expect((await intake.post(body(), { query: '?dialect=cloudfront_realtime&fields=a b' })).status).toBe(400)
  })
})
