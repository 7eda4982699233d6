import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeTestFolder, removeTestFolder } from '../../support/control.ts'

const SUPERVISED = new URL('../../bin/fixtures/supervised.mjs', import.meta.url).pathname

let folder: string
const started: ChildProcess[] = []
beforeEach(() => {
  folder = makeTestFolder()
})
afterEach(async () => {
  for (const child of started.splice(0)) {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  removeTestFolder(folder)
})

interface Supervised {
  process: ChildProcess
  /** The process id of the next run of the script. */
  nextRun(): Promise<number>
  said(): string
  end: Promise<[number | null, NodeJS.Signals | null]>
}

function supervise(args: string[], env: Record<string, string> = {}): Supervised {
  const child = spawn(process.execPath, [SUPERVISED, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  let said = ''
  child.stderr.on('data', (chunk) => (said += chunk))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    process: child,
    nextRun: async () => Number((await lines.next()).value),
    said: () => said,
    end: once(child, 'close') as Supervised['end'],
  }
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('a supervised script', () => {
  test.each([
    ['blocks its event loop', 'block', {}, /has not answered for 4 s and was killed; it starts again/],
    ['hangs in its engine', 'hang-engine', { UV_THREADPOOL_SIZE: '1' }, /has not answered for 4 s and was killed/],
    ['crashes', 'crash', {}, /ended by SIGSEGV; it starts again in 0\.02 s \(1 of 3 failures in a row\)/],
    ['aborts', 'abort', {}, /ended by SIGABRT/],
    ['ends in a way of no program', 'exit7', {}, /ended by exit code 7/],
  ])('that %s is started again', async (_what, how, env, said) => {
    const run = supervise([how, join(folder, 'failed')], env)
    const first = await run.nextRun()
    const second = await run.nextRun()
    expect(second).not.toBe(first)
    expect(isAlive(first)).toBe(false)
    expect(run.said()).toMatch(said)
    run.process.kill('SIGTERM')
    expect(await run.end).toEqual([143, null])
    expect(isAlive(second)).toBe(false)
  })

  test('that fails again and again is given up with exit code 1, and pauses grow up to a limit', async () => {
    const run = supervise(['crash'])
    expect(await run.end).toEqual([1, null])
    expect(run.said()).toMatch(/in 0\.02 s .*\n.*in 0\.04 s .*\n.*3 times in a row: giving up/)
  })

  test.each([0, 1, 2])('that ends by itself with %i is not started again', async (code) => {
    const run = supervise([`exit${code}`])
    expect(await run.end).toEqual([code, null])
    expect(run.said()).toBe('')
  })

  test('that is killed is started again; asked to stop it is not', async () => {
    const run = supervise(['beat'])
    process.kill(await run.nextRun(), 'SIGKILL')
    const second = await run.nextRun()
    expect(run.said()).toMatch(/ended by SIGKILL/)
    run.process.kill('SIGTERM')
    expect(await run.end).toEqual([143, null])
    expect(isAlive(second)).toBe(false)
  })

  test('whose launcher is killed ends too', async () => {
    const run = supervise(['beat'])
    await run.nextRun()
    run.process.kill('SIGKILL')
    // Resolves when the pipes close, which the script holds until it is gone.
    expect(await run.end).toEqual([null, 'SIGKILL'])
  })
})
