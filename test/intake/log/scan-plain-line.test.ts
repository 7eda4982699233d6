import { globSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LINE_LIMIT } from '#intake/log/lines.ts'
import { clientOf, clientText, emptyRecord } from '#intake/log/record.ts'
import { RememberedBytes } from '#intake/log/remembered-bytes.ts'
import { isServerInternal } from '#intake/log/request.ts'
import { scanCombined } from '#intake/log/scan-combined.ts'
import { PlainLineScanner } from '#intake/log/scan-plain-line.ts'

const PERSON = 'Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0'
const TIME = '03/Mar/2026:10:15:30 +0100'
const CORE = `"GET /a/b?c=1 HTTP/1.1" 200 512 "-" "${PERSON}"`
const PLAIN = `192.0.2.7 - - [${TIME}] ${CORE}`

const LINES = [
  PLAIN,
  `2001:db8::7 - a.user [03/Mar/2026:23:59:60 -0330] "POST / HTTP/2.0" 499 - "https://www.example.com/x" "-"`,
  `192.0.2.7 - - [${TIME}] "HEAD /x HTTP/1.1" 444 0 "" ""`,
  `www.example.com:443 192.0.2.7 - me [${TIME}] ${CORE} "203.0.113.9" 0.003`,
  `other.example.org 192.0.2.7 - - [${TIME}] ${CORE}`,
  `localhost:80 127.0.0.1 - - [${TIME}] ${CORE}`,
  `192.0.2.7 - - [${TIME}] "GET https://www.example.com/x HTTP/1.1" 200 512 "-" "${PERSON}"`,
  `192.0.2.7 - - [${TIME}] "GET /x HTTP/1.1" 200 512 "a\\"b" "\\"${PERSON}\\""`,
  `::1 - - [${TIME}] "OPTIONS * HTTP/1.0" 200 126 "-" "${PERSON}"`,
  `192.0.2.7 - - [${TIME}] "GET /b\xfccher HTTP/1.1" 404 512 "-" "Op\xe9ra/9"`,
  `nginx: 192.0.2.7 - - [${TIME}] ${CORE}`,
]

type LineClass = 'plain' | 'other'

