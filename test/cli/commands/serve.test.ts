import { once } from 'node:events'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { history } from '#demo/history.ts'
import { preparedFolder, run, runJson, serve, start, workFolder } from '../../support/cli.ts'

describe('spoor serve', () => {
  test('says on standard output where it listens, as text or JSON, and is alive and ready', async () => {
    const { data } = workFolder()
    const server = await serve(data)
    const [, link = ''] = await server.says(/(\S+\/welcome#\S+)\n/)
    expect(server.stdout()).toBe(
      `Spoor listens on ${server.url}. API reference: ${server.url}/docs\nData folder: ${data}\nChoose the operator's password, once and within 24 hours:\n${link}\n`,
    )
    expect(link.startsWith(`${server.url}/welcome#`)).toBe(true)
    expect(await server.get('/healthz')).toMatchObject({ status: 200 })
    expect(await server.get('/readyz')).toMatchObject({ status: 200 })
    expect((await server.get('/v1/openapi.json')).status).toBe(200)
    expect(await server.stop()).toMatchObject({ code: 0 })
    const again = start(['serve', '--data', data, '--port', '0', '--json'])
    await again.says(/\n\}\n/)
    expect(JSON.parse(again.stdout())).toEqual({ url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) })
    again.kill('SIGINT')
    const ended = await again.ended
    expect(ended.code).toBe(0)
    expect(JSON.parse(ended.stdout)).toEqual({ url: expect.any(String) })
  })

  test('a port in use, and an address that is not here, are clear errors; the folder is free again', async () => {
    const { data } = await preparedFolder()
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    const ended = await run(['serve', '--data', data, '--port', String(port)])
    other.close()
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toMatch(
      new RegExp(
        `spoor: Spoor cannot listen on 127\\.0\\.0\\.1 port ${port}: .*with --port .*: npx spoor serve --data ${data} --port ${port + 1}\n`,
      ),
    )
    expect(ended.stderr).not.toMatch(/\n {4}at /)
    const nowhere = await run(['serve', '--data', data, '--host', '192.0.2.1', '--port', '0'])
    expect(nowhere.code).toBe(1)
    expect(nowhere.stderr).toMatch(/cannot listen on 192\.0\.2\.1 port 0: .*--host/)
    const without_interface = await run(['serve', '--data', data, '--host', 'fe80::1', '--port', '0'])
    expect(without_interface.code).toBe(1)
    expect(without_interface.stderr).toMatch(
      /^spoor: Spoor cannot listen on fe80::1 port 0: this machine does not.*\n$/,
    )
    expect(await run(['site', 'list', '--data', data])).toMatchObject({ code: 0 })
  })

  test('a port in use lays out no data folder', async () => {
    const { data } = workFolder()
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    const ended = await run(['serve', '--data', data, '--port', String(port)])
    other.close()
    expect(ended).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('another program listens there'),
    })
    expect(existsSync(data)).toBe(false)
  })

  test('--clock makes an archived log readable as of its time', async () => {
    const { data, file } = await preparedFolder()
    const log = history().on('2015-05-18').humans().crawler('googlebot').requests(6).on('2015-05-19').humans()
    writeFileSync(file('old.log'), log.text())
    const server = await serve(data, ['--clock', '2015-05-20T12:00:00Z'])
    await runJson(['site', 'add', 'example.com', '--data', data])
    const { secret } = await runJson<{ secret: string }>(['key', 'create', '--name', 'a', '--data', data])
    await runJson(['import', file('old.log'), '--site', 'example.com', '--data', data])
    const { body } = await server.get('/v1/sites/example.com/performance?window=30d', secret)
    expect(body).toMatchObject({
      observed_request_count: 6,
      meta: { window: { from: '2015-04-21', to: '2015-05-20' }, as_of: expect.stringMatching(/^2015-05-20T12:0/) },
    })
  })

  test('the socket is for its owner alone and goes with the server', async () => {
    const { data } = await preparedFolder()
    const server = await serve(data)
    const socket = join(data, 'spoor.sock')
    expect(statSync(socket).mode & 0o777).toBe(0o600)
    expect(statSync(data).mode & 0o777).toBe(0o700)
    await server.stop()
    expect(existsSync(socket)).toBe(false)
  })
})
