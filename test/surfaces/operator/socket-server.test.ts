import { existsSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import pino from 'pino'
import Type from 'typebox'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { history } from '#demo/history.ts'
import { count, rows } from '#evidence/sql.ts'
import { askServer, sendLog, serverListens } from '#surfaces/operator/socket-client.ts'
import { type OperatorSocket, openOperatorSocket } from '#surfaces/operator/socket-server.ts'
import { openTestService, type TestService } from '../../support/service.ts'

let service: TestService
let path: string
let socket: OperatorSocket
let said: string[]
const log = pino({ level: 'info' }, { write: (line: string) => said.push(line) })

beforeEach(async () => {
  service = await openTestService('2026-03-10T12:00:00Z')
  path = join(service.folder, 'spoor.sock')
  said = []
  const { operator, importLog, backup, moveTo } = service.installation
  socket = await openOperatorSocket(path, {
    context: operator,
    log,
    importLog,
    backup,
    moveTo,
    refuse: (error) => error,
  })
})
afterEach(async () => {
  await socket.stop()
  await service.close()
})

const asked = (site = 'example.com') => ({ site, host: null, label: 'a.log' })
const text = () => history().on('2026-03-07').humans().crawler('gptbot').requests(9).text()
const ignore = () => {}
const staged = rows(Type.Object({ n: count() }))`SELECT count() AS n FROM spoor.import_rows`

/** Waits for a moment of some work; the work ending before it is a failure of the test. */
async function until(work: Promise<unknown>, reached: () => Promise<boolean>): Promise<void> {
  let over = false
  work.then(
    () => (over = true),
    () => (over = true),
  )
  while (!(await reached())) {
    if (over) await work.then(() => Promise.reject(new Error('it ended before the moment came')))
    await pause(1)
  }
}

async function expectNothingStored(): Promise<void> {
  const stored = rows(Type.Object({ n: count() }))`SELECT count() AS n FROM spoor.requests`
  expect(await service.crawlers.evidence.all(stored)).toEqual([{ n: 0 }])
  expect(await service.crawlers.evidence.all(staged)).toEqual([{ n: 0 }])
  expect(await service.installation.control.db.selectFrom('sources').selectAll().execute()).toEqual([])
  expect(await service.installation.control.db.selectFrom('deliveries').selectAll().execute()).toEqual([])
}

describe('commands over the socket (rules 7)', () => {
  test('answer as they would without a server, refusals with their kind and words', async () => {
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(await askServer(path, 'site.add', { domain: 'example.com' })).toMatchObject({ root_domain: 'example.com' })
    expect(await askServer(path, 'site.list', {})).toMatchObject({ sites: [{ root_domain: 'example.com' }] })
    await expect(askServer(path, 'site.add', { domain: 'example.com' })).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringMatching(/already has the site/),
    })
    await expect(askServer(path, 'site.remove', { site: 'example.net' })).rejects.toMatchObject({
      kind: 'site_not_found',
    })
  })

  test('whose input cannot be written open no connection', async () => {
    const met: unknown[] = []
    const server = createServer((connection) => met.push(connection.destroy()))
    const other = join(service.folder, 'other.sock')
    await new Promise<void>((listening) => server.listen(other, listening))
    await expect(askServer(other, 'site.add', { domain: 1n })).rejects.toThrow(/BigInt/)
    // A request that is answered was met after all that was begun before it.
    await expect(askServer(other, 'site.add', {})).rejects.toMatchObject({ kind: 'reader_unavailable' })
    server.close()
    expect(met).toHaveLength(1)
  })

  test('that the server does not know, or whose input has another form, are refused', async () => {
    await expect(askServer(path, 'site.paint', {})).rejects.toThrow(/does not know the command site\.paint/)
    await expect(askServer(path, 'constructor', {})).rejects.toMatchObject({ kind: 'not_found' })
    await expect(askServer(path, 'site.add', { domain: 5 })).rejects.toMatchObject({ kind: 'invalid_input' })
    await expect(askServer(path, 'site.add', { domain: 'x'.repeat(16_777_216) })).rejects.toThrow(/too long/)
    expect(await askServer(path, 'site.list', {})).toEqual({ sites: [] })
  })

  test('a log that its sender cannot read to the end fails with the reason of the sender', async () => {
    await service.addSite('example.com')
    const broken = new Readable({ read: ignore })
    const sending = sendLog(path, asked(), broken, ignore)
    sending.catch(ignore)
    await pause(100)
    broken.destroy(new Error('the disk of the sender'))
    await expect(sending).rejects.toThrow('the disk of the sender')
    expect(said.join('')).not.toMatch(/the disk of the sender/)
  })
})

