import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { history } from '#demo/history.ts'
import { preparedFolder, runJson, serve } from '../support/cli.ts'
import { feed, LAUNCHER, runProcess, serveProcess, startProcess } from '../support/processes.ts'

const crawling = (lines: number) =>
  history().on('2026-03-07').humans().text() +
  history().on('2026-03-07').crawler('gptbot').requests(1).text().repeat(lines)

test('a reader that closes the pipe early is not a failure and leaves no stack trace', async () => {
  const { data, file } = await preparedFolder()
  await runJson(['site', 'add', 'example.com', '--data', data])
  writeFileSync(file('a.log'), crawling(10))
  for (const args of [
    ['site', 'list'],
    ['site', 'list', '--json'],
    ['import', file('a.log'), '--site', 'example.com'],
  ]) {
    const running = startProcess([...args, '--data', data], { input: '' })
    running.process.stdout?.destroy()
    const { code, stderr } = await running.ended
    expect(code, stderr).toBe(0)
    expect(stderr).not.toMatch(/EPIPE|\n {4}at /)
  }
  expect(await runJson(['import', file('a.log'), '--site', 'example.com', '--data', data])).toMatchObject({
    stored: 0,
    duplicates: 10,
  })
})

/** A device that takes nothing, as a full disk does. */
const FULL = '/dev/full'

describe.skipIf(!existsSync(FULL))('standard output that cannot be written', () => {
  test.each([
    ['as text, through a server', [], true],
    ['as JSON, without one', ['--json'], false],
  ] as const)('a key whose secret could not be shown is revoked: %s', async (_name, args, serving) => {
    const { data } = await preparedFolder()
    await runJson(['site', 'add', 'example.com', '--data', data])
    if (serving) await serve(data)
    const made = await runProcess(['key', 'create', '--name', 'a', '--data', data, ...args], { stdout: FULL })
    expect(made).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/ENOSPC.*it was not shown: the key was revoked/),
    })
    const gone = startProcess(['key', 'create', '--name', 'b', '--data', data, ...args], { input: '' })
    gone.process.stdout?.destroy()
    expect(await gone.ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/EPIPE.*the key was revoked/) })
    const { keys } = await runJson<{ keys: { revoked_at: string | null }[] }>(['key', 'list', '--data', data])
    expect(keys.map((key) => key.revoked_at)).toEqual([expect.any(String), expect.any(String)])
  })

  test('a link that could not be shown is reported, with how to make another', async () => {
    const { data } = await preparedFolder()
    const made = await runProcess(['user', 'add', 'a@example.com', '--data', data], { stdout: FULL })
    expect(made).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /it was not shown: make another link: npx spoor user reset-link a@example\.com \(data folder: .*\)\n$/,
      ),
    })
  })

  test('any other result fails in one line, and the service continues, whatever happens to its output and log', async () => {
    const { data } = await preparedFolder()
    const listed = await runProcess(['site', 'list', '--data', data], { stdout: FULL })
    expect(listed).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^spoor: .*could not be written: ENOSPC[^\n]*\n$/),
    })
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const port = String((other.address() as AddressInfo).port)
    await new Promise((resolve) => other.close(resolve))
    const server = startProcess(['serve', '--port', port, '--data', data], { input: '', stdout: FULL, stderr: FULL })
    const alive = async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.status
    while ((await alive()) !== 200) {
      expect(server.process.exitCode).toBeNull()
      await pause(50)
    }
    await runJson(['site', 'add', 'example.com', '--data', data])
    expect(await alive()).toBe(200)
    server.process.kill('SIGTERM')
    await server.ended
  })
})

