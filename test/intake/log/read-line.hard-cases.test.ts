/**
 * The odd lines that real servers write, one case a row, by what is odd about them. Other formats have files of their
 * own beside this one.
 */
import { describe, expect, test } from 'vitest'
import { readRequest } from '#intake/log/request.ts'
import { readAll, readOne } from './read-lines.ts'

const AGENT = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)'
const TIME = '03/Mar/2026:10:15:30 +0100'
const AT = '2026-03-03T09:15:30.000Z'
const core = (request: string, agent = AGENT) => `"${request}" 200 512 "-" "${agent}"`
const plain = (request: string, agent = AGENT) => `192.0.2.7 - - [${TIME}] ${core(request, agent)}`
const targetOf = async (line: string) => {
  const read = await readOne(line)
  const request = readRequest(read.request)
  return typeof request === 'string' ? request : request.target
}

describe('1. the request field', () => {
  test.each([
    ['empty', '', 'request_empty'],
    ['a dash', '-', 'request_empty'],
    ['a TLS hello', '\\x16\\x03\\x01\\x00\\xEE\\xA9', 'request_not_http'],
    ['a TLS hello with a blank', '\\x16\\x03\\x01\\x01 \\x02', 'request_not_http'],
    ['SSH', 'SSH-2.0-Go', 'request_not_http'],
    ['a port scanner', 'MGLNDD_192.0.2.1_80', 'request_not_http'],
    ['WebLogic', 't3 12.1.2', 'request_not_http'],
    ['a word', 'HELP', 'request_not_http'],
    ['SIP', 'OPTIONS sip:nm SIP/2.0', 'request_not_http'],
    ['a line break', '\\n', 'request_empty'],
    ['JSON-RPC', '{\\"id\\": 1, \\"jsonrpc\\": \\"2.0\\"}', 'request_not_http'],
    ['no protocol', 'GET /', '/'],
    ['a blank in the URI', 'GET /Read Me.txt HTTP/1.1', '/Read Me.txt'],
    ['absolute target', 'GET https://www.example.com/path HTTP/1.1', '/path'],
    ['absolute target of another host', 'GET http://169.254.169.254/latest HTTP/1.1', '/latest'],
    ['CONNECT', 'CONNECT example.org:443 HTTP/1.1', 'request_without_path'],
    ['PROPFIND', 'PROPFIND /dav HTTP/1.1', '/dav'],
    ['HTTP/2 preface', 'PRI * HTTP/2.0', 'request_not_http'],
    ['lower case', 'get /a http/1.1', '/a'],
    ['4 kB of dots', `GET /${'../'.repeat(1400)}x HTTP/1.1`, `/${'../'.repeat(1400)}x`],
    ['escapes that are none', 'GET /%%32%65/%u0020/%2 HTTP/1.1', '/%%32%65/%u0020/%2'],
    ['entities in the query', 'GET /a?b=1&amp;c=&#39; HTTP/1.1', '/a?b=1&amp;c=&#39;'],
    ['raw UTF-8', 'GET /bücher HTTP/1.1', '/bücher'],
    ['an IDN host in the path', 'GET //xn--bcher-kva.example/wp HTTP/1.1', '//xn--bcher-kva.example/wp'],
  ])('%s', async (_name, request, expected) => {
    expect((await readOne(plain(request))).kind).toBe('record')
    expect(await targetOf(plain(request))).toBe(expected)
  })

  test('the request without quotes and the status with them', async () => {
    const line = `192.0.2.7 - - [${TIME}] GET /x HTTP/1.0 "301" 162 "-" "${AGENT}"`
    expect(await readOne(line)).toMatchObject({ status: 301, user_agent: AGENT, request: 'GET /x HTTP/1.0' })
  })
})

