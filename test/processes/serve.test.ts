/**
 * A served folder and the processes around it: who gets in, how the service stops, and what is left when it is killed.
 */
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { history } from '#demo/history.ts'
import { preparedFolder, run, runJson, serve, start, workFolder } from '../support/cli.ts'
import { feed, runProcess, serveProcess, startProcess } from '../support/processes.ts'

const asPid = (running: { process: { pid?: number | undefined } }) => running.process.pid as number

/** Many requests of one day by a crawler, as a log. */
function longLog(lines: number): string {
  const day = history().on('2026-03-07').humans().text()
  return day + history().on('2026-03-07').crawler('gptbot').requests(1).text().repeat(lines)
}

describe('one process per data folder', () => {
  test('a second server on a folder is refused and the first one serves on', async () => {
    const { data } = await preparedFolder()
    const server = await serve(data)
    const second = await runProcess(['serve', '--data', data, '--port', '0'])
    expect(second).toMatchObject({ code: 1, stdout: '' })
    expect(second.stderr).toMatch(/^spoor: Another Spoor process uses the data folder .*--data\.\n$/)
    expect(await server.get('/readyz')).toMatchObject({ status: 200 })
    expect(await run(['site', 'list', '--data', data])).toMatchObject({ code: 0 })
  })

  test('the socket that a killed server left is not an obstacle, neither to a command nor to the next server', async () => {
    const { data } = await preparedFolder()
    const server = await serveProcess(data, [], { bare: true })
    await runJson(['site', 'add', 'example.com', '--data', data])
    server.process.kill('SIGKILL')
    await server.ended
    expect(existsSync(join(data, 'spoor.sock'))).toBe(true)
    expect(await runJson(['site', 'list', '--data', data])).toMatchObject({ sites: [{ root_domain: 'example.com' }] })
    await serve(data)
    expect(statSync(join(data, 'spoor.sock')).mode & 0o777).toBe(0o600)
    expect(await runJson(['site', 'list', '--data', data])).toMatchObject({ sites: [{ root_domain: 'example.com' }] })
  })

  test('a command, like a server, waits while another one holds the folder, and then works', async () => {
    const { data } = workFolder()
    await runJson(['site', 'add', 'example.com', '--data', data])
    const holder = startProcess(['import', '-', '--site', 'example.com', '--data', data])
    holder.process.stdin?.write(history().on('2026-03-07').humans().text())
    // It holds the folder as soon as the evidence folder is there.
    while (!existsSync(join(data, 'evidence'))) await pause(20)
    const waiting = start(['site', 'list', '--data', data], { input: '' })
    const server = start(['serve', '--port', '0', '--data', data], { input: '' })
    await pause(2_500)
    expect([waiting.hasEnded(), server.hasEnded()]).toEqual([false, false])
    expect(server.stdout()).toBe('')
    holder.process.stdin?.end()
    await server.says(/listens on/)
    expect(await holder.ended).toMatchObject({ code: 0 })
    expect(await waiting.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('example.com') })
  })

  test('a command given while a server starts waits for its socket', async () => {
    const { data } = workFolder()
    const server = startProcess(['serve', '--data', data, '--port', '0'], { input: '' })
    while (!existsSync(join(data, 'evidence'))) await pause(5)
    expect(existsSync(join(data, 'spoor.sock'))).toBe(false)
    expect(await run(['site', 'add', 'example.com', '--data', data])).toMatchObject({ code: 0 })
    expect(server.process.exitCode).toBeNull()
  })
})

describe('stopping', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s stops although a request hangs and imports wait for more, and leaves nothing of them behind',
    async (signal) => {
      const { data } = await preparedFolder()
      const server = await serveProcess(data)
      await runJson(['site', 'add', 'example.com', '--data', data])
      const { secret } = await runJson<{ secret: string }>(['key', 'create', '--name', 'a', '--data', data])
      const importing = start(['import', '-', '--site', 'example.com', '--data', data])
      await feed(importing.stdin, longLog(30_000), 4_000_000)
      // It has its turn after the first one: what it sends waits in the server.
      const queued = start(['import', '-', '--site', 'example.com', '--data', data])
      await feed(queued.stdin, longLog(10_000), 1_000_000)
      // A request whose head never ends.
      const hanging = connect(Number(new URL(server.url).port), '127.0.0.1')
      hanging.on('error', () => {})
      hanging.write('GET /v1/sites HTTP/1.1\r\nHost: a\r\n')
      const reads = Array.from({ length: 8 }, () => server.get('/v1/sites/example.com/performance', secret))
      const results = Promise.allSettled(reads)
      await pause(20)
      server.process.kill(signal)
      // Neither the request nor an import would ever end by itself.
      const ended = await server.ended
      expect(ended).toMatchObject({ code: 0, signal: null })
      for (const each of [importing, queued]) {
        const refused = await each.ended
        expect(refused).toMatchObject({ code: 1, stdout: '' })
        expect(refused.stderr).toMatch(/^spoor: the server is stopping and nothing of this file was stored: repeat/m)
      }
      // Whatever was answered was answered whole.
      for (const result of await results) if (result.status === 'fulfilled') expect(result.value.status).toBe(200)
      expect(ended.stderr).not.toMatch(/"level":"(error|fatal)"|\n {4}at /)
      const restarted = await serve(data)
      expect((await restarted.get('/v1/sites/example.com/sources', secret)).body).toEqual({ sources: [] })
      expect(restarted.stderr()).not.toMatch(/broken off/)
    },
  )

  test('one Ctrl-C that arrives twice, from the terminal and from the launcher, still stops in order', async () => {
    const { data } = await preparedFolder()
    const server = await serveProcess(data, [], { group: true })
    process.kill(-asPid(server), 'SIGINT')
    expect(await server.ended).toMatchObject({ code: 0, stderr: expect.stringMatching(/Stopping\.\n$/) })
  })

  test('a second signal ends it at once', async () => {
    const { data } = await preparedFolder()
    const server = await serveProcess(data, [], { bare: true })
    await runJson(['site', 'add', 'example.com', '--data', data])
    // Stopping lasts while this connection is silent, up to the grace.
    const hanging = connect(Number(new URL(server.url).port), '127.0.0.1')
    hanging.on('error', () => {})
    hanging.write('GET /v1/sites HTTP/1.1\r\nHost: a\r\n')
    await once(hanging, 'connect')
    await pause(200)
    server.process.kill('SIGTERM')
    await server.says(/Stopping\./)
    await pause(700)
    expect(server.process.exitCode).toBeNull()
    server.process.kill('SIGTERM')
    expect(await server.ended).toMatchObject({ code: null, signal: 'SIGTERM' })
    expect(await runJson(['site', 'list', '--data', data])).toMatchObject({ sites: [{ root_domain: 'example.com' }] })
  })

  test('the service ends by itself when its launcher is killed', async () => {
    const { data } = await preparedFolder()
    const server = await serveProcess(data)
    server.process.kill('SIGKILL')
    // `ended` waits for the pipes too, which the service holds until it is gone.
    expect(await server.ended).toMatchObject({ code: null, signal: 'SIGKILL' })
    expect(existsSync(join(data, 'spoor.sock'))).toBe(false)
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow()
    expect(await run(['site', 'list', '--data', data])).toMatchObject({ code: 0 })
  })
})
