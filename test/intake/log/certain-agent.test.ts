/**
 * A line is read only where the places of its fields are certain: a wrong agent would make a crawler's request a human
 * one (rules 4).
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LogReader } from '#intake/log/read-line.ts'
import { clientOf, requestOf } from '#intake/log/record.ts'
import { PlainLineScanner } from '#intake/log/scan-plain-line.ts'

const GPTBOT = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)'
const TIME = '03/Mar/2026:10:15:30 +0100'
const FRONT = `192.0.2.7 - - [${TIME}]`
const HOST = 'www.example.com'
const REQUEST = 'GET /f HTTP/1.1'

interface Read {
  kind: string
  agent: string
  request: string
  host: string | null
  status: number | null
  client: string
}

const reader = new LogReader('UTC')
const by_bytes = new PlainLineScanner<true>(() => true, true)

/** What the reader of text makes of one line. */
function readLine(line: string): Read {
  reader.load({ bytes: Buffer.from(`${line}\n`, 'latin1'), too_long: false, terminated: true })
  const kind = reader.next()
  const { record } = reader
  const said = kind === 'malformed' ? reader.malformed : String(kind)
  const { host, status, user_agent } = record
  return { kind: said, agent: user_agent, request: requestOf(record), host, status, client: clientOf(record) }
}

/** Whether the line is read by its bytes. */
function isPlain(line: string): boolean {
  by_bytes.load(Buffer.from(`${line}\n`, 'latin1'))
  return by_bytes.scan(0) > 0
}

