import { describe, expect, test } from 'vitest'
import { readAll, readOne } from './read-lines.ts'

const AGENT = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)'
const AT = '2026-03-03T09:15:30.000Z'
const SECONDS = Date.parse(AT) / 1000

const caddy = (changes: object = {}, request: object = {}) => ({
  level: 'info',
  ts: SECONDS + 0.25,
  logger: 'http.log.access.log0',
  msg: 'handled request',
  request: {
    remote_ip: '192.0.2.7',
    client_ip: '192.0.2.7',
    proto: 'HTTP/2.0',
    method: 'GET',
    host: 'www.example.com',
    uri: '/a/b?c=1',
    headers: { 'User-Agent': [AGENT], Accept: ['*/*'] },
    ...request,
  },
  status: 200,
  ...changes,
})
const traefik = (changes: object = {}) => ({
  ClientHost: '192.0.2.7',
  RequestHost: 'www.example.com',
  RequestMethod: 'GET',
  RequestPath: '/a/b?c=1',
  DownstreamStatus: 200,
  OriginStatus: 500,
  StartUTC: AT,
  'request_User-Agent': AGENT,
  ...changes,
})
const logpush = (changes: object = {}) => ({
  ClientIP: '192.0.2.7',
  ClientRequestHost: 'www.example.com',
  ClientRequestMethod: 'GET',
  ClientRequestPath: '/a/b',
  ClientRequestURI: '/a/b?c=1',
  ClientRequestUserAgent: AGENT,
  ClientRequestSource: 'eyeball',
  EdgeStartTimestamp: AT,
  EdgeResponseStatus: 200,
  ParentRayID: '00',
  WorkerSubrequest: false,
  ...changes,
})
const vercel = (changes: object = {}, proxy: object = {}) => ({
  id: '1',
  deploymentId: 'dpl_1',
  projectId: 'p1',
  source: 'lambda',
  host: 'app-1.example.net',
  timestamp: SECONDS * 1000 + 500,
  requestId: 'r1',
  message: 'START "quoted"\nEND',
  proxy: {
    timestamp: SECONDS * 1000,
    method: 'GET',
    host: 'www.example.com',
    path: '/a/b?c=1',
    userAgent: [AGENT],
    statusCode: 200,
    clientIp: '192.0.2.7',
    ...proxy,
  },
  ...changes,
})
const google = (changes: object = {}, request: object = {}) => ({
  insertId: 'x',
  logName: 'projects/p/logs/requests',
  timestamp: AT,
  httpRequest: {
    requestMethod: 'GET',
    requestUrl: 'https://www.example.com:443/a/b?c=1',
    status: 200,
    userAgent: AGENT,
    remoteIp: '192.0.2.7:4711',
    responseSize: '17',
    ...request,
  },
  ...changes,
})
const frontDoor = (properties: object = {}, changes: object = {}) => ({
  time: '2026-03-03T09:15:30.1234567Z',
  category: 'FrontDoorAccessLog',
  properties: {
    clientIp: '192.0.2.7',
    httpMethod: 'GET',
    httpStatusCode: '200',
    requestUri: 'https://www.example.com:443/a/b?c=1',
    userAgent: AGENT,
    isReceivedFromClient: true,
    ...properties,
  },
  ...changes,
})
const akamai = (changes: object = {}) => ({
  reqTimeSec: `${SECONDS}.280`,
  UA: encodeURIComponent(AGENT),
  reqHost: 'www.example.com',
  reqPath: 'a/b',
  queryStr: 'c=1',
  reqMethod: 'GET',
  statusCode: '200',
  cliIP: '192.0.2.7',
  errorCode: '-',
  overheadBytes: '^',
  ...changes,
})
const netlify = (changes: object = {}) => ({
  account_id: '1',
  deploy_id: '2',
  site_id: '3',
  log_type: 'traffic',
  method: 'GET',
  status_code: 200,
  timestamp: AT,
  url: 'https://www.example.com/a/b?c=1',
  client_ip: '192.0.2.7',
  user_agent: AGENT,
  ...changes,
})
const nginx = (changes: object = {}) => ({
  time_iso8601: '2026-03-03T10:15:30+01:00',
  remote_addr: '192.0.2.7',
  http_host: 'www.example.com',
  request: 'GET /a/b?c=1 HTTP/1.1',
  status: '200',
  http_user_agent: AGENT,
  ...changes,
})
const json = (value: unknown) => readOne(JSON.stringify(value))

