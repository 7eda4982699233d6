import { writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { history } from '#demo/history.ts'
import { feed, runJson, serve, start, workFolder } from '../../support/cli.ts'

const crawling = (lines: number) =>
  history().on('2026-03-07').people().text() +
  history().on('2026-03-07').crawler('gptbot').requests(1).text().repeat(lines)

test('a reader that closes the pipe early is no failure and leaves no stack trace', async () => {
  const { data, file } = workFolder()
  await runJson(['site', 'add', 'example.com', '--data', data])
  writeFileSync(file('a.log'), crawling(10))
  for (const args of [
    ['site', 'list'],
    ['site', 'list', '--json'],
    ['key', 'create', '--name', 'a'],
    ['import', file('a.log'), '--site', 'example.com'],
  ]) {
    const running = start([...args, '--data', data], { input: '' })
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

test('a server outlives the reader of its standard output', async () => {
  const { data } = workFolder()
  const server = await serve(data)
  server.process.stdout?.destroy()
  server.process.stderr?.destroy()
  expect(await server.get('/healthz')).toMatchObject({ status: 200 })
  await runJson(['site', 'add', 'example.com', '--data', data])
  server.process.kill('SIGTERM')
  expect(await server.ended).toMatchObject({ code: 0 })
})

test.each(['server', 'folder'] as const)(
  'Ctrl-C during an import through the %s leaves nothing of it, prints no stack trace and ends by the signal',
  async (through) => {
    const { data, file } = workFolder()
    const server = through === 'server' ? await serve(data) : null
    await runJson(['site', 'add', 'example.com', '--data', data])
    const importing = start(['import', '-', '--site', 'example.com', '--data', data], { group: true })
    await feed(importing, crawling(80_000), 4_000_000)
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

test('an import that is asked to stop while it waits for input ends by that signal, and the server serves on', async () => {
  const { data } = workFolder()
  await runJson(['site', 'add', 'example.com', '--data', data])
  const server = await serve(data)
  const importing = start(['import', '-', '--site', 'example.com', '--data', data], { bare: true })
  importing.process.stdin?.write(crawling(10))
  await pause(1_000)
  importing.process.kill('SIGTERM')
  expect(await importing.ended).toMatchObject({ code: null, signal: 'SIGTERM' })
  expect(await server.get('/readyz')).toMatchObject({ status: 200 })
})
