import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestService, type TestService } from '../../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService('2026-03-10T12:00:00Z')
})
afterAll(() => service.close())

const BOT = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)'
const PERSON = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/148.0'
const logpush = (second: number, agent: string, changes: object = {}) => ({
  ClientRequestHost: 'first.example',
  ClientRequestMethod: 'GET',
  ClientRequestURI: `/a${second}`,
  ClientRequestUserAgent: agent,
  EdgeStartTimestamp: Date.parse('2026-03-09T10:00:00Z') / 1000 + second,
  EdgeResponseStatus: 200,
  ...changes,
})
const records = [
  logpush(1, BOT),
  logpush(2, PERSON),
  logpush(3, BOT, { WorkerSubrequest: true }),
  logpush(4, BOT, { ClientRequestSource: 'healthcheck' }),
  logpush(5, BOT, { ClientRequestHost: 'other.example' }),
  logpush(6, BOT, { EdgeStartTimestamp: '2038-01-01T00:00:00Z', WorkerSubrequest: true }),
]

describe('an import of other formats (decisions 3.4, rules 4)', () => {
  test('every record falls into one class; an array and lines of the same records are the same facts', async () => {
    const site = await service.addSite('first.example')
    const lines = await service.importText(site, records.map((one) => JSON.stringify(one)).join('\n'))
    expect(lines).toMatchObject({
      lines: 6,
      stored: 1,
      human: 1,
      other_site: 1,
      malformed: 1,
      duplicates: 0,
      ignored: { sub_request: 1, server_internal: 1 },
      by_crawler: { gptbot: 1 },
      from: '2026-03-09T10:00:01.000Z',
      to: '2026-03-09T10:00:05.000Z',
    })
    expect(lines.malformed_samples).toMatchObject([{ line_number: 6, reason: 'time_ahead' }])
    expect(await service.importText(site, JSON.stringify(records))).toMatchObject({
      lines: 6,
      stored: 0,
      duplicates: 1,
    })
  })

  test('the host of an absolute URL is the line’s host', async () => {
    const site = await service.addSite('second.example')
    const line = (host: string) =>
      `https 2026-03-09T10:00:00Z app/lb/1 192.0.2.7:2817 10.0.0.1:80 0 0 0 200 200 2 2 "GET https://${host}:443/a HTTP/2.0" "${BOT}" C T x\n`
    const receipt = await service.importText(
      site,
      line('shop.second.example') + line('else.example') + line('192.0.2.9'),
    )
    expect(receipt).toMatchObject({
      stored: 2,
      other_site: 1,
      hosts: { 'second.example': 1, 'shop.second.example': 1 },
    })
  })

  test('a log of another site is refused even if it has sub-requests', async () => {
    const site = await service.addSite('fourth.example')
    const text = records.map((one) => JSON.stringify(one)).join('\n')
    await expect(service.importText(site, text)).rejects.toThrow(/belongs to fourth\.example: its hosts are/)
  })

  test('a log that keeps no agent at all is refused with the reason', async () => {
    const site = await service.addSite('third.example')
    const line = '192.0.2.7 - - [09/Mar/2026:10:00:00 +0000] "GET / HTTP/2.0" 404 19 "-" "-" 1 "-" "-" 0ms\n'
    await expect(service.importText(site, line.repeat(3))).rejects.toThrow(
      /every user agent in .* is empty.*Nothing was stored/,
    )
    await expect(
      service.importText(
        site,
        '192.0.2.4, -, 03/09/26, 12:34:56, W3SVC1, WEB1, 10.0.0.5, 12, 163, 3223, 200, 0, GET, /a, -,\n',
      ),
    ).rejects.toThrow(/no user agent/)
    const haproxy = '192.0.2.7:1 [09/Mar/2026:10:00:00.000] web'
    const connections = `${haproxy}/1: SSL handshake failure\n`
    const request = `${haproxy} app/s 1/0/0/3/13 200 739 - - ---- 1/1/0/0/0 0/0 "GET /4 HTTP/1.1"\n`
    await expect(service.importText(site, connections + request)).rejects.toThrow(/no user agent/)
  })
})