describe('layouts of JSON lines', () => {
  test.each([
    ['Caddy', caddy(), '/a/b?c=1'],
    ['Caddy with a text time', caddy({ ts: '2026-03-03T09:15:30.000Z' }), '/a/b?c=1'],
    ['Traefik', traefik(), '/a/b?c=1'],
    ['Traefik with texts', traefik({ DownstreamStatus: '200' }), '/a/b?c=1'],
    ['Logpush', logpush(), '/a/b?c=1'],
    ['Logpush without the query', logpush({ ClientRequestURI: undefined }), '/a/b'],
    ['Vercel', vercel(), '/a/b?c=1'],
    ['Google Cloud', google(), 'https://www.example.com:443/a/b?c=1'],
    ['Azure Front Door', frontDoor(), 'https://www.example.com:443/a/b?c=1'],
    ['Akamai', akamai(), '/a/b'],
    ['Netlify', netlify(), 'https://www.example.com/a/b?c=1'],
    ['nginx', nginx(), '/a/b?c=1'],
    [
      'nginx, other names',
      nginx({ request: undefined, request_method: 'GET', request_uri: '/a/b?c=1', uri: '/index.php' }),
      '/a/b?c=1',
    ],
    [
      'Fastly',
      {
        timestamp: '2026-03-03T09:15:30+0000',
        client_ip: '192.0.2.7',
        host: 'www.example.com',
        url: '/a/b?c=1',
        request_method: 'GET',
        request_user_agent: AGENT,
        response_status: 200,
      },
      '/a/b?c=1',
    ],
    [
      'Envoy',
      {
        ':authority': 'www.example.com',
        method: 'GET',
        'x-envoy-origin-path': '/a/b?c=1',
        path: null,
        response_code: 200,
        start_time: AT,
        'user-agent': AGENT,
        downstream_remote_address: '192.0.2.7:80',
      },
      '/a/b?c=1',
    ],
    [
      'nested names',
      {
        '@timestamp': AT,
        url: { original: '/a/b?c=1', domain: 'www.example.com' },
        http: { request: { method: 'GET' }, response: { status_code: 200 } },
        user_agent: { original: AGENT },
        source: { ip: '192.0.2.7' },
      },
      '/a/b?c=1',
    ],
    [
      'Serilog, compact',
      {
        '@t': AT,
        '@m': 'HTTP GET /a/b responded 200',
        Elapsed: 1.2,
        StatusCode: 200,
        Host: 'www.example.com',
        RequestMethod: 'GET',
        RequestPath: '/a/b',
        UserAgent: AGENT,
        RemoteIpAddress: '192.0.2.7',
      },
      '/a/b',
    ],
    [
      'Serilog, with properties',
      {
        Timestamp: AT,
        Level: 'Information',
        MessageTemplate: 'HTTP {RequestMethod} {RequestPath}',
        Properties: {
          RequestMethod: 'GET',
          RequestPath: '/a/b',
          StatusCode: 200,
          UserAgent: AGENT,
          RequestHost: 'www.example.com',
          ClientIp: '192.0.2.7',
        },
      },
      '/a/b',
    ],
    [
      'Apache’s %t, %U and %>s under names of one’s own',
      {
        time: '[03/Mar/2026:10:15:30 +0100]',
        remoteIP: '192.0.2.7',
        host: 'www.example.com',
        request: '/a/b',
        query: '?c=1',
        method: 'GET',
        status: '200',
        userAgent: AGENT,
      },
      '/a/b',
    ],
    [
      'Logstash’s pattern for combined logs',
      {
        '@timestamp': '2026-03-04T00:00:00.000Z',
        timestamp: '03/Mar/2026:10:15:30 +0100',
        clientip: '192.0.2.7',
        verb: 'GET',
        request: '/a/b?c=1',
        httpversion: '1.1',
        response: '200',
        agent: AGENT,
        vhost: 'www.example.com',
      },
      '/a/b?c=1',
    ],
    ['a word as status beside the number', nginx({ status: 'ok', status_code: 200 }), '/a/b?c=1'],
    [
      'Fluentd’s and Fluent Bit’s parsers',
      {
        date: SECONDS + 0.5,
        remote: '192.0.2.7',
        host: '-',
        method: 'GET',
        path: '/a/b?c=1',
        code: '200',
        agent: AGENT,
        vhost: 'www.example.com',
      },
      '/a/b?c=1',
    ],
    [
      'W3C names',
      {
        date: '2026-03-03',
        time: '09:15:30',
        'cs-method': 'GET',
        'cs-uri-stem': '/a/b',
        'sc-status': '200',
        'cs(User-Agent)': AGENT.replaceAll(' ', '%20'),
        'x-host-header': 'www.example.com',
        'c-ip': '192.0.2.7',
      },
      '/a/b',
    ],
  ])('%s', async (_name, value, target) => {
    const read = await json(value)
    expect(read).toMatchObject({ kind: 'record', status: 200, user_agent: AGENT })
    expect(read.at.slice(0, 19)).toBe(AT.slice(0, 19))
    expect(read.request).toBe(`GET ${target} HTTP/1.1`)
    expect(read.client).toMatch(/^192\.0\.2\.7/)
    // Google, Azure and Netlify name the host in the target, which the import reads.
    expect(read.host).toBe(target.startsWith('/') ? 'www.example.com' : null)
  })

  test('an agent in pieces is one agent again', async () => {
    const pieces = ['Mozilla/5.0 AppleWebKit/537.36 (KHTML', 'like Gecko; compatible; GPTBot/1.2)']
    const read = await json(vercel({}, { userAgent: pieces }))
    expect(read.user_agent).toBe('Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2)')
  })

  test.each([
    ['Fastly behind syslog', '2026-03-03T09:15:31.6+00:00 192.0.2.1  '],
    ['syslog RFC 3164', '<134>Mar  3 10:15:31 web1 nginx: '],
    ['syslog RFC 5424', '<134>1 2026-03-03T10:15:31Z web1 nginx 99 - - '],
    ['syslog with a CEE cookie', '<134>Mar  3 10:15:31 web1 nginx: @cee: '],
    ['CRI', '2026-03-03T10:15:31.5+01:00 stdout F '],
    ['docker logs with times', '2026-03-03T09:15:31.123456789Z '],
  ])('%s', async (_name, prefix) => {
    const read = await readOne(prefix + JSON.stringify(nginx()))
    expect(read).toMatchObject({ kind: 'record', user_agent: AGENT, at: AT })
  })

  test('JSON inside the JSON of docker, and a text line inside that of a shipper with its own names', async () => {
    const docker = await json({ log: `${JSON.stringify(caddy())}\n`, stream: 'stdout' })
    expect(docker).toMatchObject({ kind: 'record', host: 'www.example.com' })
    const text = `192.0.2.7 - - [03/Mar/2026:09:15:30 +0000] "GET /x HTTP/1.1" 200 5 "-" "${AGENT}"`
    const shipped = await json({ '@timestamp': AT, host: 'web1', path: '/var/log/access.log', message: text })
    expect(shipped).toMatchObject({ kind: 'record', host: null, user_agent: AGENT, request: 'GET /x HTTP/1.1' })
  })

  test('the machine’s name that a shipper adds is not read as the site’s host', async () => {
    expect((await json(nginx({ http_host: undefined, host: 'web1' }))).host).toBeNull()
    expect((await json(nginx({ http_host: '_', server_name: 'www.example.com' }))).host).toBe('www.example.com')
  })

  test('a request without a method has no method, not a guessed one', async () => {
    const read = await json(nginx({ request: undefined, path: '/a' }))
    expect(read).toMatchObject({ kind: 'record', request: 'UNKNOWN /a HTTP/1.1' })
  })
})

