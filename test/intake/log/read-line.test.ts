import { describe, expect, test } from 'vitest'
import { readLines } from '#intake/log/lines.ts'
import { LogReader } from '#intake/log/read-line.ts'
import { clientOf, emptyRecord, type LogRecord, MALFORMED } from '#intake/log/record.ts'
import { scanCombined } from '#intake/log/scan-combined.ts'
import { chunked, readAll, readOne } from './read-lines.ts'

const AGENT = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)'
const TIME = '03/Mar/2026:10:15:30 +0100'
const CORE = `"GET /a/b?c=1 HTTP/1.1" 200 512 "-" "${AGENT}"`

/** Reads one line and keeps the whole record. */
async function recordOf(line: string): Promise<LogRecord> {
  const reader = new LogReader()
  for await (const batch of readLines(chunked(Buffer.from(`${line}\n`, 'latin1'), 100_000))) {
    reader.load(batch)
    const kind = reader.next()
    if (kind !== 'record') throw new Error(`${kind} ${reader.malformed}`)
  }
  return reader.record
}

describe('layouts of the combined family', () => {
  test.each([
    ['plain', `192.0.2.7 - - [${TIME}] ${CORE}`, null, '192.0.2.7'],
    ['IPv6 client and a user', `2001:db8::7 - a.user [${TIME}] ${CORE}`, null, '2001:db8::7'],
    ['a client by name', `crawl-7.example.net - - [${TIME}] ${CORE}`, null, 'crawl-7.example.net'],
    ['user name with a blank', `192.0.2.7 - Jane Doe [${TIME}] ${CORE}`, null, '192.0.2.7'],
    ['user name with brackets', `192.0.2.7 - [x] [${TIME}] ${CORE}`, null, '192.0.2.7'],
    ['empty quoted user', `192.0.2.7 - "" [${TIME}] ${CORE}`, null, '192.0.2.7'],
    ['no ident field', `192.0.2.7 - [${TIME}] ${CORE}`, null, '192.0.2.7'],
    ['host:port first', `Example.com:443 192.0.2.7 - - [${TIME}] ${CORE}`, 'example.com', '192.0.2.7'],
    ['host first', `www.example.com. 192.0.2.7 - me [${TIME}] ${CORE}`, 'www.example.com', '192.0.2.7'],
    [
      'host first, client by name',
      `www.example.com a.example.net - - [${TIME}] ${CORE}`,
      'www.example.com',
      'a.example.net',
    ],
    ['an address as host', `198.51.100.1:80 192.0.2.7 - - [${TIME}] ${CORE}`, null, '192.0.2.7'],
    ['localhost as host', `localhost:80 ::1 - - [${TIME}] ${CORE}`, null, '::1'],
    ['client host user', `192.0.2.7 www.example.com me [${TIME}] ${CORE}`, 'www.example.com', '192.0.2.7'],
    [
      'time taken after the time',
      `www.example.com 192.0.2.7 - - [${TIME}] (0 s) ${CORE}`,
      'www.example.com',
      '192.0.2.7',
    ],
    ['host after the time', `192.0.2.7 0.012 - [${TIME}] www.example.com ${CORE}`, 'www.example.com', '192.0.2.7'],
    ['time first', `[${TIME}] 192.0.2.7 1.732 - www.example.com ${CORE}`, 'www.example.com', '192.0.2.7'],
    ['numbers after the agent', `192.0.2.7 - - [${TIME}] ${CORE} 302 1104`, null, '192.0.2.7'],
    [
      'ingress-nginx',
      `192.0.2.7 - - [${TIME}] ${CORE} 462 0.050 [up-80] [] 10.0.0.8:80 19 0.04 200 7f3a`,
      null,
      '192.0.2.7',
    ],
    ['syslog RFC 3164', `<134>Mar  3 10:15:31 web1 nginx[99]: 192.0.2.7 - - [${TIME}] ${CORE}`, null, '192.0.2.7'],
    [
      'syslog RFC 5424',
      `<134>1 2026-03-03T10:15:31Z web1 nginx 99 - - 192.0.2.7 - - [${TIME}] ${CORE}`,
      null,
      '192.0.2.7',
    ],
    [
      'syslog with ISO time',
      `2026-03-03T10:15:31+01:00 web1 nginx: 192.0.2.7 - - [${TIME}] ${CORE}`,
      null,
      '192.0.2.7',
    ],
    [
      'CRI',
      `2026-03-03T10:15:31.5+01:00 stdout F example.com:80 192.0.2.7 - - [${TIME}] ${CORE}`,
      'example.com',
      '192.0.2.7',
    ],
    ['docker JSON', JSON.stringify({ log: `192.0.2.7 - - [${TIME}] ${CORE}\n`, stream: 'stdout' }), null, '192.0.2.7'],
    ['journald JSON', JSON.stringify({ message: `web.0 nginx: 192.0.2.7 - - [${TIME}] ${CORE}` }), null, '192.0.2.7'],
    ['docker compose', `web-1  | 192.0.2.7 - - [${TIME}] ${CORE}`, null, '192.0.2.7'],
  ])('%s', async (_name, line, host, client) => {
    const record = await recordOf(line)
    expect(record).toMatchObject({ host, status: 200, user_agent: AGENT, at: Date.parse('2026-03-03T09:15:30Z') })
    expect(clientOf(record)).toBe(client)
    expect((await readOne(line)).request).toBe('GET /a/b?c=1 HTTP/1.1')
  })

  test.each([
    ['host after bytes', `"GET /x HTTP/1.1" 404 1271 www.example.com "-" "${AGENT}" "-"`, 'www.example.com', 404],
    ['cache words between', `"GET /x HTTP/1.1" 200 1727 TCP_MISS 200 109 109 "-" "${AGENT}" "NONE"`, null, 200],
    ['quoted status', `"GET /x HTTP/1.1" "301" 162 "-" "${AGENT}"`, null, 301],
    ['request without quotes, status with', `GET /x HTTP/1.1 "301" 162 "-" "${AGENT}"`, null, 301],
    ['no bytes', `"GET /x HTTP/1.1" 304 - "-" "${AGENT}"`, null, 304],
    ['bare referer', `"GET /x HTTP/1.1" 200 7 - "${AGENT}"`, null, 200],
    ['quote in the referer', `"GET /x HTTP/1.1" 200 7 "a\\"b" "${AGENT}"`, null, 200],
  ])('%s', async (_name, rest, host, status) => {
    const read = await readOne(`192.0.2.7 - - [${TIME}] ${rest}`)
    expect(read).toMatchObject({ malformed: null, host, status, user_agent: AGENT, request: 'GET /x HTTP/1.1' })
  })

  test('nginx proxy manager, proxied and not', async () => {
    const end = `[Client 192.0.2.7] [Length 192] [Gzip 3.10] [Sent-to web] "${AGENT}" "-"`
    const proxied = await recordOf(`[${TIME}] HIT 200 404 - GET https www.example.com "/x" ${end}`)
    expect(proxied).toMatchObject({ host: 'www.example.com', status: 404, user_agent: AGENT })
    expect(clientOf(proxied)).toBe('192.0.2.7')
    const own = await readOne(`[${TIME}] 444 - GET https 198.51.100.1 "/x y" ${end}`)
    expect(own).toMatchObject({ host: null, status: null, status_raw: 444, request: 'GET /x y HTTP/1.1' })
  })

  test('a time-first layout whose agent has no quotes', async () => {
    const read = await readOne(
      `[${TIME}] www.example.com 192.0.2.7 0.037 "GET / HTTP/1.1" 200 26 27 - Some Agent/1.0 (x)`,
    )
    expect(read).toMatchObject({ host: 'www.example.com', status: 200, user_agent: 'Some Agent/1.0 (x)' })
  })

  test('envoy text, also behind a container prefix', async () => {
    const read = await readOne(
      `2026-03-03T10:15:31Z stdout F [2026-03-03T09:15:30.250Z] "GET /x HTTP/2" 200 - 0 25 5 2 "192.0.2.7" "${AGENT}" "id" "www.example.com" "10.0.0.1:80"`,
    )
    expect(read).toMatchObject({
      host: 'www.example.com',
      status: 200,
      user_agent: AGENT,
      at: '2026-03-03T09:15:30.250Z',
    })
  })

  test('one file may mix layouts', async () => {
    const lines = [
      `192.0.2.7 - - [${TIME}] ${CORE}`,
      `b.example.com:80 192.0.2.7 - - [${TIME}] ${CORE}`,
      'x',
      `192.0.2.7 - - [${TIME}] ${CORE} 7`,
    ]
    const read = await readAll(`${lines.join('\r\n')}\r\n`)
    expect(read.map((one) => [one.malformed, one.host])).toEqual([
      [null, null],
      [null, 'b.example.com'],
      ['not_an_access_log_line', 'b.example.com'],
      [null, null],
    ])
  })

  test('the fast path and the careful path agree', async () => {
    const fast = emptyRecord()
    for (const front of ['192.0.2.7 - - ', 'www.example.com:443 192.0.2.7 - me ']) {
      const line = `${front}[${TIME}] ${CORE} "203.0.113.9"`
      expect(scanCombined(line, 0, line.length, fast)).toBe(true)
      // An ISO time keeps the same line away from the fast path.
      const careful = await recordOf(line.replace(TIME, '2026-03-03T10:15:30+01:00'))
      for (const key of ['at', 'host', 'status', 'status_raw', 'user_agent'] as const)
        expect(careful[key]).toBe(fast[key])
      expect(clientOf(careful)).toBe(clientOf(fast))
    }
  })
})

