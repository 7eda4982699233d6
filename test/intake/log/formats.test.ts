import { describe, expect, test } from 'vitest'
import { readRequest } from '#intake/log/request.ts'
import { readAll, readOne } from './read-lines.ts'

const AGENT = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)'
const PLUS = AGENT.replaceAll(' ', '+')
const AT = '2026-03-03T09:15:30.000Z'

/** What the reader makes of every record of a file, in few words. */
const summary = async (lines: readonly string[], timezone = 'UTC') =>
  (await readAll(`${lines.join('\r\n')}\r\n`, 65_536, timezone)).map((one) =>
    one.kind === 'record'
      ? [one.host, one.status, one.request.split(' ')[1], one.user_agent]
      : (one.malformed ?? one.kind),
  )

describe('W3C extended logs', () => {
  const fields = '#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query c-ip cs(User-Agent) cs-host sc-status'
  const row = `2026-03-03 09:15:30 10.0.0.1 GET /a b=1 192.0.2.7 ${PLUS} www.example.com 200`

  test('columns are read by the names in the header, and times are UTC in every zone of the import', async () => {
    const read = await readAll(`#Software: x\n#Version: 1.0\n${fields}\n${row}\n`, 65_536, '+05:00')
    expect(read).toHaveLength(1)
    expect(read[0]).toMatchObject({ line_number: 4, host: 'www.example.com', at: AT, user_agent: AGENT, status: 200 })
    expect(read[0]).toMatchObject({ request: 'GET /a HTTP/1.1', client: '192.0.2.7', line: row })
  })

  test('the header may change in the middle of the file', async () => {
    const changed = `#Fields: date time cs-uri-stem sc-status cs(User-Agent)`
    const lines = [fields, row, changed, `2026-03-03 09:15:31 /b 404 ${PLUS}`, fields, row]
    const a = ['www.example.com', 200, '/a', AGENT]
    expect(await summary(lines)).toEqual([a, [null, 404, '/b', AGENT], a])
  })

  test('quoted values hold blanks, doubled quotes are one, indented headers and blank lines are not records', async () => {
    const lines = [
      '#Software: IIS Advanced Logging Module',
      '   ',
      '   #Fields:   date-local time-local   cs-uri-stem cs(User-Agent) cs(Cookie) sc-status',
      `2026-03-03 10:15:30.250 /a "${AGENT}" "a=1; b=""2""" 200`,
    ]
    expect(await summary(lines)).toEqual([[null, 200, '/a', AGENT]])
    const [read] = await readAll(`${lines.join('\n')}\n`, 65_536, '+01:00')
    expect(read?.at).toBe('2026-03-03T09:15:30.250Z')
  })

  test('date and time may be separate, host and path may be together', async () => {
    const split = [
      '#Fields: c-ip date cs-uri-stem c-status cs(User-Agent) time',
      '192.0.2.7 2026-03-03 /a 200 A%2F1.0%20x 09:15:30',
    ]
    expect(await summary(split)).toEqual([[null, 200, '/a', 'A/1.0 x']])
    const joined = [
      '#Fields: date time cs-uri cs-method sc-status cs(User-Agent)',
      `"2026-03-03" "09:15:30" "www.example.com/a" "GET" "200" "${AGENT}"`,
    ]
    expect(await summary(joined)).toEqual([['www.example.com', 200, '/a', AGENT]])
  })

  test('a row that does not fit the header is never read by shifting its columns', async () => {
    const lines = [fields, row.replace(' 192.0.2.7', ''), `${row} 17`, row]
    expect(await summary(lines)).toEqual(['columns_unlike_header', 'columns_unlike_header', expect.any(Array)])
  })

  test('without a column for the agent in the header every row reports that it is missing', async () => {
    expect(await summary(['#Fields: date time cs-uri-stem sc-status', '2026-03-03 09:15:30 /a 200'])).toEqual([
      'no_user_agent',
    ])
  })

  test('a combined line among them is read as such', async () => {
    const combined = `192.0.2.7 - - [03/Mar/2026:09:15:30 +0000] "GET /2026-03-03 HTTP/1.1" 200 5 "-" "${AGENT}"`
    const read = await summary([fields, row, combined, row])
    expect(read.map((one) => one[2])).toEqual(['/a', '/2026-03-03', '/a'])
  })

  test('a plus is a blank, except before a URL', async () => {
    const agentOf = async (agent: string) => (await summary([fields, row.replace(PLUS, agent)]))[0]?.[3]
    expect(await agentOf('Bot/1.0+(+https://example.com/bot)')).toBe('Bot/1.0 (+https://example.com/bot)')
    expect(await agentOf('Bot/1.0;++https://example.com/bot')).toBe('Bot/1.0; +https://example.com/bot')
    expect(await agentOf('-')).toBe('')
  })
})