describe('values', () => {
  test.each([
    ['RFC 3339', AT],
    ['seconds', SECONDS],
    ['seconds as text', String(SECONDS)],
    ['seconds with a fraction', `${SECONDS}.004`],
    ['milliseconds', SECONDS * 1e3],
    ['microseconds', SECONDS * 1e6],
    ['nanoseconds', SECONDS * 1e9],
    ['nanoseconds as text', `${SECONDS}000000000`],
    ['without a zone, which is UTC there', '2026-03-03 09:15:30'],
  ])('Logpush times: %s', async (_name, time) => {
    const read = await readOne(JSON.stringify(logpush({ EdgeStartTimestamp: time })), '+05:00')
    expect(read.at.slice(0, 19)).toBe(AT.slice(0, 19))
  })

  test('an operator’s time without a zone takes the zone of the import, one with a zone keeps its own', async () => {
    const line = (time: string) => JSON.stringify(nginx({ time_iso8601: time }))
    expect((await readOne(line('2026-03-03 10:15:30'), '+01:00')).at).toBe(AT)
    expect((await readOne(line('2026-03-03T09:15:30Z'), '+01:00')).at).toBe(AT)
    expect((await readOne(line('03/Mar/2026:09:15:30 +0000'), '+01:00')).at).toBe(AT)
  })

  test('nginx’s time counts before one at which a shipper may have read the line', async () => {
    const shipped = { time_iso8601: undefined, '@timestamp': '2026-03-04T00:00:00Z', timestamp: '2026-03-04T00:00:00Z' }
    expect((await json(nginx({ ...shipped, time_local: '03/Mar/2026:10:15:30 +0100' }))).at).toBe(AT)
    expect((await json(nginx({ ...shipped, msec: `${SECONDS}.000` }))).at).toBe(AT)
    expect((await json(nginx({ ...shipped, msec: 0.25 }))).at).toBe('2026-03-04T00:00:00.000Z')
  })

  test.each([
    [0, null, 0],
    ['0', null, 0],
    [-1, null, null],
    ['-', null, null],
    [null, null, null],
    [444, null, 444],
    ['404', 404, 404],
  ])('status %j', async (logged, status, status_raw) => {
    expect(await json(caddy({ status: logged }))).toMatchObject({ kind: 'record', status, status_raw })
  })

  test.each([999, '999', 600, 199])('status %j is one', async (logged) => {
    expect(await json(caddy({ status: logged }))).toMatchObject({ kind: 'record', status: Number(logged) })
  })

  test.each([
    ...[1000, '1000', 70_000, '12345678', 1e300].map((status) => caddy({ status })),
    traefik({ DownstreamStatus: 1000 }),
    logpush({ EdgeResponseStatus: 1000 }),
    vercel({}, { statusCode: 1000 }),
    google({}, { status: 1000 }),
    frontDoor({ httpStatusCode: '1000' }),
    akamai({ statusCode: '1000' }),
    netlify({ status_code: 1000 }),
    nginx({ status: '1000' }),
  ])('a status above 999 is none: %j', async (line) => {
    expect(await json(line)).toMatchObject({ kind: 'malformed', malformed: 'status_invalid' })
  })

  test('escapes, bytes that are not UTF-8 and real letters are read correctly', async () => {
    const line = JSON.stringify(nginx({ request: 'GET /caf\u00e9\\x41" HTTP/1.1' }))
    expect((await readOne(line)).request).toBe('GET /caf\xc3\xa9\\x41" HTTP/1.1')
    expect((await readOne(line.replace('\u00e9', '\\u00e9'))).request).toBe('GET /caf\xc3\xa9\\x41" HTTP/1.1')
    const [front, back] = line.split('caf\u00e9') as [string, string]
    const broken = Buffer.concat([Buffer.from(front), Buffer.from([0xac]), Buffer.from(`${back}\n`)])
    expect((await readAll(broken))[0]?.request).toBe('GET /\xac\\x41" HTTP/1.1')
    expect(
      (await readOne('{"status":200,"uri":"/\\u0009a","http_user_agent":"b\\u00fccher","time":"2026-03-03T09:15:30Z"}'))
        .user_agent,
    ).toBe('bücher')
  })

  test('an object where a text is expected does not stop the reader', async () => {
    const odd = nginx({ waf_blocked: [{ toString: 1 }] })
    expect(await json(odd)).toMatchObject({ kind: 'record', edge_action: null })
  })

  test('nginx without escape=json', async () => {
    const read = await readOne(
      JSON.stringify(nginx({ http_user_agent: 'AQB' })).replace('AQB', 'a \\x22b\\x22 caf\\xC3\\xA9'),
    )
    expect(read.user_agent).toBe('a "b" café')
  })
})