/** Reads bytes by the line, and holds each line that is taken against what scanCombined reads in it. */
function classifyAll(bytes: Buffer): LineClass[] {
  const scanner = new PlainLineScanner<true>(() => true, true)
  const whole = bytes.subarray(0, bytes.lastIndexOf(10) + 1)
  scanner.load(whole)
  const reported: LineClass[] = []
  for (let at = 0; at < whole.length; at = whole.indexOf(10, at) + 1) {
    const after = scanner.scan(at)
    reported.push(after < 0 ? 'other' : 'plain')
    if (after < 0) continue
    expect(after).toBe(whole.indexOf(10, at) + 1)
    const line = whole.toString('latin1', at, scanner.end)
    expect(`${line}\n`, line).toBe(whole.toString('latin1', at, after).replace(/\r\n$/, '\n'))
    const record = emptyRecord()
    expect(scanCombined(line, 0, line.length, record), line).toBe(true)
    const { host, status, user_agent, has_tail } = scanner
    const field = (start: number, end: number) => whole.toString('latin1', start, end)
    expect({ at: scanner.at, host, status, user_agent, has_tail }, line).toEqual({
      at: record.at,
      host: record.host,
      status: record.status_raw,
      user_agent: record.user_agent,
      has_tail: record.tail_end > record.tail_start,
    })
    expect(field(scanner.request_start, scanner.request_end), line).toBe(
      line.slice(record.request_start, record.request_end),
    )
    expect(clientText(field(scanner.client_start, scanner.client_end)), line).toBe(clientOf(record))
    // What an import asks of a record before it asks for its agent.
    expect(isServerInternal(record), line).toBe(false)
    expect(record.source.slice(record.request_start), line).toMatch(/^(?:GET|HEAD|POST) \//)
  }
  return reported
}

const linesOf = (lines: readonly string[], end = '\n') =>
  Buffer.from(lines.map((line) => line + end).join(''), 'latin1')

describe('plain lines are read by bytes as by text', () => {
  test('plain lines are read, lines that need more care are not', () => {
    const reported = ['plain', 'plain', 'plain', 'plain', 'plain', 'other', 'other', 'other', 'other', 'plain', 'other']
    expect(classifyAll(linesOf(LINES))).toEqual(reported)
    expect(classifyAll(linesOf(LINES, '\r\n'))).toEqual(reported)
  })

  test('a blank before the line is not a host', () => {
    expect(classifyAll(linesOf([` ${PLAIN}`, ` ${PLAIN}`]))).toEqual(['other', 'other'])
  })

  test('times are read equally, even right after a line of the same day and zone', () => {
    const day = TIME.slice(0, 11)
    const clocks = ['23:59:60', '23:59:61', '23:60:00', '24:00:00', '1a:00:00', '10-00:00', '10:00-00', '10:00:0x']
    const days = [
      '31/Feb/2026',
      '03/Mrz/2026',
      '03/mar/2026',
      '03-Mar-2026',
      '29/Feb/2028',
      '03/Mar/1989',
      '03/Mar/2O26',
    ]
    const zones = ['+0000', '-0930', '+1559', '+1600', '+0160', '~0100', '+01:0', '+010x']
    const times = [
      ...clocks.map((clock) => `${day}:${clock} +0100`),
      ...days.map((other) => `${other}:10:00:00 +0100`),
      ...zones.map((zone) => `${day}:10:00:00 ${zone}`),
    ]
    const reported = classifyAll(linesOf(times.flatMap((time) => [PLAIN, PLAIN.replace(TIME, time)])))
    expect(times.filter((_, at) => reported[2 * at + 1] === 'plain')).toEqual([
      `${day}:23:59:60 +0100`,
      '03/mar/2026:10:00:00 +0100',
      '29/Feb/2028:10:00:00 +0100',
      ...zones.slice(0, 3).map((zone) => `${day}:10:00:00 ${zone}`),
    ])
  })

  test('lines of agents that are not judged are left to the careful reader', () => {
    const scanner = new PlainLineScanner<string>((agent) => (agent === PERSON ? null : agent), '')
    const bytes = linesOf([PLAIN, PLAIN.replace(PERSON, 'x')])
    scanner.load(bytes)
    expect(scanner.scan(0)).toBe(-1)
    expect(scanner.scan(bytes.indexOf(10) + 1)).toBe(bytes.length)
    expect(scanner.judged).toBe('x')
  })

  test('a line over 1 MiB is not plain', () => {
    const padded = (size: number) => PLAIN.replace('/a/b', `/${'x'.repeat(size - PLAIN.length + 3)}`)
    expect(padded(LINE_LIMIT)).toHaveLength(LINE_LIMIT)
    expect(classifyAll(linesOf([padded(LINE_LIMIT), padded(LINE_LIMIT + 1), PLAIN]))).toEqual([
      'plain',
      'other',
      'plain',
    ])
  })

  test('any change of a line is either read equally or left to the careful reader', () => {
    const edit = fc.record({
      at: fc.nat(400),
      removed: fc.nat(3),
      put: fc.constantFrom(
        '',
        ' ',
        '"',
        '-',
        '\\',
        '\\"',
        '[',
        ']',
        '/',
        ':',
        '0',
        '9',
        'x',
        '\r',
        '\n',
        '\xe9',
        ' - ',
      ),
    })
    const drawn = fc.array(fc.record({ line: fc.constantFrom(...LINES), edits: fc.array(edit, { maxLength: 3 }) }))
    fc.assert(
      fc.property(drawn, (all) => {
        const lines = all.map(({ line, edits }) =>
          edits.reduce((text, { at, removed, put }) => {
            const from = at % text.length
            return `${text.slice(0, from)}${put}${text.slice(from + removed)}x`.slice(0, -1)
          }, line),
        )
        classifyAll(linesOf([...lines, PLAIN]))
      }),
      { numRuns: 500 },
    )
  })

  test('every line of this folder’s tests is read equally, if at all', () => {
    for (const file of globSync('test/intake/**/*.ts')) classifyAll(readFileSync(file))
  })
})

describe('cached values by their bytes', () => {
  const look = (memory: RememberedBytes<string>, field: string, before = 3) => {
    const bytes = Buffer.from(`${' '.repeat(before)}${field}\n`, 'latin1')
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    return memory.of(bytes, view, before, before + field.length)
  }

  test('any fields keep their own values, even if remembered values are dropped', () => {
    const memory = new RememberedBytes((field) => `<${field}>`)
    let lost = 0
    for (let at = 0; at < 140_000; at += 1) {
      const field = `${at % 70_000}`.padStart(1 + (at % 90), '-')
      const value = look(memory, field, at % 5)
      if (value === undefined) lost += 1
      else if (value !== `<${field}>`) throw new Error(`${field} has the value ${value}`)
    }
    expect(lost).toBeLessThan(1_400)
  })

  test('a value is worked out once, the empty field has one too, and long fields are never remembered', () => {
    const read: string[] = []
    const memory = new RememberedBytes((field) => {
      read.push(field)
      return field
    })
    for (const field of ['', 'a', 'ab', 'b', '', 'ab', 'a']) expect(look(memory, field)).toBe(field)
    expect(read).toEqual(['', 'a', 'ab', 'b'])
    expect(look(memory, 'x'.repeat(1024))).toHaveLength(1024)
    expect(look(memory, 'x'.repeat(1025))).toBeUndefined()
  })

  test('fields made to share a slot are not searched without end', () => {
    let read = 0
    const memory = new RememberedBytes(() => `${++read}`)
    const same_end = 'x'.repeat(44)
    const found = Array.from({ length: 100 }, (_, at) => look(memory, `${at}`.padStart(4, '0') + same_end))
    expect(found.filter((value) => value !== undefined)).toHaveLength(8)
    expect(read).toBe(8)
  })
})
