/**
 * A log that is still being written ends in the middle of a line; read again when it has grown, that line must not
 * count twice.
 */
import { describe, expect, test } from 'vitest'
import { LAYOUTS } from './hostile-lines.ts'
import { readAll } from './read-lines.ts'

/** Lines that leave no record, and therefore nothing that could be counted twice. */
const WITHOUT_RECORD = ['haproxy connection', 'iis native', 'w3c directive', 'nginx error log']
/** Layouts in which something closes the line, so that a last line without line end may be taken once that is there. */
const CLOSED = [
  ...[
    'combined',
    'syslog',
    'syslog without version',
    'docker',
    'docker compose',
    'nginx proxy manager',
    'envoy',
    'haproxy',
  ],
  ...['bunny', 'caddy console', 'logfmt', 'epoch in brackets', 'splunk envelope', 'loki envelope'],
  ...['gelf envelope', 'aws waf', 'opentelemetry'],
  ...['zoraxy', 'iis event', 'w3c quoted', 'logpush', 'w3c json', 'json of an operator'],
]
const WITH_RECORD = Object.entries(LAYOUTS).filter(([name]) => !WITHOUT_RECORD.includes(name))
const ESCAPED = String.raw`192.0.2.7 - - [03/Mar/2026:10:15:30 +0100] "GET /a HTTP/1.1" 200 512 "-" "a \"b\" \"c\" d"`

describe('a last line without line end', () => {
  test.each([...WITH_RECORD, ['escaped quotes', ESCAPED] as const])('cut anywhere: %s', async (name, line) => {
    const own = line.slice(line.lastIndexOf('\n') + 1)
    for (let end = 1; end <= own.length; end += 1) {
      const [first, last] = await readAll(`${line}\n${own.slice(0, end)}`)
      expect(first).toMatchObject({ kind: 'record' })
      if (end < own.length) expect([end, last?.malformed]).toEqual([end, 'line_cut_off'])
      else expect(last?.kind).toBe(CLOSED.includes(name) || name === 'escaped quotes' ? 'record' : 'malformed')
    }
  })

  test.each(WITH_RECORD)('is a whole record once its line end follows: %s', async (_name, line) => {
    const own = line.slice(line.lastIndexOf('\n') + 1)
    expect((await readAll(`${line}\n${own}\n`)).map((one) => one.kind)).toEqual(['record', 'record'])
  })

  test('alone in its file it is read if its end can be seen', async () => {
    expect((await readAll(LAYOUTS.combined as string))[0]?.kind).toBe('record')
    expect((await readAll(LAYOUTS.logpush as string))[0]?.kind).toBe('record')
    expect((await readAll(LAYOUTS['aws load balancer'] as string))[0]?.malformed).toBe('line_cut_off')
  })

  test('its own reason is reported if no line was read before it', async () => {
    expect((await readAll('test'))[0]?.malformed).toBe('not_an_access_log_line')
    expect((await readAll('{"data":null}'))[0]?.malformed).toBe('unknown_json')
    const common = '192.0.2.7 - - [03/Mar/2026:10:15:30 +0100] "GET / HTTP/1.1" 200 512'
    expect((await readAll(`${common}\n${common}`)).map((one) => one.malformed)).toEqual([
      'no_user_agent',
      'no_user_agent',
    ])
  })
})