describe('lines that are not visits', () => {
  test.each([
    ['a Worker’s fetch', logpush({ WorkerSubrequest: true })],
    ['a Worker’s fetch, as text', logpush({ WorkerSubrequest: 'true' })],
    [
      'a Worker’s fetch by its source',
      logpush({ ClientRequestSource: 'edgeWorkerFetch', WorkerSubrequest: undefined }),
    ],
    ['a child of another request', logpush({ ParentRayID: '7a1f7ad4df2f870a' })],
    ['a page renewed in the background', vercel({}, { statusCode: -1 })],
    ['Front Door asking its inner shield', frontDoor({ isReceivedFromClient: false })],
    ['Caddy’s error line of a request', caddy({ logger: 'http.log.error.log0' })],
  ])('%s is a sub-request', async (_name, value) => {
    expect(await json(value)).toMatchObject({ kind: 'sub_request', malformed: null })
  })

  test.each([
    ['Cloudflare’s health check', logpush({ ClientRequestSource: 'healthcheck' })],
    ['build output', vercel({ source: 'build', proxy: undefined })],
    ['Caddy’s own message', { level: 'info', ts: SECONDS, logger: 'tls', msg: 'certificate obtained' }],
    ['Front Door’s health probe', frontDoor({}, { category: 'FrontDoorHealthProbeLog' })],
    ['a function’s log', netlify({ log_type: 'function' })],
  ])('%s is the server’s own', async (_name, value) => {
    expect(await json(value)).toMatchObject({ kind: 'server_internal', malformed: null })
  })

  test('several entries of one Vercel request count once', async () => {
    const entries = [vercel(), vercel({ id: '2', source: 'edge' }), vercel({ id: '3', requestId: 'r2' })]
    const read = await readAll(entries.map((entry) => JSON.stringify(entry)).join('\n'))
    expect(read.map((one) => one.kind)).toEqual(['record', 'sub_request', 'record'])
  })
})

