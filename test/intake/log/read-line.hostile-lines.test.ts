import { describe, expect, test } from 'vitest'
import { LogReader } from '#intake/log/read-line.ts'
import { clientOf, requestOf } from '#intake/log/record.ts'
import { isServerInternal, readRequest } from '#intake/log/request.ts'
import { LAYOUTS, PIECES, positionsOf } from './hostile-lines.ts'

const MIB = 1_048_576
/** Long enough that work that grows with its square costs hundreds of passes at the least. */
const SIZE = 8_192

/** Reads a text as an import does and says what its lines are. */
function read(text: string, terminated = true) {
  const reader = new LogReader()
  const { record } = reader
  reader.load({ bytes: Buffer.from(text, 'latin1'), too_long: false, terminated })
  const kinds: string[] = []
  for (let kind = reader.next(); kind !== null; kind = reader.next()) {
    kinds.push(kind === 'malformed' ? reader.malformed : kind)
    if (kind !== 'record') continue
    readRequest(requestOf(record))
    isServerInternal(record)
    clientOf(record)
  }
  return { kinds, agent: record.user_agent }
}

/** Milliseconds; only ever compared with those of other work in the same moment. */
function costOf(work: () => unknown): number {
  const started = performance.now()
  work()
  return performance.now() - started
}

/** A plain pass over every character: what work that grows with the line and no faster is measured in. */
function pass(text: string): number {
  let sum = 0
  for (let at = 0; at < text.length; at += 1) sum = (sum * 31 + text.charCodeAt(at)) | 0
  return sum
}

/**
 * The cost of a pass over one character, measured on a text as long as the test's; anew for every suspect, so that both
 * share a bad moment.
 */
function costOfPass(): number {
  const text = flat('ab "'.repeat(SIZE / 4))
  const ten = () => {
    for (let times = 0; times < 10; times += 1) pass(text)
  }
  return Math.max(...[1, 2, 3].map(() => costOf(ten))) / 10 / SIZE
}

/**
 * How many plain passes over a text reading it costs; the least of several tries, because a pause to collect garbage or
 * another process is none of its work. Linear reading takes 2 to 40 passes, work that grows with the square of the line
 * thousands.
 */
function passesOf(text: string): number {
  let least = costOf(() => read(text)) / (usual_pass * text.length)
  for (let tries = 0; tries < MAX_TRIES && least > MAX_PASSES; tries += 1) {
    least = Math.min(least, costOf(() => read(text)) / (costOfPass() * text.length))
  }
  return least
}

const MAX_PASSES = 100
/** On a busy machine many in a row are interrupted; what is really slow is slow in each. */
const MAX_TRIES = 100

/** One flat string, as lines of a file are. */
const flat = (text: string) => Buffer.from(text, 'latin1').toString('latin1')

const usual_pass = costOfPass()