describe('2. quoting, bytes and wrappers', () => {
  test.each([
    ['Apache’s quotes', '\\"Mozilla/5.0 Safari\\"', '"Mozilla/5.0 Safari"'],
    ['Apache’s backslash and quote', '\\\\\\"Mozilla/5.0\\\\\\"', '\\"Mozilla/5.0\\"'],
    ['nginx’s quotes', 'OcIdWebView ({\\x22os\\x22:\\x22Android\\x22})', 'OcIdWebView ({"os":"Android"})'],
    ['nginx’s backslash', 'a\\x5Cb', 'a\\b'],
    ['empty', '', ''],
    ['a dash', '-', ''],
  ])('agent: %s', async (_name, field, agent) => {
    expect((await readOne(plain('GET / HTTP/1.1', field))).user_agent).toBe(agent)
  })

  test('both ways of quoting in one file, as merged logs have', async () => {
    const read = await readAll(
      [plain('GET / HTTP/1.1', 'a \\"b\\"'), plain('GET / HTTP/1.1', 'a \\x22b\\x22')].join('\n'),
    )
    expect(read.map((one) => one.user_agent)).toEqual(['a "b"', 'a "b"'])
  })

  test('bare dashes, Big5 bytes, a byte order mark and CR LF', async () => {
    expect(await readOne(`192.0.2.7 - - [${TIME}] "GET / HTTP/1.1" 401 84170 - -`)).toMatchObject({
      status: 401,
      user_agent: '',
    })
    const [front, back] = plain('GET /QQ HTTP/1.0').split('QQ') as [string, string]
    const big5 = Buffer.concat([
      Buffer.from(`\ufeff${front}`),
      Buffer.from([0xac, 0xb0, 0xa6]),
      Buffer.from(`${back}\r\n`),
    ])
    const [read] = await readAll(big5)
    expect(readRequest(read?.request as string)).toMatchObject({ target: '/%AC%B0%A6' })
    expect(read?.user_agent).toBe(AGENT)
  })

  test('a byte order mark before a directive, as in joined logs of IIS, makes it no record', async () => {
    const line = (path: string) => `2026-03-03 09:15:30 GET ${path} 200 GPTBot/1.2\r\n`
    const head = (uri: string) =>
      `\ufeff#Software: IIS\r\n\ufeff#Fields: date time cs-method ${uri} sc-status cs(User-Agent)\r\n`
    const read = await readAll(head('cs-uri-stem') + line('/a') + head('cs-uri') + line('/b'))
    expect(read.map(({ kind, request }) => [kind, request])).toEqual([
      ['record', 'GET /a HTTP/1.1'],
      ['record', 'GET /b HTTP/1.1'],
    ])
  })

  const json = JSON.stringify({ time: AT, request: 'GET /w HTTP/1.1', status: 200, user_agent: AGENT })
  test.each([
    ['syslog RFC 3164', `Mar  3 10:15:31 web1 nginx: ${plain('GET /w HTTP/1.1')}`],
    ['syslog RFC 5424', `<134>1 2026-03-03T10:15:31Z web1 nginx 99 - - ${plain('GET /w HTTP/1.1')}`],
    ['CRI and JSON', `2026-03-03T10:15:31.49+01:00 stdout F ${json}`],
    ['docker', JSON.stringify({ log: `${plain('GET /w HTTP/1.1')}\n`, stream: 'stdout', time: AT })],
    ['journald', JSON.stringify({ MESSAGE: plain('GET /w HTTP/1.1'), _HOSTNAME: 'web1' })],
    ['Fastly', `<134>2026-03-03T09:15:31Z cache-fra1 log[472]: ${json}`],
  ])('wrapped: %s', async (_name, line) => {
    expect(await readOne(line)).toMatchObject({ kind: 'record', request: 'GET /w HTTP/1.1', user_agent: AGENT, at: AT })
  })

  test('a time before the line, as docker and AWS write it, hides no host', async () => {
    const read = await readOne(`2026-03-03T09:15:31.123456Z www.example.com ${plain('GET /w HTTP/1.1')}`)
    expect(read).toMatchObject({ kind: 'record', host: 'www.example.com', client: '192.0.2.7', at: AT })
  })

  test('a tag of syslog whose time was taken off is not read as a host', async () => {
    const read = await readOne(`nginx: ${plain('GET /w HTTP/1.1')}`)
    expect(read).toMatchObject({ kind: 'record', host: null, client: '192.0.2.7', request: 'GET /w HTTP/1.1', at: AT })
  })

  test('a plugin’s own lines between JSON lines are reported and do not stop the reading', async () => {
    const read = await readAll(`${json}\nDEBUG: SomePlugin: 2026/03/03 10:15:30 updated\n${json}`)
    expect(read.map((one) => one.malformed)).toEqual([null, 'not_an_access_log_line', null])
  })
})

