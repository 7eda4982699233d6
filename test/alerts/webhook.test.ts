/** What receivers on loopback do to an attempt; the clock and the name servers are doubles. */
import { createServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { addWebhook } from '#alerts/receivers.ts'
import { MINUTE_MS } from '#clock.ts'
import type { AlertEventType } from '#contract/vocabulary.ts'
import {
  type AlertWorld,
  alertWorldOfFile,
  issueChange,
  type WebhookStandIn,
  webhookStandIn,
} from '../support/alerts.ts'

const freshWorld = alertWorldOfFile()
let world: AlertWorld
let standIn: WebhookStandIn
beforeEach(async () => {
  world = await freshWorld('2026-03-10T12:00:00Z')
  standIn = await webhookStandIn()
})

/** Records one opened issue and lets the minute pass in which others are awaited. */
async function openOne() {
  await world.enqueue(issueChange(world.clock, 'opened', 1))
  world.clock.advance(MINUTE_MS)
}

describe('a hostile receiver', () => {
  const answers: [name: string, answer: WebhookStandIn['answer'], result: object][] = [
    ['hangs', () => {}, { state: 'waiting', error_code: 'timeout' }],
    ['resets', (response) => response.socket?.resetAndDestroy(), { state: 'waiting', error_code: 'broken_off' }],
    [
      'redirects',
      (response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
      { state: 'waiting', error_code: 'redirected', status: 302 },
    ],
    [
      'says yes and sends an endless body',
      (response) => {
        response.writeHead(200)
        const more = () => response.write(Buffer.alloc(65_536), (error) => (error ? undefined : more()))
        more()
      },
      { state: 'delivered', status: 200 },
    ],
    [
      'says yes and breaks off half of its body',
      (response) => {
        response.writeHead(200, { 'content-length': '1000' })
        response.write('half', () => response.socket?.destroy())
      },
      { state: 'delivered', status: 200 },
    ],
    [
      'says yes with a decompression bomb',
      (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(10_000_000))),
      { state: 'delivered', status: 200 },
    ],
    [
      'fails with 10,000 headers',
      (response) => {
        for (let at = 0; at < 10_000; at++) response.setHeader(`x-${at}`, 'y')
        response.writeHead(200).end()
      },
      { state: 'waiting', error_code: 'headers_too_long' },
    ],
  ]
  test.each(answers)('that %s', async (_name, answer, result) => {
    if ('error_code' in result && result.error_code === 'timeout') world.ctx.timeout_ms = 500
    await world.add(standIn.url)
    standIn.answer = answer
    await openOne()
    await world.deliver()
    expect(await world.deliveries()).toMatchObject([{ attempts: 1, ...result }])
    expect(standIn.received).toHaveLength(1)
  })

  test('that speaks no HTTP, or half a header', async () => {
    world.ctx.timeout_ms = 1_000
    for (const said of ['SSH-2.0-none\r\n', 'HTTP/1.1 200 OK\r\nx-half: ']) {
      const server = createServer((socket: Socket) => void socket.on('error', () => {}).write(said))
      onTestFinished(() => void server.close())
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as { port: number }
      await world.add(`http://127.0.0.1:${port}/`)
    }
    await openOne()
    await world.deliver()
    const codes = (await world.deliveries()).map(({ error_code }) => error_code)
    expect(codes.sort()).toEqual(['broken_off', 'timeout'])
  })

  test('whose name later resolves to a private address is refused from then on', async () => {
    await world.add(`http://hooks.test:${new URL(standIn.url).port}/`)
    world.ctx.outgoing.resolve = async () => ['10.0.0.1']
    await openOne()
    await world.deliver()
    expect(await world.deliveries()).toMatchObject([{ state: 'waiting', error_code: 'address', status: null }])
    expect(standIn.received).toEqual([])
  })

  test('cannot be added with a private or metadata address, a fragment, credentials, or another scheme', async () => {
    const { site, ctx } = world
    const add = (url: string) => addWebhook(ctx, { site_id: site.id, url })
    for (const url of [
      ...[
        'http://10.0.0.1/',
        'http://169.254.169.254/latest',
        'http://[::ffff:10.0.0.1]/',
        'http://user:pw@127.0.0.1/',
      ],
      ...['https://127.0.0.1/#a', 'ftp://127.0.0.1/', 'example.com/hook', 'javascript:alert(1)'],
    ])
      await expect(add(url)).rejects.toMatchObject({ kind: 'invalid_input' })
    expect(await world.store.control.db.selectFrom('alert_receivers').select('id').execute()).toEqual([])
  })

  test('cannot subscribe to digests without a type that they replace, because none would ever be sent', async () => {
    const { site, ctx } = world
    const add = (...event_types: AlertEventType[]) =>
      addWebhook(ctx, { site_id: site.id, url: 'http://127.0.0.1/', event_types })
    for (const types of [['issue.digest'], ['issue.digest', 'source.silent']] as const)
      await expect(add(...types)).rejects.toMatchObject({ kind: 'invalid_input' })
    await expect(add('issue.digest')).rejects.toThrow('add one, such as issue.opened')
    const { receiver } = await add('issue.digest', 'issue.opened')
    expect(JSON.parse(receiver.event_types)).toEqual(['issue.opened', 'issue.digest'])
  })
})