describe('IIS without its header', () => {
  const front = '2026-03-03 09:15:30 10.0.0.1 GET /a b=1 443 - 192.0.2.7'
  test.each([
    ['agent and referer', `${front} ${PLUS} - 200 0 0 17`, [null, 200, '/a', AGENT]],
    [
      'version, agent, cookie, referer and host',
      `${front} HTTP/1.1 ${PLUS} a=1 - www.example.com 404 0 2 5 6 7`,
      ['www.example.com', 404, '/a', AGENT],
    ],
    [
      'site, computer and user',
      `2026-03-03 09:15:30 W3SVC1 WEB1 fe80::1%3 GET /a - 443 EXAMPLE\\me fe80::1%3 ${PLUS} - 200 0 0 17`,
      [null, 200, '/a', AGENT],
    ],
    ['a bare token', `${front} ClaudeBot - 200 0 0 17`, [null, 200, '/a', 'ClaudeBot']],
    ['no agent but a referer', `${front} https://www.example.com/ - 200 0 0 17`, 'no_user_agent'],
    ['nothing between', `${front} 200 0 0 17`, 'no_user_agent'],
    ['a single dash, which may be anything', `${front} - 200 0 0 17`, 'no_user_agent'],
    ['no status', `${front} ${PLUS} -`, 'not_an_access_log_line'],
    ['FTP', '2026-03-03 09:15:30 192.0.2.7 - 10.0.0.1 21 USER anonymous 331 0 0', 'not_an_access_log_line'],
  ])('%s', async (_name, line, expected) => {
    expect(await summary([line])).toEqual([expected])
  })

  test('under a header of other columns it is read by its own order', async () => {
    const lines = ['#Fields: date time cs-uri-stem sc-status cs(User-Agent)', `${front} ${PLUS} - 200 0 0 17`]
    expect(await summary(lines)).toEqual([[null, 200, '/a', AGENT]])
  })

  test('IIS’s native format and its events', async () => {
    expect(
      await summary(['192.0.2.4, -, 03/03/26, 12:34:56, W3SVC1, WEB1, 10.0.0.5, 12, 163, 3223, 200, 0, GET, /a, -,']),
    ).toEqual(['no_user_agent'])
    const data = {
      date: '2026-03-03',
      time: '09:15:30',
      'cs-method': 'GET',
      'cs-uri-stem': '/a&amp;b',
      'sc-status': '404',
      'csUser-Agent': PLUS,
      'cs-host': 'www.example.com',
    }
    const event = Object.entries(data).map(([name, value]) => `<Data Name="${name}">${value}</Data>`)
    expect(await summary([`<Event xmlns="x"> <EventData> ${event.join(' ')} </EventData> </Event>`])).toEqual([
      ['www.example.com', 404, '/a&b', AGENT],
    ])
  })
})