describe('3. fields around the combined core', () => {
  test.each([
    [
      'host:port first',
      `www.example.com:443 2001:db8::7 - - [${TIME}] ${core('GET / HTTP/1.1')}`,
      'www.example.com',
      '2001:db8::7',
    ],
    [
      'host first',
      `www.example.com 192.0.2.7 - me [${TIME}] ${core('GET / HTTP/1.1')}`,
      'www.example.com',
      '192.0.2.7',
    ],
    [
      'host after bytes',
      `192.0.2.7 - - [${TIME}] "GET / HTTP/1.1" 404 1271 example.com "-" "${AGENT}" "-"`,
      'example.com',
      '192.0.2.7',
    ],
    [
      'host first, without a forwarded address',
      `www.example.com - - - [${TIME}] ${core('GET / HTTP/1.1')}`,
      'www.example.com',
      '-',
    ],
    [
      'client host user',
      `192.0.2.7 www.example.com me [${TIME}] ${core('GET / HTTP/1.1')}`,
      'www.example.com',
      '192.0.2.7',
    ],
    [
      'time taken in brackets',
      `www.example.com 192.0.2.7 - me [${TIME}] (0 s) ${core('GET / HTTP/1.1')}`,
      'www.example.com',
      '192.0.2.7',
    ],
    ['numbers after the agent', `${plain('GET / HTTP/1.1')} 302 1104`, null, '192.0.2.7'],
    ['gzip ratio', `${plain('GET / HTTP/1.1')} "2.75"`, null, '192.0.2.7'],
    ['X-Forwarded-For last', `${plain('GET / HTTP/1.1')} "2001:db8:f800:8::, 198.51.100.1"`, null, '192.0.2.7'],
    [
      'request time first',
      `192.0.2.7 0.012 - [${TIME}] example.com ${core('GET / HTTP/1.1')}`,
      'example.com',
      '192.0.2.7',
    ],
    ['time first', `[${TIME}] 192.0.2.7 1.732 - example.com ${core('GET / HTTP/1.1')}`, 'example.com', '192.0.2.7'],
    [
      'cache words',
      `192.0.2.7 - - [${TIME}] "GET / HTTP/1.1" 200 17 TCP_MISS 200 109 109 "-" "${AGENT}" "NONE"`,
      null,
      '192.0.2.7',
    ],
    ['ingress-nginx', `${plain('GET / HTTP/1.1')} 462 0.050 [up] [] 10.0.50.80:9000 1 0.049 200 id`, null, '192.0.2.7'],
    ['e-mail address as user', `192.0.2.7 - a.user@example.com [${TIME}] ${core('GET / HTTP/1.1')}`, null, '192.0.2.7'],
    ['domain and user', `192.0.2.7 - DOMAIN\\user [${TIME}] ${core('GET / HTTP/1.1')}`, null, '192.0.2.7'],
    ['a blank in the user', `192.0.2.7 - Jane Doe [${TIME}] ${core('GET / HTTP/1.1')}`, null, '192.0.2.7'],
  ])('%s', async (_name, line, host, client) => {
    expect(await readOne(line)).toMatchObject({ kind: 'record', host, client, user_agent: AGENT, at: AT })
  })

  test.each([
    ['-', null],
    ['000', null],
    ['0', null],
    ['444', null],
    ['499', null],
    ['421', 421],
    ['999', 999],
  ])('status %s', async (logged, status) => {
    expect((await readOne(plain('GET / HTTP/1.1').replace(' 200 ', ` ${logged} `))).status).toBe(status)
  })

  test('no bytes, and common format, which says what it lacks', async () => {
    expect((await readOne(plain('GET / HTTP/1.1').replace(' 512 ', ' - '))).kind).toBe('record')
    expect((await readOne(`192.0.2.7 - - [${TIME}] "GET / HTTP/1.1" 200 512`)).malformed).toBe('no_user_agent')
  })
})