describe('a line whose user agent has an uncertain position is not read', () => {
  test.each([
    ['agent before referer', `"${REQUEST}" 200 512 "${GPTBOT}" "-"`],
    ['agent before referer, a URL', `"${REQUEST}" 200 512 "${GPTBOT}" "https://www.example.com/"`],
    ['a bare token before the referer', `"${REQUEST}" 200 512 "ClaudeBot" "-"`],
    ['an empty agent before the referer', `"${REQUEST}" 200 512 "-" "https://www.example.com/"`],
    ['host between size and referer', `"${REQUEST}" 200 512 "${HOST}" "-" "${GPTBOT}"`],
    ['forwarded address between size and referer', `"${REQUEST}" 200 512 "203.0.113.9" "-" "${GPTBOT}"`],
    ['no forwarded address between size and referer', `"${REQUEST}" 200 512 "-" "https://a.example/" "${GPTBOT}"`],
    ['nothing but dashes before a bare token', `"${REQUEST}" 200 512 "-" "-" "ClaudeBot"`],
    ['host before the request', `"${HOST}" "${REQUEST}" 200 512 "-" "${GPTBOT}"`],
    ['forwarded address before the request', `"203.0.113.9" "${REQUEST}" 200 512 "-" "${GPTBOT}"`],
    ['host after the request', `"${REQUEST}" "${HOST}" 404 512 "-" "${GPTBOT}"`],
    ['host after a request without protocol', `"GET /f" "${HOST}" 404 512 "-" "${GPTBOT}"`],
    ['forwarded address after the request', `"${REQUEST}" "203.0.113.9" 404 512 "-" "${GPTBOT}"`],
    ['an empty host after the request', `"${REQUEST}" "" 404 512 "-" "${GPTBOT}"`],
    ['no forwarded address after the request', `"${REQUEST}" "-" 404 512 "-" "${GPTBOT}"`],
    ['agent before the request', `"${GPTBOT}" "${REQUEST}" 200 512 "-"`],
    ['agent in the place of the request', `"${GPTBOT}" 200 512 "-" "${REQUEST}"`],
    ['request last', `"${HOST}" 200 512 "-" "${GPTBOT}" "${REQUEST}"`],
    ['status before the request', `example "200" "${REQUEST}" 512 "-" "${GPTBOT}"`],
    ['host between referer and agent', `"${REQUEST}" 200 512 "-" "${HOST}" "${GPTBOT}"`],
    ['a time between referer and agent', `"${REQUEST}" 200 512 "-" "0.012" "${GPTBOT}"`],
    ['a bare time between referer and agent', `"${REQUEST}" 200 512 "-" 0.012 "${GPTBOT}"`],
    ['protocol between referer and agent', `"${REQUEST}" 200 512 "-" "TLSv1.3" "${GPTBOT}"`],
    ['cookie between referer and agent', `"${REQUEST}" 200 512 "-" "sid=1" "ClaudeBot"`],
    ['a server’s product before the agent', `"${REQUEST}" 200 512 "-" "nginx/1.25" "${GPTBOT}"`],
    ['no agent, but a language', `"${REQUEST}" 200 512 "-" "en-US,en;q=0.9"`],
    ['two host names', `"${REQUEST}" 200 512 upstream.example.net www.example.com "-" "${GPTBOT}"`],
  ])('%s', (_name, rest) => {
    expect(readLine(`${FRONT} ${rest}`).kind).toBe('unknown_layout')
    expect(isPlain(`${FRONT} ${rest}`)).toBe(false)
  })

  test.each([
    ['plain', `"${REQUEST}" 200 512 "-" "${GPTBOT}"`, GPTBOT],
    ['forwarded address last', `"${REQUEST}" 200 512 "-" "ClaudeBot" "203.0.113.9"`, 'ClaudeBot'],
    ['an empty agent and a forwarded address', `"${REQUEST}" 200 512 "-" "-" "203.0.113.9, 198.51.100.1"`, ''],
    ['an empty agent and the protocol', `"${REQUEST}" 200 512 "-" "-" "TLSv1.3" "h2" "HIT" "0.012"`, ''],
    ['host last', `"${REQUEST}" 200 512 "-" "curl/8.5.0" "${HOST}"`, 'curl/8.5.0'],
    ['a referer without a scheme', `"${REQUEST}" 200 512 "example.org" "${GPTBOT}"`, GPTBOT],
    ['Traefik', `"${REQUEST}" 200 512 "-" "-" 208 "dashboard@docker" "-" 0ms`, ''],
    ['an agent that names no product', `"${REQUEST}" 200 512 "-" "Some Reader"`, 'Some Reader'],
    ['any fields after a browser’s agent', `"${REQUEST}" 200 512 "-" "${GPTBOT}" "x/1" "y z" "curl/8"`, GPTBOT],
  ])('while one in its place is: %s', (_name, rest, agent) => {
    expect(readLine(`${FRONT} ${rest}`)).toMatchObject({ kind: 'record', agent, request: REQUEST, status: 200 })
  })

  test('a scanner’s greeting in place of the request is read as the request', () => {
    const read = readLine(`${FRONT} "SSH-2.0-WanScannerBot" 400 497 "-" "-"`)
    expect(read).toMatchObject({ kind: 'record', request: 'SSH-2.0-WanScannerBot', agent: '', status: 400 })
  })

  test('quoted fields before the time are read like bare ones', () => {
    const rest = `- - [${TIME}] "${REQUEST}" 200 512 "-" "${GPTBOT}"`
    expect(readLine(`"${HOST}" "192.0.2.7" ${rest}`)).toMatchObject({ kind: 'record', host: HOST, client: '192.0.2.7' })
  })

  const AGENTS = [GPTBOT, 'ClaudeBot', 'GPTBot/1.2 (+https://openai.com)', 'curl/8.5.0', 'Some Reader', '-', '']
  const FURTHER = {
    host: [HOST, 'example.com:8443'],
    forwarded: ['203.0.113.9', '203.0.113.9, 198.51.100.1', '2001:db8::7', '-'],
    cookie: ['sid=1; a=b', '-'],
    protocol: ['TLSv1.3', 'HTTP/2.0', 'h2'],
    cache: ['HIT', 'MISS', '-'],
    time: ['0.012', '-'],
    id: ['84961386-6d84-929d-98bd-c5aee93b5c88', '7f3a9c0d1e2b4a5f7f3a9c0d1e2b4a5f'],
    language: ['en-US,en;q=0.9', 'de'],
  }
  const pick = (values: readonly string[]) => fc.constantFrom(...values)
  const fields = fc.record({
    agent: pick(AGENTS),
    referer: pick(['-', '', 'https://www.example.org/a?b=c', 'http://example.org']),
    request: pick([REQUEST, 'POST /f/g?x=1 HTTP/2.0', 'GET /f', 'GET https://www.example.com/f HTTP/1.1']),
    further: fc.subarray(Object.keys(FURTHER) as (keyof typeof FURTHER)[], { maxLength: 4 }),
    seed: fc.integer({ min: 0, max: 999 }),
    status: pick(['200', '404', '301', '-']),
    size: pick(['512', '0', '1271', '-', '200']),
  })
  const lines = fields.chain(({ agent, referer, request, further, seed, status, size }) => {
    const values = further.map((name, at) => FURTHER[name][(seed + at) % FURTHER[name].length] as string)
    const quoted = [request, referer, agent, ...values].map((value, place) => ({ value, place }))
    const host = further.includes('host') ? (values[further.indexOf('host')] as string).split(':')[0] : null
    return fc
      .tuple(
        fc.shuffledSubarray(quoted, { minLength: quoted.length, maxLength: quoted.length }),
        fc.integer({ min: 0, max: quoted.length }),
        fc.integer({ min: 0, max: 2 }),
        fc.constantFrom(FRONT, `[${TIME}] 192.0.2.7`, '192.0.2.7 - - [2026-03-03T10:15:30+01:00]'),
      )
      .map(([order, status_at, apart, front]) => {
        const texts = order.map(({ value }) => `"${value}"`)
        texts.splice(status_at, 0, status)
        texts.splice(Math.min(status_at + 1 + apart, texts.length), 0, size)
        return { line: `${front} ${texts.join(' ')}`, agent, request, host, status }
      })
  })

  test('whatever the order of the quoted fields, no line gets an agent, path, host or status from a wrong place', () => {
    let read_count = 0
    fc.assert(
      fc.property(lines, ({ line, agent, request, host, status }) => {
        const read = readLine(line)
        if (read.kind !== 'record') {
          expect(read.kind, line).toMatch(/^(?:unknown_layout|no_user_agent|no_status|not_an_access_log_line)$/)
          return
        }
        read_count += 1
        expect([read.agent, read.request], line).toEqual([agent === '-' ? '' : agent, request])
        expect([null, host], line).toContain(read.host)
        expect(read.status, line).toBe(status === '-' ? null : Number(status))
      }),
      { numRuns: 5_000 },
    )
    // The usual order is among them.
    expect(read_count).toBeGreaterThan(20)
  })

  test('a line that is read by its bytes has the same result from the reader of text', () => {
    fc.assert(
      fc.property(lines, ({ line }) => {
        if (!isPlain(line)) return
        const { user_agent, host } = by_bytes
        expect(readLine(line), line).toMatchObject({ kind: 'record', agent: user_agent, host })
      }),
      { numRuns: 5_000 },
    )
  })
})