describe('statuses', () => {
  test.each([
    ['200', 200, 200],
    ['103', 103, 103],
    ['999', 999, 999],
    ['000', null, 0],
    ['099', null, 99],
    ['444', null, 444],
    ['499', null, 499],
    ['460', null, 460],
    ['0', null, 0],
    ['-', null, null],
  ])('%s', async (logged, status, status_raw) => {
    const read = await readOne(`192.0.2.7 - - [${TIME}] "GET / HTTP/1.1" ${logged} 5 "-" "${AGENT}"`)
    expect(read).toMatchObject({ malformed: null, status, status_raw })
  })
})

describe('user agents', () => {
  const agentOf = async (field: string) =>
    (await readOne(`192.0.2.7 - - [${TIME}] "GET / HTTP/1.1" 200 5 "-" ${field}`)).user_agent

  test('are unescaped in the same way from Apache and nginx', async () => {
    expect(await agentOf(String.raw`"a \"b\" c\\d"`)).toBe('a "b" c\\d')
    expect(await agentOf(String.raw`"a \x22b\x22 c\x5Cd"`)).toBe('a "b" c\\d')
    expect(await agentOf(String.raw`"\"Mozilla/5.0 Safari\""`)).toBe('"Mozilla/5.0 Safari"')
    expect(await agentOf(String.raw`"ends in a backslash\\"`)).toBe('ends in a backslash\\')
    expect(await agentOf(String.raw`"caf\xC3\xA9"`)).toBe('café')
  })

  test('an empty one is empty however it is written', async () => {
    for (const field of ['"-"', '""', '-']) expect(await agentOf(field)).toBe('')
    expect(await readOne(`192.0.2.7 - - [${TIME}] "GET / HTTP/1.1" 200 5 - -`)).toMatchObject({
      malformed: null,
      user_agent: '',
    })
  })

  test('UTF-8 is decoded and other bytes become U+FFFD', async () => {
    expect(await agentOf('"bücher"')).toBe('bücher')
    const line = Buffer.concat([
      Buffer.from(`192.0.2.7 - - [${TIME}] "GET / HTTP/1.1" 200 5 "-" "a`),
      Buffer.from([0xe9, 0x22, 0x0a]),
    ])
    expect((await readAll(line))[0]?.user_agent).toBe('a\ufffd')
  })

  test('unescaped quotes and backslashes of careless servers do not lose the line', async () => {
    expect(await agentOf('"Some "nice"x agent"')).toBe('Some "nice"x agent')
    expect(await agentOf('"ends in one backslash\\"')).toBe('ends in one backslash\\')
  })

  test('two agents that differ only in their version stay two', async () => {
    const agents = Array.from({ length: 500 }, (_, at) => `Mozilla/5.0 (X11) Chrome/${at}.0.${at * 3}.1 Safari/537.36`)
    const file = agents.map((agent) => `192.0.2.7 - - [${TIME}] "GET / HTTP/1.1" 200 5 "-" "${agent}"`).join('\n')
    expect((await readAll(file)).map((one) => one.user_agent)).toEqual(agents)
    expect((await readAll(file)).map((one) => one.user_agent)).toEqual(agents)
  })
})