describe('4. addresses', () => {
  test.each(['2001:db8:1:2::', '::ffff:192.0.2.7', '192.168.001.01', '192.0.2.0', 'crawl-7.example.net', '-'])(
    '%s',
    async (client) => {
      expect(await readOne(plain('GET / HTTP/1.1').replace('192.0.2.7', client))).toMatchObject({
        kind: 'record',
        client,
        host: null,
      })
    },
  )
})

describe('5. times', () => {
  test.each([
    ['ISO in brackets', '2026-03-03T10:15:30+01:00', AT],
    ['slashes, without a zone', '2026/03/03 10:15:30', AT],
    ['CLF without a zone', '03/Mar/2026:10:15:30', AT],
    ['CLF with a zone of its own', '03/Mar/2026:04:15:30 -0500', AT],
  ])('%s', async (_name, time, at) => {
    expect((await readOne(plain('GET / HTTP/1.1').replace(TIME, time), '+01:00')).at).toBe(at)
  })

  test.each([
    ['user', `192.0.2.7 - a [1735689600.000] [${TIME}] ${core('GET / HTTP/1.1')}`],
    ['forwarded address', `[01/Jan/2025:00:00:00 +0000] \\", 192.0.2.7 - - [${TIME}] ${core('GET / HTTP/1.1')}`],
  ])('a time that a client writes as its %s is not that of the request', async (_name, line) => {
    expect(await readOne(line)).toMatchObject({ kind: 'record', at: AT, user_agent: AGENT })
  })

  test.each(['-', '1234', 'February - 10, 2012:16:42:07'])('[%s] is not a time', async (time) => {
    expect((await readOne(plain('GET / HTTP/1.1').replace(TIME, time))).malformed).toBe('bad_timestamp')
  })

  test('several zones in one file, and lines out of order by days', async () => {
    const times = [
      '29/Mar/2026:03:30:00 +0200',
      '29/Mar/2026:01:30:00 +0000',
      '29/Mar/2026:01:30:00 +0100',
      '27/Mar/2026:04:00:00 +0100',
    ]
    const read = await readAll(times.map((time) => plain('GET / HTTP/1.1').replace(TIME, time)).join('\n'))
    expect(read.map((one) => one.at)).toEqual([
      '2026-03-29T01:30:00.000Z',
      '2026-03-29T01:30:00.000Z',
      '2026-03-29T00:30:00.000Z',
      '2026-03-27T03:00:00.000Z',
    ])
  })

  test('HAProxy’s accept time counts, not the time of syslog', async () => {
    const line = `Dec  9 13:01:26 lb haproxy[1]: 192.0.2.7:3 [03/Mar/2026:09:15:30.000] web app/1 0/0/0/1/1 200 5 - - ---- 1/1/1/1/0 0/0 {${AGENT}} "GET / HTTP/1.1"`
    expect((await readOne(line)).at).toBe(AT)
  })
})

describe('6. traps of counting that depend on reading', () => {
  test('a last line without its end, a first line without its beginning', async () => {
    const line = plain('GET / HTTP/1.1')
    const read = await readAll(`${line.slice(40)}\n${line}\n${line.slice(0, -20)}`)
    expect(read.map((one) => one.malformed)).toEqual(['no_timestamp', null, 'line_cut_off'])
  })
})

