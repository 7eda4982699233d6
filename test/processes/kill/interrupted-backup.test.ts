import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { history } from '#demo/history.ts'
import { preparedFolder, run, runJson, serve } from '../../support/cli.ts'
import { startProcess } from '../../support/processes.ts'

describe('Ctrl-C during spoor backup', () => {
  test('breaks it off in the middle, by the signal, and leaves no half file on either side', async () => {
    const { data, folder, file } = await preparedFolder()
    const archive = join(folder, 'spoor.tar')
    const server = await serve(data, ['--clock', '2026-03-10T12:00:00Z'])
    await runJson(['site', 'add', 'example.com', '--data', data])
    writeFileSync(file('a.log'), history().on('2026-03-07').humans().crawler('oai-searchbot').requests(20).text())
    await runJson(['import', file('a.log'), '--site', 'example.com', '--data', data])
    const way = join(folder, 'way')
    mkdirSync(way)
    const proxy = await stallingWay(join(way, 'spoor.sock'), join(data, 'spoor.sock'))
    writeFileSync(archive, 'an older backup')
    const taking = startProcess(['backup', archive, '--force', '--data', way], { input: '', group: true })
    await proxy.stalled
    while ((statSync(`${archive}.partial`, { throwIfNoEntry: false })?.size ?? 0) < 10_000) await pause(20)
    await pause(200)
    process.kill(-(taking.process.pid as number), 'SIGINT')
    // 128 + 2: the launcher ends as a shell would say it.
    expect(await taking.ended).toMatchObject({
      code: 130,
      stdout: '',
      stderr: 'spoor: stopping: the unfinished backup is removed\n',
    })
    expect(existsSync(`${archive}.partial`)).toBe(false)
    expect(readFileSync(archive, 'utf8')).toBe('an older backup')
    await proxy.close()
    while (existsSync(join(data, 'backup.partial'))) await pause(20)
    expect(await server.get('/readyz')).toMatchObject({ status: 200 })
    expect(await run(['backup', archive, '--force', '--data', data])).toMatchObject({ code: 0 })
  })
})

/**
 * A way to the server's socket that lets through what comes back until a part of the backup is on its way, and then
 * nothing more.
 */
async function stallingWay(path: string, socket: string) {
  const { promise: stalled, resolve } = Promise.withResolvers<void>()
  const sockets: Socket[] = []
  const proxy = createServer((client) => {
    const upstream = connect(socket)
    sockets.push(client, upstream)
    for (const end of [client, upstream]) end.on('error', () => {})
    client.pipe(upstream)
    client.on('close', () => upstream.destroy())
    let passed = 0
    upstream.on('data', (part) => {
      client.write(part)
      passed += part.length
      if (passed < 50_000) return
      upstream.pause()
      resolve()
    })
  })
  await once(proxy.listen(path), 'listening')
  return {
    stalled,
    async close() {
      for (const each of sockets) each.destroy()
      await new Promise((done) => proxy.close(done))
    },
  }
}