test('no key is created where standard output is closed or the null device', async () => {
  const { data, file } = await preparedFolder()
  await runJson(['site', 'add', 'example.com', '--data', data])
  const create = ['key', 'create', '--name', 'a', '--data', data]
  const refused = {
    code: 1,
    stderr: expect.stringMatching(/the secret cannot be shown, and no key was created.*--secret-file/),
  }
  expect(await runProcess(create, { stdout: '/dev/null' })).toMatchObject(refused)
  const closed = spawnSync('sh', ['-c', 'exec "$@" >&-', 'sh', process.execPath, LAUNCHER, ...create])
  expect({ code: closed.status, stderr: String(closed.stderr) }).toEqual(refused)
  expect(await runJson(['key', 'list', '--data', data])).toEqual({ keys: [] })
  const stored = await runProcess([...create, '--secret-file', file('secret')], { stdout: '/dev/null' })
  expect(stored).toMatchObject({ code: 0 })
  expect(readFileSync(file('secret'), 'utf8')).toMatch(/^spoor_site_\S+\n$/)
})

test('a server outlives the reader of its standard output', async () => {
  const { data } = await preparedFolder()
  const server = await serveProcess(data)
  server.process.stdout?.destroy()
  server.process.stderr?.destroy()
  expect(await server.get('/healthz')).toMatchObject({ status: 200 })
  await runJson(['site', 'add', 'example.com', '--data', data])
  server.process.kill('SIGTERM')
  expect(await server.ended).toMatchObject({ code: 0 })
})

test.each(['server', 'folder'] as const)(
  'Ctrl-C during an import through the %s stores nothing of it, prints no stack trace and ends by the signal',
  async (through) => {
    const { data, file } = await preparedFolder()
    const server = through === 'server' ? await serve(data) : null
    await runJson(['site', 'add', 'example.com', '--data', data])
    const importing = startProcess(['import', '-', '--site', 'example.com', '--data', data], { group: true })
    await feed(importing.process.stdin, crawling(80_000), 4_000_000)
    process.kill(-(importing.process.pid as number), 'SIGINT')
    const { code, stdout, stderr } = await importing.ended
    // 128 + 2: the launcher ends as a shell would say it.
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' })
    expect(stderr).toMatch(/^spoor: stopping: a file that is not read to its end is not stored\..*\n$/)
    const reading = server ?? (await serve(data))
    const { secret } = await runJson<{ secret: string }>(['key', 'create', '--name', 'a', '--data', data])
    expect((await reading.get('/v1/sites/example.com/sources', secret)).body).toEqual({ sources: [] })
    expect(reading.stderr()).not.toMatch(/"level":"(warn|error|fatal)"/)
    writeFileSync(file('b.log'), crawling(5))
    expect(await runJson(['import', file('b.log'), '--site', 'example.com', '--data', data])).toMatchObject({
      stored: 5,
    })
  },
)

test('an import that is asked to stop while it waits for input ends by that signal, and the server continues', async () => {
  const { data } = await preparedFolder()
  await runJson(['site', 'add', 'example.com', '--data', data])
  const server = await serve(data)
  const importing = startProcess(['import', '-', '--site', 'example.com', '--data', data], { bare: true })
  importing.process.stdin?.write(crawling(10))
  await pause(1_000)
  importing.process.kill('SIGTERM')
  expect(await importing.ended).toMatchObject({ code: null, signal: 'SIGTERM' })
  expect(await server.get('/readyz')).toMatchObject({ status: 200 })
})

test.each(['server', 'folder'] as const)(
  'an import through the %s that waits for the writer of a named pipe ends by the signal',
  async (through) => {
    const { data, file } = await preparedFolder()
    await runJson(['site', 'add', 'example.com', '--data', data])
    const server = through === 'server' ? await serve(data) : null
    execFileSync('mkfifo', [file('logs.pipe')])
    const importing = startProcess(['import', file('logs.pipe'), '--site', 'example.com', '--data', data], {
      bare: true,
    })
    await expect.poll(() => opens(importing.process.pid as number)).toBe(true)
    importing.process.kill('SIGTERM')
    expect(await importing.ended).toMatchObject({ code: null, signal: 'SIGTERM', stdout: '' })
    if (server) expect(await server.get('/readyz')).toMatchObject({ status: 200 })
  },
)

/** Whether a thread of the process waits in `open` of a named pipe; Linux says so. */
function opens(pid: number): boolean {
  return readdirSync(`/proc/${pid}/task`).some(
    (thread) => readFileSync(`/proc/${pid}/task/${thread}/wchan`, 'utf8') === 'wait_for_partner',
  )
}