describe('7. user agents', () => {
  test('only the field of the agent is read as agent', async () => {
    const line = `192.0.2.7 - - [${TIME}] "GET /?ua=GPTBot HTTP/1.1" 200 5 "https://openai.com/gptbot" "Mozilla/5.0"`
    expect((await readOne(line)).user_agent).toBe('Mozilla/5.0')
  })

  test.each([
    'ClaudeBot',
    'Mozilla/5.0 (Linux) Safari/537.36; compatible; OAI-SearchBot/1.3; robots.txt; +https://openai.com/searchbot',
  ])('%s', async (agent) => {
    expect((await readOne(plain('GET / HTTP/1.1', agent))).user_agent).toBe(agent)
  })
})

describe('8. other formats (each has its own file; here what they share)', () => {
  const S3 = (operation: string, request: string) =>
    `79a59df9 www.example.com [${TIME}] 192.0.2.7 - 3E57427F ${operation} index "${request}" 200 - 368 368 10 9 "-" "${AGENT}" -`

  test('S3: the bucket is not a host of an operation’s name, and an object log may have no request', async () => {
    const read = await readOne(S3('WEBSITE.GET.OBJECT', 'GET /index HTTP/1.1'))
    expect(read).toMatchObject({ kind: 'record', host: null, client: '192.0.2.7', user_agent: AGENT, at: AT })
    expect(await targetOf(S3('S3.EXPIRE.OBJECT', '-'))).toBe('request_empty')
  })

  test('a status 0 is not a response, a denial of the edge is one', async () => {
    const caddy = {
      ts: AT,
      status: 0,
      logger: 'http.log.access',
      request: { uri: '/a', remote_ip: '192.0.2.7', method: 'GET', headers: { 'User-Agent': [AGENT] } },
    }
    expect(await readOne(JSON.stringify(caddy))).toMatchObject({ kind: 'record', status: null, status_raw: 0 })
    const denied = {
      insertId: 'x',
      timestamp: AT,
      jsonPayload: { statusDetails: 'denied_by_security_policy' },
      httpRequest: {
        requestUrl: 'https://www.example.com/a',
        status: 403,
        userAgent: AGENT,
        remoteIp: '192.0.2.7:443',
      },
    }
    expect(await readOne(JSON.stringify(denied))).toMatchObject({ kind: 'record', status: 403 })
  })
})

describe('9. lines that are rightly rejected', () => {
  test.each([
    [
      'nginx error log',
      '2026/03/03 10:15:30 [error] 7#7: *4 open() "/x" failed, client: 192.0.2.7, request: "GET /x HTTP/1.1"',
      'error_log_line',
    ],
    [
      'Apache error log',
      '[Tue Mar 03 10:15:30.5 2026] [core:error] [pid 7] [client 192.0.2.7:80] AH00126: Invalid URI',
      'error_log_line',
    ],
    [
      'LiteSpeed’s notices',
      '2026-03-03 10:15:30.774649 [NOTICE] [12] [192.0.2.7:45164] Failed login',
      'error_log_line',
    ],
    ['prose', 'not a common log line', 'not_an_access_log_line'],
    ['FTP of IIS', '10:15:30 192.0.2.7 [1]USER anonymous 331', 'not_an_access_log_line'],
    ['a stack trace', '\tat com.example.App.main(App.java:17)', 'not_an_access_log_line'],
    ['HTML', '<html><head><title>403 Forbidden</title></head>', 'not_an_access_log_line'],
    ['a CSV header', 'date,time,path,user_agent', 'not_an_access_log_line'],
    ['the word that Logpush sends first', 'test', 'not_an_access_log_line'],
    ['an answer of an API', '{"data":null,"errors":[{"message":"quota"}]}', 'unknown_json'],
  ])('%s', async (_name, line, code) => {
    expect((await readOne(line)).malformed).toBe(code)
  })

  test('reading continues after each of them', async () => {
    const read = await readAll(
      ['not a line', plain('GET / HTTP/1.1'), '{"a":1}', '{"a":', plain('GET / HTTP/1.1')].join('\n'),
    )
    expect(read.map((one) => one.kind)).toEqual(['malformed', 'record', 'malformed', 'malformed', 'record'])
  })
})