describe('malformed lines', () => {
  test.each([
    ['no_user_agent', `192.0.2.7 - - [${TIME}] "GET / HTTP/1.1" 200 5`],
    ['no_user_agent', `192.0.2.7 - - [${TIME}] "GET / HTTP/1.1" 304 -`],
    ['no_user_agent', `192.0.2.7 - - [${TIME}] "GET / HTTP/1.1" 200 5 "https://www.example.com/"`],
    ['no_status', `192.0.2.7 - - [${TIME}] "GET / HTTP/1.1"`],
    ['no_timestamp', `192.0.2.7 - - ${CORE}`],
    ['bad_timestamp', `192.0.2.7 - - [1234] ${CORE}`],
    ['bad_timestamp', `192.0.2.7 - - [-] ${CORE}`],
    ['bad_timestamp', `192.0.2.7 - - [31/Feb/2026:10:00:00 +0000] ${CORE}`],
    ['bad_timestamp', `192.0.2.7 - - [03/Mar/2026:25:00:00 +0000] ${CORE}`],
    ['bad_timestamp', `192.0.2.7 - - [03/Mrz/2026:10:00:00 +0000] ${CORE}`],
    ['line_cut_off', `192.0.2.7 - - [${TIME}] "GET /a/b`],
    ['line_cut_off', `192.0.2.7 - - [${TIME}] "GET / HTTP/1.1" 200 5 "https://www.exa`],
    [
      'error_log_line',
      '2026/03/03 10:15:30 [error] 7#7: *4 open() failed, request: "GET /x HTTP/1.1", host: "example.com"',
    ],
    ['error_log_line', '[Tue Mar 03 10:15:30.5 2026] [core:error] [pid 7] [client 192.0.2.7:80] AH00126: Invalid URI'],
    ['error_log_line', '<171>1 2026-03-03T10:15:30Z fw nginx - - - 2026/03/03 10:15:30 [error] 7#7: *9 open() failed'],
    ['error_log_line', '[03-Mar-2026 10:15:30 UTC] PHP Warning:  Undefined variable'],
    ['unknown_json', '{"level":"info","msg":"handled request"}'],
    ['not_an_access_log_line', '    at Object.<anonymous> (/srv/app/index.js:10:15)'],
    ['not_an_access_log_line', '<!doctype html>'],
    ['not_an_access_log_line', 'date,time,path,agent'],
    ['not_an_access_log_line', '\0\0\0\0x'],
  ])('%s: %s', async (code, line) => {
    expect((await readOne(line)).malformed).toBe(code)
    expect(MALFORMED[code as keyof typeof MALFORMED].length).toBeGreaterThan(10)
  })

  test('no line, however broken, throws', async () => {
    const whole = `www.example.com:80 192.0.2.7 - - [${TIME}] "GET /\\"a\\x41 HTTP/1.1" 200 5 "-" "${AGENT}" "192.0.2.9"`
    const cuts = Array.from({ length: whole.length }, (_, at) => [whole.slice(0, at), whole.slice(at)]).flat()
    const read = await readAll(cuts.filter((line) => line.trim() !== '').join('\n'))
    expect(read.length).toBeGreaterThan(whole.length)
  })
})