describe('CloudFront', () => {
  const columns = [
    '2026-03-03',
    '09:15:30',
    'FRA2-C1',
    '182',
    '192.0.2.7',
    'GET',
    'd1.cloudfront.net',
    '/a%2520b',
    '200',
    '-',
  ]
  const rest = [
    'x=1',
    '-',
    'Hit',
    'id==',
    'www.example.com',
    'https',
    '217',
    '0.001',
    '-',
    'TLSv1.2',
    'C',
    'Hit',
    'HTTP/1.1',
    '-',
    '-',
  ]
  const row = (agent: string, tail = rest) => [...columns, agent, ...tail].join('\t')
  const once = AGENT.replaceAll(' ', '%20')
  const header =
    '#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version fle-status fle-encrypted-fields'
  const expected = ['www.example.com', 200, '/a%20b', AGENT]

  test.each([
    ['26 columns under a header', [header, row(once)]],
    ['26 columns without one', [row(once)]],
    ['33 columns', [row(once, [...rest, '11040', '0.001', 'Hit', 'text/html', '78', '-', '-'])]],
    ['an agent encoded twice', [row(once.replaceAll('%', '%25'))]],
    ['a short row', [header, row(once, rest.slice(0, 8))]],
  ])('%s', async (_name, lines) => {
    expect(await summary(lines)).toEqual([expected])
  })

  test('status 000 is not a response, and without x-host-header the host is the distribution’s name', async () => {
    expect(await summary([row('-').replace('\t200\t', '\t000\t')])).toEqual([['www.example.com', null, '/a%20b', '']])
    expect(await summary([row('-', ['-', '-', 'Hit', 'id==', '-'])])).toEqual([
      ['d1.cloudfront.net', 200, '/a%20b', ''],
    ])
  })
})

describe('AWS load balancers', () => {
  const alb = (request: string, agent = AGENT, status = '200') =>
    `https 2026-03-03T09:15:30.000000Z app/lb/1 192.0.2.7:2817 10.0.0.1:80 0.001 0.102 -1 ${status} 200 225 24950 "${request}" "${agent}" C TLSv1.2 arn:x "Root=1-a" "www.example.com" "arn:y" 0 2026-03-03T09:15:29Z "forward" "-" "-" "10.1.1.1:80" "200" "-" "-" TID_1`

  test('lines of application and classic load balancers are read, whatever their protocol', async () => {
    const read = await readOne(alb('GET https://www.example.com:443/a?b=1 HTTP/2.0'))
    expect(read).toMatchObject({ kind: 'record', at: AT, status: 200, user_agent: AGENT, client: '192.0.2.7' })
    expect(read.request).toBe('GET https://www.example.com:443/a?b=1 HTTP/2.0')
    const over_ipv6 = alb('GET / HTTP/1.1').replace('192.0.2.7:2817', '2001:db8::7:2817')
    expect((await readOne(over_ipv6)).client).toBe('2001:db8::7')
    const classic = alb('GET http://www.example.com:80/a HTTP/1.1').replace(/^https /, '')
    expect(await readOne(classic)).toMatchObject({ kind: 'record', status: 200, user_agent: AGENT })
    for (const type of ['http', 'h2', 'grpcs', 'ws', 'wss'])
      expect((await readOne(alb('GET /a HTTP/1.1').replace(/^https/, type))).kind).toBe('record')
  })

  test('an unreadable request, a closed connection, a TCP line and one without agent', async () => {
    expect(await readOne(alb('- http://www.example.com:80- -', '-', '-').replace('10.0.0.1:80', '-'))).toMatchObject({
      kind: 'record',
      status: null,
      user_agent: '',
    })
    expect(await readOne(alb('GET http://e.example/ HTTP/1.1', AGENT, '460'))).toMatchObject({
      status: null,
      status_raw: 460,
    })
    expect(
      (
        await readOne(
          '2026-03-03T09:15:30.000000Z lb 192.0.2.7:2817 10.0.0.1:80 0.001 0.000028 0.000041 - - 82 305 "- - - " "-" - -',
        )
      ).kind,
    ).toBe('record')
    expect(
      (
        await readOne(
          '2026-03-03T09:15:30.000000Z lb 192.0.2.7:2817 10.0.0.1:80 0.001 0.000028 0.000041 200 200 82 305 "GET http://e.example/ HTTP/1.1"',
        )
      ).malformed,
    ).toBe('no_user_agent')
  })
})

