/**
 * Formats of CDNs, gateways, applications and shippers beside the servers' own: a sample of each as its vendor
 * documents it.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readAll, readOne } from './read-lines.ts'

const AGENT = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)'
const AT = '2026-03-03T09:15:30.250Z'
const EPOCH_MS = Date.parse(AT)
const CLF = '03/Mar/2026:09:15:30 +0000'
const HOST = 'www.example.com'
const COMBINED = `192.0.2.7 - - [${CLF}] "GET /a HTTP/1.1" 200 512 "-" "${AGENT}"`
const json = (value: unknown) => JSON.stringify(value)

const summaryOf = async (line: string) => {
  const [one, ...more] = await readAll(`${line}\n`)
  if (one === undefined || more.length > 0) throw new Error('exactly one record is expected')
  if (one.kind !== 'record') return one.malformed ?? one.kind
  return [one.at, one.host, one.status, one.request.split(' ').slice(0, 2).join(' '), one.user_agent, one.client]
}
const expected = (changes: {
  at?: string
  host?: string | null
  status?: number | null
  request?: string
  client?: string
}) => {
  const { at = AT, host = HOST, status = 200, request = 'GET /a', client = '192.0.2.7' } = changes
  return [at, host, status, request, AGENT, client]
}
const WHOLE_SECOND = '2026-03-03T09:15:30.000Z'

describe('Istio and Envoy', () => {
  const quoted = (agent = AGENT) =>
    `"203.0.113.9" "${agent}" "84961386-6d84-929d-98bd-c5aee93b5c88" "${HOST}" "10.0.0.2:8000"`
  const istio = (details: string, end = '') => `[${AT}] "GET /a HTTP/1.1" 200 - ${details}0 135 4 3 ${quoted()}${end}`
  const PEER = ' outbound|8000||httpbin.foo.svc.cluster.local 10.44.1.27:41854 10.44.1.23:80 192.0.2.7:37652 - default'

  test.each([
    ['Istio, as it logs by default', istio('via_upstream - "-" ', PEER), '192.0.2.7:37652'],
    ['Istio with a failure', istio('upstream_reset - "TLS_error:|268435581:SSL routines:X" ', PEER), '192.0.2.7:37652'],
    ['Istio without response details', istio('"-" '), '203.0.113.9'],
    ['Istio of old', istio('"-" "-" '), '203.0.113.9'],
    ['Envoy', istio(''), '203.0.113.9'],
    ['Envoy of old', istio('').replace('10.0.0.2:8000', 'tcp://[fd00::2]:8000'), '203.0.113.9'],
  ])('%s', async (_name, line, client) => {
    expect(await summaryOf(line)).toEqual(expected({ client }))
  })

  test('a TCP connection brought no request', async () => {
    const line = `[${AT}] "- - -" 0 - - - "-" 12 34 56 - "-" "-" "-" "-" "10.0.0.1:3306" outbound|3306||db 10.0.0.2:1 10.0.0.3:2 10.0.0.4:3 - -`
    expect(await summaryOf(line)).toBe('server_internal')
  })

  test.each([
    ['a field more, as an agent with quotes makes', istio('').replace(AGENT, 'x" "y')],
    ['a field fewer', istio('').replace(' "10.0.0.2:8000"', '')],
    ['no numbers', istio('').replace('0 135 4 3 ', '')],
  ])('a line with %s is not read', async (_name, line) => {
    expect(await summaryOf(line)).toBe('unknown_layout')
  })

  test('with its quoted fields in another order it is not read with a wrong agent or host', () => {
    const values = ['203.0.113.9', AGENT, '84961386-6d84-929d-98bd-c5aee93b5c88', HOST, '10.0.0.2:8000']
    return fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(values, { minLength: 5 }),
        fc.constantFrom('', 'via_upstream - "-" ', '"-" '),
        async (order, details) => {
          const line = `[${AT}] "GET /a HTTP/1.1" 200 - ${details}0 135 4 3 ${order.map((one) => `"${one}"`).join(' ')}`
          const read = await readOne(line)
          if (read.kind === 'record') expect([read.user_agent, read.host], line).toEqual([AGENT, HOST])
          else expect(read.malformed, line).toBe('unknown_layout')
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('text formats', () => {
  const discourse = (host: string, end: string) =>
    `[${CLF}] ${host}192.0.2.7 "GET /a HTTP/1.1" "${AGENT}" "topics/show" 200 512 "https://a.example/" 0.012 0.016 "-"${end}`
  const kinsta = `${HOST} 192.0.2.7 [${CLF}] GET "/a" HTTP/1.0 200 "-" "${AGENT}" 192.0.2.7 "/index.php" - - 472 0.562 0.560`
  const bunny = `HIT|200|${EPOCH_MS}|412|390|192.0.2.7|-|https://${HOST}/a|WA|${AGENT}|322b688bd63fb63f2babe9de30a5d262|DE`
  const realtime = [
    ...[String(EPOCH_MS / 1000), '192.0.2.7', '0.002', '200', '512', 'GET', 'https', 'd1.cloudfront.net', '/a', '38'],
    ...['FRA56-P1', 'id==', HOST, '0.002', 'HTTP/2.0', 'IPv4', encodeURIComponent(AGENT), '-', '-', '-', 'Hit'],
    ...new Array(19).fill('-'),
  ]
  const caddy = {
    request: { remote_ip: '192.0.2.7', method: 'GET', host: HOST, uri: '/a', headers: { 'User-Agent': [AGENT] } },
    status: 200,
  }
  const console_front = '2026/03/03 09:15:30.250\tINFO\thttp.log.access.log0\thandled request\t'
  const logfmt = `time=${AT} level=info method=GET path=/a status=200 host=${HOST} remote_addr=192.0.2.7 user_agent="${AGENT}"`

  test.each([
    ['Discourse', discourse(`"${HOST}" `, ' "-" "0.001" "3" "0.01" "7" "0.02"'), expected({ at: WHOLE_SECOND })],
    ['Discourse of old', discourse('', ''), expected({ at: WHOLE_SECOND, host: null })],
    ['Kinsta', kinsta, expected({ at: WHOLE_SECOND })],
    ['Bunny CDN', bunny, expected({ request: `UNKNOWN https://${HOST}/a`, host: null })],
    ['Bunny CDN, extended', `${bunny}|311|-|-`, expected({ request: `UNKNOWN https://${HOST}/a`, host: null })],
    ['CloudFront real-time', realtime.join('\t'), expected({})],
    ['Caddy console', console_front + json(caddy), expected({})],
    ['Caddy console, in colour', console_front.replace('INFO', '\x1b[34mINFO\x1b[0m') + json(caddy), expected({})],
    ['logfmt', logfmt, expected({})],
    ['logfmt behind a syslog head', `<134>1 2026-03-03T09:15:31Z web app 9 - - ${logfmt}`, expected({})],
    ['[epoch.ms]', COMBINED.replace(CLF, String(EPOCH_MS / 1000)), expected({ host: null })],
  ])('%s', async (_name, line, record) => {
    expect(await summaryOf(line)).toEqual(record)
  })

  test('CloudFront real-time fields that the operator chose are read by the #Fields line before them', async () => {
    const header = '#Fields: timestamp c-ip sc-status cs-method cs-host cs-uri-stem cs-user-agent'
    const row = [EPOCH_MS / 1000, '192.0.2.7', 200, 'GET', HOST, '/a', encodeURIComponent(AGENT)].join('\t')
    const [read] = await readAll(`${header}\n${row}\n`)
    expect(read).toMatchObject({ kind: 'record', at: AT, host: HOST, status: 200, user_agent: AGENT })
    expect((await readOne(row)).malformed).toBe('unknown_layout')
  })

  test.each([
    ['Bunny CDN with a bar in its agent', bunny.replace('GPTBot', 'GPT|Bot'), 'unknown_layout'],
    ['Bunny CDN cut off', bunny.slice(0, 60), 'line_cut_off'],
    ['Kinsta with agent before referer', kinsta.replace(`"-" "${AGENT}"`, `"${AGENT}" "-"`), 'unknown_layout'],
    [
      'Discourse with route before agent',
      discourse('', '').replace(`"${AGENT}" "topics/show"`, `"topics/show" "${AGENT}"`),
      'unknown_layout',
    ],
    [
      'Caddy’s own words',
      '2026/03/03 09:15:30.250\tINFO\tadmin\tadmin endpoint started\t{"address": "localhost:2019"}',
      'server_internal',
    ],
    [
      'Heroku’s router, which logs no agent',
      'at=info method=GET path="/a" host=a.example fwd="192.0.2.7" status=200',
      'no_user_agent',
    ],
    ['logfmt that is not a request', 'level=info msg="starting up" port=8080 version=1.2', 'not_an_access_log_line'],
    ['a time of seconds alone', COMBINED.replace(CLF, '1772529330'), 'bad_timestamp'],
  ])('%s', async (_name, line, reason) => {
    expect(await summaryOf(line)).toBe(reason)
  })
})

describe('JSON of vendors', () => {
  const waf = (changes: object = {}, headers: object[] = []) => ({
    timestamp: EPOCH_MS,
    formatVersion: 1,
    webaclId: 'arn:aws:wafv2:x',
    action: 'ALLOW',
    httpSourceName: 'CF',
    httpRequest: {
      clientIp: '192.0.2.7',
      country: 'DE',
      uri: '/a',
      args: 'b=c',
      httpVersion: 'HTTP/2.0',
      httpMethod: 'GET',
      headers: [{ name: 'host', value: HOST }, { name: 'User-Agent', value: AGENT }, ...headers],
    },
    ...changes,
  })
  const service = {
    CsHost: HOST,
    CIp: '192.0.2.7',
    SPort: '443',
    CsUriStem: '/a',
    CsUriQuery: '',
    CsMethod: 'GET',
    ScStatus: 200,
    UserAgent: AGENT.replaceAll(' ', '+'),
  }
  const azure = { time: AT, category: 'AppServiceHTTPLogs', resourceId: '/SUBSCRIPTIONS/X' }
  const kong = {
    request: { method: 'GET', uri: '/a', url: 'http://10.0.0.1:8000/a', headers: { host: HOST, 'user-agent': AGENT } },
    response: { status: 200, headers: { via: 'kong' } },
    client_ip: '192.0.2.7',
    started_at: EPOCH_MS,
    upstream_uri: '/internal',
    service: { host: 'app.internal' },
  }
  const gateway = {
    requestId: 'x',
    ip: '192.0.2.7',
    requestTime: CLF,
    httpMethod: 'GET',
    path: '/a',
    status: '200',
    domainName: HOST,
    userAgent: AGENT,
    resourcePath: '/{proxy+}',
  }
  const current = {
    'http.request.method': 'GET',
    'url.path': '/a',
    'http.response.status_code': 200,
    'server.address': HOST,
    'client.address': '192.0.2.7',
    'user_agent.original': AGENT,
  }
  const older = {
    'http.method': 'GET',
    'http.target': '/a',
    'http.status_code': 200,
    'http.host': HOST,
    'http.client_ip': '192.0.2.7',
    'http.user_agent': AGENT,
  }
  const otlp = (attributes: object) => ({
    timeUnixNano: `${Date.parse(WHOLE_SECOND)}000000`,
    body: { stringValue: 'request' },
    attributes: Object.entries(attributes).map(([key, value]) => ({
      key,
      value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
    })),
  })
  const wire = (...records: object[]) => ({
    resourceLogs: [{ resource: {}, scopeLogs: [{ scope: {}, logRecords: records }] }],
  })

  test.each([
    ['AWS WAF, let through', waf(), expected({ status: null })],
    ['AWS WAF, blocked', waf({ action: 'BLOCK', responseCodeSent: 403 }), expected({ status: 403 })],
    ['Azure App Service', { ...azure, properties: service }, expected({})],
    ['Azure App Service, properties as text', { ...azure, properties: json(service) }, expected({})],
    ['Azure App Service, exported', { TimeGenerated: AT, ...service }, expected({})],
    ['Kong', kong, expected({})],
    ['API Gateway', gateway, expected({ at: WHOLE_SECOND })],
    ['OpenTelemetry attributes', { Timestamp: AT, SeverityText: 'INFO', Attributes: current }, expected({})],
    ['OpenTelemetry attributes of old', { timestamp: AT, attributes: older }, expected({})],
    ['OpenTelemetry’s wire form', wire(otlp(current)), expected({ at: WHOLE_SECOND })],
    ['a record of it', otlp(older), expected({ at: WHOLE_SECOND })],
  ])('%s', async (_name, record, result) => {
    expect(await summaryOf(json(record))).toEqual(result)
  })

  test.each([
    [
      'AWS WAF with the agent redacted',
      waf({ httpRequest: { uri: '/a', headers: [{ name: 'User-Agent', value: 'REDACTED' }] } }),
      'no_user_agent',
    ],
    ['App Service’s own request', { ...azure, properties: { ...service, UserAgent: 'AlwaysOn' } }, 'server_internal'],
    ['API Gateway’s default, which has no agent', { ...gateway, userAgent: undefined }, 'no_user_agent'],
    ['API Gateway with the route alone', { ...gateway, path: undefined }, 'unknown_json'],
    ['several records of OpenTelemetry', wire(otlp(current), otlp(current)), 'several_records'],
  ])('%s', async (_name, record, reason) => {
    expect(await summaryOf(json(record))).toBe(reason)
  })

  test('a header that AWS WAF does not list was not sent', async () => {
    const record = waf({ httpRequest: { clientIp: '192.0.2.7', uri: '/a', httpMethod: 'GET', headers: [] } })
    expect(await readOne(json(record))).toMatchObject({ kind: 'record', user_agent: '' })
  })
})

describe('envelopes of shippers', () => {
  const own = { request: 'GET /a HTTP/1.1', status: 200, user_agent: AGENT, http_host: HOST, remote_addr: '192.0.2.7' }
  const text = expected({ at: WHOLE_SECOND, host: null })
  const gelf = { version: '1.1', host: 'web1.internal.example', timestamp: EPOCH_MS / 1000, level: 6 }
  test.each([
    [
      'Splunk HEC with a line',
      { time: 1, host: 'web1.example.net', sourcetype: 'access_combined', event: COMBINED },
      text,
    ],
    ['Splunk HEC with an object', { time: EPOCH_MS / 1000, host: 'web1', source: 'x', event: own }, expected({})],
    ['Splunk HEC with its own time', { time: 1, index: 'main', event: { time: AT, ...own } }, expected({})],
    ['Loki, pushed', { streams: [{ stream: { job: 'nginx' }, values: [[`${EPOCH_MS}000000`, COMBINED]] }] }, text],
    ['Loki, as logcli prints it', { labels: { job: 'nginx' }, line: COMBINED, timestamp: AT }, text],
    [
      'Loki, an answer',
      { status: 'success', data: { resultType: 'streams', result: [{ stream: {}, values: [['1', COMBINED]] }] } },
      text,
    ],
    ['GELF with a line', { ...gelf, short_message: COMBINED }, text],
    ['GELF with a line in full', { ...gelf, short_message: 'GET /a', full_message: COMBINED }, text],
    [
      'GELF with fields',
      {
        ...gelf,
        short_message: 'GET /a',
        _request: 'GET /a HTTP/1.1',
        _status: 200,
        _user_agent: AGENT,
        _remote_addr: '192.0.2.7',
      },
      expected({ host: null }),
    ],
    ['OpenTelemetry with a line', { timeUnixNano: '1', body: { stringValue: COMBINED }, attributes: [] }, text],
    [
      'Splunk in a syslog line in docker’s JSON',
      { log: `<134>1 2026-03-03T09:15:31Z w a 9 - - ${json({ time: 1, event: COMBINED })}\n` },
      text,
    ],
  ])('%s', async (_name, record, result) => {
    expect(await summaryOf(json(record))).toEqual(result)
  })

  test.each([
    [
      'Loki with several lines',
      json({
        streams: [
          {
            stream: {},
            values: [
              ['1', COMBINED],
              ['2', COMBINED],
            ],
          },
        ],
      }),
    ],
    ['Splunk events one after the other', json({ time: 1, event: COMBINED }).repeat(2)],
    ['objects one after the other', `${json(own)} ${json(own)}`],
  ])('%s on one line are several records', async (_name, line) => {
    expect(await summaryOf(line)).toBe('several_records')
  })
})

describe('lines that are not records', () => {
  test('lines that begin with # are directives or comments, and are not counted', async () => {
    const comments = [
      '# rotated at midnight',
      '#',
      '  # indented',
      '#!/bin/sh',
      '#Software: x',
      '#anything "GET / HTTP/1.1" 200',
    ]
    const read = await readAll(`${comments.join('\n')}\n\n \t\n${COMBINED}\n`)
    expect(read.map(({ kind, line_number }) => [kind, line_number])).toEqual([['record', comments.length + 3]])
  })
})
