/**
 * A full disk and a read-only one, for real: `mount` is needed, and where it is not permitted the reason is in the
 * test's name.
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { history } from '#demo/history.ts'
import { run, runJson, workFolder } from '../../support/cli.ts'
import { fileDisk, memoryDisk, no_loops, no_mounts, type SmallDisk } from '../../support/disk.ts'
import { runProcess, serveProcess } from '../../support/processes.ts'
import type { Asking, Ended } from '../../support/running.ts'

const NOW = ['--clock', '2026-03-10T12:00:00Z']
/** Without the launcher, which these tests are not about. */
const BARE = { bare: true }
const because = (why: string | null) => (why === null ? '' : ` (cannot be tested: ${why})`)
const crawled = (day: string, requests: number) =>
  history()
    .on(day)
    .humans()
    .crawler('oai-searchbot')
    .requests(requests, { path: `/p/${day}` })
    .text()

const disks: SmallDisk[] = []
let data: string
let work: ReturnType<typeof workFolder>
let key: string
afterEach(() => {
  for (const disk of disks.splice(0)) disk.remove()
})

function onDisk<D extends SmallDisk>(disk: D): D {
  disks.push(disk)
  work = workFolder()
  data = join(disk.folder, 'data')
  writeFileSync(work.file('a.log'), crawled('2026-03-07', 20))
  writeFileSync(work.file('b.log'), crawled('2026-03-08', 30))
  return disk
}

const start = () => serveProcess(data, NOW, BARE)
/** A start that is refused. */
const startRefused = () => runProcess(['serve', '--port', '0', ...NOW, '--data', data], BARE)
const command = (...args: string[]) => run([...args, '--data', data])
const importing = (name: string) => command('import', work.file(name), '--site', 'example.com', '--json')

async function addSite(): Promise<void> {
  await runJson(['site', 'add', 'example.com', '--data', data])
  key = (await runJson<{ secret: string }>(['key', 'create', '--name', 'a', '--data', data])).secret
  expect(await importing('a.log')).toMatchObject({ code: 0 })
}

async function counts(server: Asking): Promise<unknown> {
  const { status, body } = await server.get('/v1/sites/example.com/performance?window=7d', key)
  const pages = await server.get('/v1/sites/example.com/top-pages?window=7d', key)
  return [status, body.observed_request_count, pages.status, pages.body.total_count]
}

const FIRST = [200, 20, 200, 1]
const BOTH = [200, 50, 200, 2]

function refusedInOneLine(ended: Ended, words: RegExp): void {
  expect(ended).toMatchObject({ code: 1, stdout: '' })
  expect(ended.stderr).toMatch(words)
  expect(ended.stderr.split('\n')).toHaveLength(2)
}