describe('HAProxy', () => {
  const line = (captures: string, request = 'GET /a HTTP/1.1', client = '192.0.2.7:2817') =>
    `${client} [03/Mar/2026:10:15:30.000] web~ app/srv1 10/0/0/3/+13 200 +739 - - ---- 1/1/0/0/0 0/0 ${captures}"${request}"`
  test.each([
    ['host and agent', `{www.example.com|${AGENT}} `, 'www.example.com', AGENT],
    ['agent and host', `{${AGENT}|www.example.com} `, 'www.example.com', AGENT],
    ['agent alone', `{${AGENT}} `, null, AGENT],
    ['with captured response headers', `{www.example.com|${AGENT}} {nginx/1.25|x} `, 'www.example.com', AGENT],
    ['with a referer and an address', `{https://www.example.com/|192.0.2.9|${AGENT}} `, null, AGENT],
    ['a bare token after the host', '{www.example.com|ClaudeBot} ', 'www.example.com', 'ClaudeBot'],
    ['no agent sent', '{www.example.com|} ', 'www.example.com', ''],
    ['an escaped bar in the agent', '{www.example.com|Bot/1.0 (a#7Cb)} ', 'www.example.com', 'Bot/1.0 (a|b)'],
    ['a bar in the agent', '{www.example.com|Bot/1.0 (a|b)} ', 'www.example.com', 'Bot/1.0 (a|b)'],
  ])('%s', async (_name, captures, host, user_agent) => {
    const read = await readOne(`Mar  3 10:17:00 lb haproxy[99]: ${line(captures)}`, '+01:00')
    expect(read).toMatchObject({ kind: 'record', host, user_agent, at: AT, status: 200, request: 'GET /a HTTP/1.1' })
  })

  test.each([
    ['nothing captured', ''],
    ['an address captured', '{192.0.2.9} '],
    ['a host captured', '{www.example.com} '],
    ['three headers without a sign of the agent', '{www.example.com|x|y} '],
  ])('%s: no user agent', async (_name, captures) => {
    expect((await readOne(line(captures))).malformed).toBe('no_user_agent')
  })

  test('clients of every kind, requests that are none, connections without one', async () => {
    for (const client of ['2001:db8::7', '::ffff:192.0.2.7', '192.0.2.7'])
      expect((await readOne(line(`{${AGENT}} `, 'GET /a HTTP/1.1', `${client}:50599`))).client).toBe(client)
    expect(await readOne(line(`{${AGENT}} `, '<BADREQ>').replace(' 200 ', ' -1 '))).toMatchObject({
      kind: 'record',
      status: null,
    })
    expect((await readOne('192.0.2.7:2817 [03/Mar/2026:10:15:30.000] web/1: SSL handshake failure')).kind).toBe(
      'server_internal',
    )
    expect((await readOne(line(`{${AGENT}} `).slice(0, -1))).kind).toBe('record')
  })
})

test('bytes of a request that HAProxy encodes are read, and a backslash is one', async () => {
  const request = 'GET /b#C3#BCcher/#22x\\x41#22 HTTP/1.1'
  const line = `192.0.2.7:2817 [03/Mar/2026:10:15:30.000] web app/srv1 1/0/0/3/5 200 739 - - ---- 1/1/0/0/0 0/0 {${AGENT}} "${request}"`
  expect(readRequest((await readOne(line)).request)).toMatchObject({ target: '/bücher/"x\\x41"' })
})

test('a line of Zoraxy is read, its time in the zone of the import', async () => {
  const line = `[2026-03-03 10:15:30.000000] [router:host-http] [origin:www.example.com] [client: 192.0.2.7] [useragent: ${AGENT}] GET /a b 404`
  expect(await readOne(line, '+01:00')).toMatchObject({
    kind: 'record',
    at: AT,
    host: 'www.example.com',
    status: 404,
    user_agent: AGENT,
    client: '192.0.2.7',
  })
})