describe('JSON that cannot be read says why', () => {
  test.each([
    ['no_user_agent', traefik({ 'request_User-Agent': undefined })],
    ['no_user_agent', logpush({ ClientRequestUserAgent: undefined })],
    ['no_user_agent', netlify({ user_agent: undefined, client_ip: undefined })],
    ['no_user_agent', caddy({}, { headers: undefined })],
    ['no_user_agent', nginx({ http_user_agent: undefined })],
    ['no_timestamp', google({ timestamp: undefined })],
    ['no_timestamp', nginx({ time_iso8601: undefined })],
    ['bad_timestamp', nginx({ time_iso8601: 'yesterday' })],
    ['bad_timestamp', caddy({ ts: 7 })],
    ['bad_timestamp', caddy({ ts: 1e300 })],
    ['request_without_path', google({}, { requestUrl: undefined })],
    ['unknown_json', { Action: 'block', Datetime: AT, ClientRequestHost: 'example.com', ClientRequestPath: '/' }],
    ['unknown_json', { level: 'info', msg: 'handled' }],
    ['unknown_json', {}],
  ])('%s', async (code, value) => {
    expect((await json(value)).malformed).toBe(code)
  })

  test('an empty agent is an agent, and so is an absent one of Google Cloud, which leaves out empty fields', async () => {
    for (const value of [
      logpush({ ClientRequestUserAgent: '' }),
      google({}, { userAgent: undefined }),
      traefik({ 'request_User-Agent': '-' }),
      caddy({}, { headers: {} }),
    ])
      expect(await json(value)).toMatchObject({ kind: 'record', user_agent: '' })
  })

  test('broken JSON, cut JSON and a list among other lines', async () => {
    const whole = JSON.stringify(nginx())
    const text = '192.0.2.7 - - [03/Mar/2026:09:15:30 +0000] "GET /x HTTP/1.1" 200 5 "-" "-"'
    const lines = [
      text,
      whole.replace('"status":', '"status"'),
      whole.slice(0, -9),
      `[${whole},${whole}]`,
      `[${whole}]`,
      `${whole},`,
    ]
    expect((await readAll(lines.join('\n'))).map((one) => one.malformed)).toEqual([
      null,
      'json_broken',
      'line_cut_off',
      'several_records',
      null,
      null,
    ])
  })

  test('no cut of any layout throws, nor does deep nesting', async () => {
    const all = [caddy(), traefik(), logpush(), vercel(), google(), frontDoor(), akamai(), netlify(), nginx()]
    const cuts = all.flatMap((value) => {
      const line = JSON.stringify(value)
      return Array.from({ length: line.length - 1 }, (_, at) => line.slice(0, at + 1))
    })
    expect((await readAll(`x\n${cuts.join('\n')}`)).length).toBe(cuts.length + 1)
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)},"b":"\\u00e9"}`
    expect((await readOne(deep)).kind).toBe('malformed')
  })
})