describe('who listens', () => {
  test('no server: without a socket, on a plain file, on the socket of a dead server', async () => {
    const gone = join(service.folder, 'gone.sock')
    const file = join(service.folder, 'plain')
    writeFileSync(file, '')
    expect(await serverListens(path)).toBe(true)
    expect(await serverListens(gone)).toBe(false)
    expect(await serverListens(file)).toBe(false)
    expect(await serverListens(join(file, 'spoor.sock'))).toBe(false)
    await socket.stop()
    expect(existsSync(path)).toBe(false)
    expect(await serverListens(path)).toBe(false)
    await expect(askServer(path, 'site.list', {})).rejects.toMatchObject({ kind: 'reader_unavailable' })
  })
})

describe('imports over the socket', () => {
  test('report their progress and end with the receipt', async () => {
    await service.addSite('example.com')
    const progress: { bytes: number; lines: number }[] = []
    const receipt = await sendLog(path, asked(), Readable.from([Buffer.from(text())]), (step) => progress.push(step))
    expect(receipt).toMatchObject({ lines: 154, stored: 9 })
    expect(progress).toEqual([{ bytes: receipt.bytes, lines: 154 }])
  })

  test('one that waits for its turn is notified once; one whose input is silent does not block others', async () => {
    await service.addSite('example.com')
    const silent = new PassThrough()
    const reported: object[][] = [[], [], []]
    const send = (body: Readable, at: number) => sendLog(path, asked(), body, (step) => reported[at]?.push(step))
    const kept = send(silent, 0)
    await pause(100)
    // Half a log has the turn, and the silent input has not.
    const half = new PassThrough()
    half.write(text().slice(0, 1_000))
    const reading = send(half, 1)
    await pause(100)
    const waiting = send(Readable.from([Buffer.from(text())]), 2)
    await vi.waitUntil(() => reported[2]?.length === 1, { timeout: 60_000 })
    expect(reported).toEqual([[], [], [{ bytes: 0, lines: 0, waits: true }]])
    half.end(text().slice(1_000))
    expect(await reading).toMatchObject({ lines: 154, stored: 9 })
    expect(await waiting).toMatchObject({ lines: 154, duplicates: 9 })
    silent.end(text())
    expect(await kept).toMatchObject({ lines: 154, duplicates: 9 })
    expect(reported.map((steps) => steps.filter((step) => 'waits' in step).length)).toEqual([0, 0, 1])
  })

  test('a refusal reaches a sender that is still sending', async () => {
    const block = Buffer.alloc(1 << 20, 'x')
    for (const site of ['example.net', 'example.com']) {
      const endless = Readable.from(
        (function* () {
          for (;;) yield block
        })(),
      )
      // The first is refused before its log is looked at, the second for what it holds.
      if (site === 'example.com') await service.addSite(site)
      const gzip = Buffer.from([0x42, 0x5a, 0x68])
      const sent =
        site === 'example.com'
          ? Readable.from(
              (function* () {
                yield gzip
                for (;;) yield block
              })(),
            )
          : endless
      await expect(sendLog(path, asked(site), sent, ignore)).rejects.toMatchObject({
        kind: site === 'example.com' ? 'not_readable' : 'site_not_found',
      })
      expect(sent.destroyed).toBe(true)
    }
    await expectNothingStored()
    expect(said).toEqual([])
  })

  test('a sender that disconnects leaves nothing, at any point', async () => {
    await service.addSite('example.com')
    for (const sent of ['', text().slice(0, 40), text(), text().repeat(2_000)]) {
      const client = connect(path)
      client.on('error', ignore)
      client.write(
        'POST /import?site=example.com&label=a.log HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n',
      )
      if (sent !== '') client.write(`${Buffer.byteLength(sent).toString(16)}\r\n${sent}\r\n`)
      await pause(150)
      client.destroy()
    }
    // In turn after them, so they are over when this one is.
    await expect(sendLog(path, asked(), Readable.from(['']), ignore)).rejects.toThrow(/is empty/)
    await expectNothingStored()
    expect(said.join('').match(/broken off by its sender/g)).toHaveLength(4)
    expect(said.join('')).not.toMatch(/"level":[456]0/)
  })

  test('a server that dies in the middle is reported as such, not as a receipt', async () => {
    await socket.stop()
    const dying = createServer((client) => {
      client.on('error', ignore)
      client.once('data', () => {
        client.write(
          'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n22\r\n{"progress":{"bytes":1,"lines":1}}\r\n',
        )
        setTimeout(() => client.destroy(), 50)
      })
    })
    await new Promise<void>((resolve) => dying.listen(path, resolve))
    for (const body of [Readable.from(['x']), new Readable({ read: ignore })]) {
      await expect(sendLog(path, asked(), body, ignore)).rejects.toMatchObject({
        kind: 'reader_unavailable',
        message: expect.stringMatching(/^the server ended while it imported: start it again and repeat/),
      })
    }
    await new Promise((resolve) => dying.close(resolve))
  })

  test('a stop breaks off those that read or wait for their turn, and answers their senders', async () => {
    await service.addSite('example.com')
    const bodies = [new PassThrough(), new PassThrough(), new PassThrough()]
    const reported = bodies.map((body) => {
      body.write(text())
      const sending = sendLog(path, asked(), body, ignore)
      sending.catch(ignore)
      return sending
    })
    await pause(200)
    await socket.stop()
    for (const sending of reported)
      await expect(sending).rejects.toThrow(/^the server is stopping and nothing of this file/)
    await expectNothingStored()
    expect(said).toEqual([])
  })

  test('a stop waits for one that already writes facts, and its sender gets the receipt', async () => {
    await service.addSite('example.com')
    const log = history()
    for (let month = 1; month <= 12; month++) {
      log
        .on(`2025-${String(month).padStart(2, '0')}-03`)
        .humans()
        .crawler('gptbot')
        .requests(2)
    }
    const sending = sendLog(path, asked(), Readable.from([Buffer.from(log.text())]), ignore)
    const { db } = service.installation.control
    await until(sending, async () => (await db.selectFrom('deliveries').selectAll().execute()).length > 0)
    expect(await db.selectFrom('deliveries').select('state').execute()).toEqual([{ state: 'writing' }])
    await socket.stop()
    expect(await db.selectFrom('deliveries').select('state').execute()).toEqual([{ state: 'finished' }])
    expect(await sending).toMatchObject({ stored: 24 })
    expect(await service.crawlers.evidence.all(staged)).toEqual([{ n: 0 }])
  })

  test('a store that closes under one leaves it broken off: its days partial and to be rebuilt, its source in error', async () => {
    const site = await service.addSite('example.com')
    const log = history()
    for (let month = 1; month <= 12; month++) {
      log
        .on(`2025-${String(month).padStart(2, '0')}-03`)
        .humans()
        .crawler('gptbot')
        .requests(2)
    }
    const { control } = service.installation
    const importing = service.importText(site, log)
    const written = () => control.db.selectFrom('coverage_intervals').selectAll().execute()
    await until(importing, async () => (await written()).length > 0)
    await service.crawlers.evidence.close()
    await expect(importing).rejects.toThrow()
    expect(await control.db.selectFrom('deliveries').select('state').execute()).toEqual([{ state: 'broken' }])
    expect(await control.db.selectFrom('sources').select('connection_status').execute()).toEqual([
      { connection_status: 'error' },
    ])
    expect(await control.db.selectFrom('dirty_days').selectAll().where('state', '=', 'writing').execute()).toEqual([])
    const qualities = await control.db
      .selectFrom('coverage_intervals')
      .select(['quality', 'reason'])
      .distinct()
      .execute()
    expect(qualities).toEqual([{ quality: 'partial', reason: 'unfinished' }])
  })
})