test('Traefik’s text layout is combined with more after it', async () => {
  const line = `192.0.2.7 - - [03/Mar/2026:09:15:30 +0000] "GET /a HTTP/2.0" 200 5 "-" "${AGENT}" 7 "web@docker" "http://10.0.0.2:80" 3ms`
  expect(await readOne(line)).toMatchObject({ kind: 'record', user_agent: AGENT, status: 200 })
})

test('one file may mix every layout', async () => {
  const lines = [
    `192.0.2.7 - - [03/Mar/2026:09:15:30 +0000] "GET /1 HTTP/1.1" 200 5 "-" "${AGENT}"`,
    JSON.stringify({ time: AT, request: 'GET /2 HTTP/1.1', status: 200, user_agent: AGENT }),
    `2026-03-03\t09:15:30\tFRA2\t1\t192.0.2.7\tGET\td1.cloudfront.net\t/3\t200\t-\t${AGENT.replaceAll(' ', '%20')}`,
    `192.0.2.7:1 [03/Mar/2026:10:15:30.000] web app/srv1 1/0/0/3/13 200 739 - - ---- 1/1/0/0/0 0/0 {${AGENT}} "GET /4 HTTP/1.1"`,
    '#Fields: date time cs-uri-stem sc-status cs(User-Agent)',
    `2026-03-03 09:15:30 /5 200 ${PLUS}`,
    `192.0.2.7 - - [03/Mar/2026:09:15:30 +0000] "GET /6 HTTP/1.1" 200 5 "-" "${AGENT}"`,
  ]
  const read = await summary(lines)
  expect(read.map((one) => one[2])).toEqual(['/1', '/2', '/3', '/4', '/5', '/6'])
  expect(new Set(read.map((one) => one[3]))).toEqual(new Set([AGENT]))
})

test('no cut of any layout throws', async () => {
  const whole = [
    `192.0.2.7:1 [03/Mar/2026:10:15:30.000] web app/srv1 1/0/0/3/13 200 739 - - ---- 1/1/0/0/0 0/0 {a|${AGENT}} "GET /4 HTTP/1.1"`,
    `https 2026-03-03T09:15:30Z app/lb/1 192.0.2.7:2817 10.0.0.1:80 0.001 0.102 -1 200 200 225 24950 "GET /a HTTP/1.1" "${AGENT}" C`,
    `2026-03-03 09:15:30 10.0.0.1 GET /a b=1 443 - 192.0.2.7 ${PLUS} - 200 0 0 17`,
    `2026-03-03\t09:15:30\tFRA2\t1\t192.0.2.7\tGET\td1.cloudfront.net\t/3\t200\t-\t${PLUS}`,
  ]
  const cuts = whole.flatMap((line) =>
    Array.from({ length: line.length - 1 }, (_, at) => [line.slice(0, at + 1), line.slice(at + 1)]).flat(),
  )
  const read = await readAll(`#Fields: date time cs-uri-stem cs(User-Agent)\n${cuts.join('\n')}`)
  expect(read.length).toBeGreaterThan(cuts.length - 50)
})

test('no content of a long line makes a format slow', async () => {
  const long = '/'.repeat(300_000)
  const lines = [
    `192.0.2.7:1 [03/Mar/2026:10:15:30.000] web ${long} x`,
    `192.0.2.7:1 [03/Mar/2026:10:15:30.000] web app/s 1/0/0/3/13 200 739 - - ---- 1/1/0/0/0 0/0 {${'} {'.repeat(100_000)} "GET`,
    `[2026-03-03 10:15:30.000000] [router:a] [origin:b] [client: c] [useragent: ${'] A b '.repeat(50_000)}`,
    `2026-03-03 09:15:30 ${'"" '.repeat(100_000)}`,
    `2026-03-03 09:15:30 10.0.0.1 GET /a b=1 443 - 192.0.2.7 ${'200 0 '.repeat(50_000)}`,
    `{"request":"${'a '.repeat(100_000)}","status":200,"user_agent":"${'\\\\x'.repeat(50_000)}","time":"x"}`,
  ]
  expect(await readAll(`#Fields: date time cs-uri-stem cs(User-Agent)\n${lines.join('\n')}`)).toHaveLength(6)
})