describe('lines that a stranger can write', () => {
  test.each(Object.entries(LAYOUTS))(
    'a run of anything anywhere in a line costs what its length is worth: %s',
    (_name, line) => {
      const found: string[] = []
      for (const [number, piece] of PIECES.entries()) {
        const run = piece.repeat(Math.floor((SIZE - line.length) / piece.length))
        for (const [place, at] of positionsOf(line, 4).entries()) {
          const rest = (number + place) % 2 === 0 ? line.slice(at) : ''
          if (passesOf(flat(`${line.slice(0, at)}${run}${rest}\n`)) > MAX_PASSES)
            found.push(`${JSON.stringify(piece)} at ${at}`)
        }
      }
      expect(found).toEqual([])
    },
  )

  test.each(Object.entries(LAYOUTS))(
    'so does a line cut off and repeated, on one line and on many: %s',
    (_name, line) => {
      const found: string[] = []
      for (const at of positionsOf(line, 12).filter((place) => place > 0)) {
        for (const end of ['', ' ', '\n']) {
          const part = `${line.slice(0, at).replaceAll('\n', ' ')}${end}`
          if (passesOf(flat(`${part.repeat(Math.floor(SIZE / part.length))}\n`)) > MAX_PASSES) found.push(part)
        }
      }
      expect(found).toEqual([])
    },
  )

  test.each([64, 512, 4096])('the time for many lines of %i characters is proportional to their bytes', (length) => {
    const found: string[] = []
    for (const [name, line] of Object.entries(LAYOUTS)) {
      for (const piece of PIECES) {
        const head = line.slice(line.lastIndexOf('\n') + 1).slice(0, length / 2)
        const hostile = `${head}${piece.repeat(length)}`.slice(0, length).replaceAll('\n', ' ')
        const file = flat(`${hostile}\n`.repeat(Math.floor(SIZE / length)))
        if (passesOf(file) > 4 * MAX_PASSES) found.push(`${name} ${JSON.stringify(piece)}`)
      }
    }
    expect(found).toEqual([])
  })

  test.each(PIECES.slice(0, 20))('a whole mebibyte of %j is read without a word from the engine', (piece) => {
    const line = piece.repeat(Math.floor(MIB / piece.length))
    const { kinds } = read(
      `${line}\n${line.slice(0, MIB / 2)} - - [10/Mar/2026:12:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "x\\"y"\n`,
    )
    // Both lines are comments where the piece begins one, and a comment is not a record.
    expect(kinds.length > 0).toBe(!piece.startsWith('#'))
  })

  const AGENT_FIELD = '"Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)"'
  const fill = (piece: string) => piece.repeat(Math.floor((MIB - 1_024) / piece.length))
  const HAPROXY = (LAYOUTS.haproxy as string).split('{', 1)[0] as string
  const FRONT = '192.0.2.7 - - [03/Mar/2026:10:15:30 +0100] "GET /a HTTP/1.1" 200 512 "-"'
  test.each([
    ['HAProxy’s captures', `${HAPROXY}{${fill('a|')}} "GET /a HTTP/1.1"`],
    ['HAProxy’s captures with braces', `${HAPROXY}{${fill('} {')}} "GET /a HTTP/1.1"`],
    ['HAProxy’s captures with open brackets', `${HAPROXY}{a/1${fill('(|')}} "GET /a HTTP/1.1"`],
    ['HAProxy’s captures without an end', `${HAPROXY}{${fill('} "')}`],
    ['a list of forwarded addresses', `${FRONT} ${AGENT_FIELD} "${fill('203.0.113.9, ')}203.0.113.9"`],
    ['such a list beside a bare token', `${FRONT} "ClaudeBot" "${fill('203.0.113.9, ')}x"`],
    ['such a list in the agent’s place', `${FRONT} "${fill('203.0.113.9, ')}"`],
    ['fields without end', `${FRONT} "x" ${fill('"y" ')}`],
    ['broken JSON and blanks', `{"request":"GET / HTTP/1.1",${fill(' ')}`],
    ['broken JSON, blanks and a bracket', `{"request":"GET / HTTP/1.1",${fill(' ')}}`],
    ['objects one after the other', `{"a":1${fill('} {')}}`],
    ['Envoy’s numbers', `[2026-03-03T09:15:30.250Z] "GET /a HTTP/1.1" 200 - ${fill('0 ')}`],
    ['Envoy’s fields', `[2026-03-03T09:15:30.250Z] "GET /a HTTP/1.1" 200 - 0 1 2 3 ${fill('"a" ')}`],
    ['bars', `HIT|200|1772529330250|412|390|192.0.2.7|${fill('a|')}`],
    ['pairs', fill('a=b ')],
    ['a pair without its end', `a=b c=d e=f g="${fill('\\"')}`],
    ['names without values', `a=${fill('b')}`],
    ['tabs', `1772529330.250\t192.0.2.7\t${fill('a\t')}`],
    ['Caddy’s message', `2026/03/03 09:15:30.250\tINFO\thttp.log.access\t${fill('a\t{')}`],
    ['a comment', `#${fill('# ')}`],
  ])('the cost of a mebibyte of it is linear: %s', (_name, line) => {
    expect(line.length).toBeLessThan(MIB)
    expect(passesOf(flat(`${line}\n`))).toBeLessThan(MAX_PASSES)
  })

  test('a header of thousands of columns is not a burden on the lines under it', () => {
    const header = `#Fields: ${'c '.repeat(100_000)}`
    const row = '2026-03-03 09:15:30 a\n'
    expect(passesOf(flat(`${header}\n${row.repeat(20_000)}`))).toBeLessThan(MAX_PASSES)
    expect(read(`${header}\n${row}`).kinds).toEqual(['columns_unlike_header'])
  })

  test('JSON of thousands of values is not a request, and is not built', () => {
    const request = { time: '2026-03-03T09:15:30Z', request: 'GET / HTTP/1.1', status: 200, user_agent: 'GPTBot/1.2' }
    const many = (count: number) => `${JSON.stringify({ ...request, list: new Array(count).fill(0) })}\n`
    expect(read(many(3_000)).kinds).toEqual(['record'])
    expect(read(many(5_000)).kinds).toEqual(['unknown_json'])
    expect(read(`${JSON.stringify({ ...request, note: '[{,:'.repeat(5_000) })}\n`).kinds).toEqual(['record'])
    const name = 'n'.repeat(10_000)
    const nested = { [name]: Object.fromEntries(Array.from({ length: 400 }, (_one, at) => [`k${at}`, at])) }
    expect(passesOf(`${JSON.stringify({ ...nested, ...request })}\n`)).toBeLessThan(MAX_PASSES)
  })

  test.each([
    ['a text log', (agent: string) => `1.2.3.4 - - [10/Mar/2026:12:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "${agent}"`],
    [
      'JSON',
      (agent: string) => JSON.stringify({ time: '2026-03-03T09:15:30Z', url: '/', status: 200, user_agent: agent }),
    ],
  ])('of a user agent the first 1,024 characters are read: %s', (_name, line) => {
    const { kinds, agent } = read(`${line(`GPTBot/1.2 ${'x'.repeat(5000)}`)}\n`)
    expect(kinds).toEqual(['record'])
    expect(agent).toHaveLength(1024)
  })
})