describe.skipIf(no_mounts !== null)(`a full disk${because(no_mounts)}`, { timeout: 180_000 }, () => {
  test('without a server spoor doctor blames the disk and no other process', async () => {
    const disk = onDisk(memoryDisk(64))
    await addSite()
    disk.fill()
    const { code, stdout } = await command('doctor', ...NOW, '--json')
    const failed = JSON.parse(stdout).findings.filter(({ level }: { level: string }) => level === 'fail')
    expect(code).toBe(1)
    expect(failed).toMatchObject([
      { code: 'free_space_out' },
      { code: 'stores_not_opened', message: expect.stringMatching(/disk of the data folder is full.*Free some space/) },
    ])
  })

  test('refuses an import in one line, reads go on, and with space again the same import succeeds', async () => {
    const disk = onDisk(memoryDisk(64))
    const server = await start()
    await addSite()
    for (const leave of [0, 3 << 20]) {
      disk.fill(leave)
      refusedInOneLine(await importing('b.log'), /The disk of the data folder is (almost )?full.*Free some space/)
      expect(await counts(server)).toEqual(FIRST)
      expect(await server.get('/readyz')).toMatchObject({ status: 503 })
      if (leave === 0) refusedInOneLine(await command('site', 'add', 'example.org'), /is full.*Free some space/)
    }
    disk.empty()
    expect(await server.get('/readyz')).toMatchObject({ status: 200 })
    expect(JSON.parse((await importing('b.log')).stdout)).toMatchObject({ stored: 30, duplicates: 0 })
    expect(await counts(server)).toEqual(BOTH)
    server.process.kill('SIGTERM')
    expect(await server.ended).toMatchObject({ code: 0 })
  })

  test('on a disk that is full to the last byte, a start is refused in one line; on an almost full one, the service runs', async () => {
    const disk = onDisk(memoryDisk(64))
    await addSite()
    disk.fill()
    refusedInOneLine(await startRefused(), /disk of the data folder.*[Ff]ree some space/)
    disk.fill(2 << 20)
    const server = await start()
    expect(await counts(server)).toEqual(FIRST)
    disk.empty()
    expect(await importing('b.log')).toMatchObject({ code: 0 })
    expect(await counts(server)).toEqual(BOTH)
  })

  test('leaves no key whose secret could not be written to its file, and no file', async () => {
    onDisk(memoryDisk(64))
    await addSite()
    const target = memoryDisk(1)
    disks.push(target)
    target.fill()
    const made = await command('key', 'create', '--name', 'b', '--secret-file', join(target.folder, 'secret'))
    refusedInOneLine(made, /so it was not shown: the key was revoked/)
    expect(readdirSync(target.folder)).toEqual(['ballast'])
    expect((await runJson<{ keys: object[] }>(['key', 'list', '--data', data])).keys).toMatchObject([
      { name: 'a', revoked_at: null },
      { name: 'b', revoked_at: expect.any(String) },
    ])
  })

  test('refuses a backup in one line and leaves no file, on either disk', async () => {
    const disk = onDisk(memoryDisk(64))
    await start()
    await addSite()
    const here = join(disk.folder, 'backup.tar')
    disk.fill(100_000)
    refusedInOneLine(await command('backup', work.file('other.tar')), /disk of the data folder .*[Ff]ree some space/)
    const target = memoryDisk(1)
    disks.push(target)
    target.fill(100_000)
    disk.fill(6 << 20)
    refusedInOneLine(
      await command('backup', join(target.folder, 'b.tar')),
      /has \d+ bytes free and the backup needs \d+: free some space/,
    )
    expect(readdirSync(target.folder)).toEqual(['ballast'])
    // The command may end a moment before the server has cleared up.
    while (existsSync(join(data, 'backup.partial'))) await pause(20)
    expect(await command('backup', here)).toMatchObject({ code: 0 })
    disk.fill(4 << 20)
    const other = join(disk.folder, 'other')
    refusedInOneLine(await run(['restore', here, '--data', other]), /bytes free, and the restore needs/)
    expect(existsSync(other)).toBe(false)
  })
})

describe.skipIf(no_mounts !== null)(`a read-only disk${because(no_mounts)}`, { timeout: 180_000 }, () => {
  test('refuses a start in one line, and nothing is lost', async () => {
    const disk = onDisk(memoryDisk(64))
    await addSite()
    disk.remount('ro')
    refusedInOneLine(await startRefused(), /read-only.*mount it writable/)
    disk.remount('rw')
    expect(await counts(await start())).toEqual(FIRST)
  })

  test.skipIf(no_loops !== null)(
    `that becomes so under a running service: reads go on, writes are refused in one line, nothing is lost${because(no_loops)}`,
    async () => {
      const disk = onDisk(fileDisk(96))
      const server = await start()
      await addSite()
      disk.fail()
      refusedInOneLine(await importing('b.log'), /The disk of the data folder .*read-only.*start Spoor again/)
      refusedInOneLine(await command('site', 'add', 'example.org'), /read-only/)
      refusedInOneLine(await command('backup', work.file('b.tar')), /read-only/)
      expect(await counts(server)).toEqual(FIRST)
      server.process.kill('SIGTERM')
      expect(await server.ended).toMatchObject({ code: 0 })
      disk.repair()
      const again = await start()
      expect(await counts(again)).toEqual(FIRST)
      expect(await importing('b.log')).toMatchObject({ code: 0 })
      expect(await counts(again)).toEqual(BOTH)
      again.process.kill('SIGTERM')
      await again.ended
    },
  )
})
