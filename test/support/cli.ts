/** The real command line in processes of its own, on folders of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, vi } from 'vitest'
import { COMPILE_CACHE } from './compile-cache.ts'
import { makeTestFolder, removeTestFolder } from './control.ts'

const LAUNCHER = new URL('../../bin/spoor.mjs', import.meta.url).pathname
/** Without the launcher: the process that a test kills is the one that holds the folder. */
const ENTRY = new URL('../../src/surfaces/cli/main.ts', import.meta.url).pathname

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface Running {
  process: ChildProcess
  /** What it has said so far. */
  stdout(): string
  stderr(): string
  /** Resolves once its words match; throws, with all of them, when it ends before. */
  says(pattern: RegExp): Promise<RegExpExecArray>
  ended: Promise<Ended>
}

export interface RunOptions {
  /** Starts the program itself instead of the launcher. */
  bare?: boolean
  input?: Buffer | string
  cwd?: string
  env?: Record<string, string>
  /** A file that takes its standard output or error instead of the test. */
  stdout?: string
  stderr?: string
  /** The leader of a process group, so that a signal can reach the whole group like a Ctrl-C. */
  group?: boolean
}

// Many processes start in each test; on a busy machine that takes long, and nothing here depends on how long.
vi.setConfig({ testTimeout: 120_000 })

const left: Running[] = []
const folders: string[] = []

afterEach(async () => {
  for (const running of left.splice(0)) {
    running.process.kill('SIGKILL')
    // Until the pipes close: a service outlives its launcher by moments, and must be gone before its folder.
    await running.ended
  }
  for (const folder of folders.splice(0)) removeTestFolder(folder)
})

/** A fresh folder, removed after the test; `data` in it does not exist yet. */
export function workFolder(): { folder: string; data: string; file(name: string): string } {
  const folder = makeTestFolder()
  folders.push(folder)
  mkdirSync(join(folder, 'logs'))
  return { folder, data: join(folder, 'data'), file: (name) => join(folder, 'logs', name) }
}

/** Starts a command; what still runs after the test is killed. */
export function start(args: readonly string[], options: RunOptions = {}): Running {
  const outputs = [options.stdout, options.stderr].map((file) => (file === undefined ? 'pipe' : openSync(file, 'w')))
  const child = spawn(process.execPath, [options.bare ? ENTRY : LAUNCHER, ...args], {
    stdio: ['pipe', ...outputs],
    env: {
      ...{ ...process.env, UV_THREADPOOL_SIZE: '16', SPOOR_METRICS_LISTEN: 'off' },
      ...(options.bare ? COMPILE_CACHE : {}),
      ...options.env,
    },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    detached: options.group === true,
  })
  for (const output of outputs) if (typeof output === 'number') closeSync(output)
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk) => (stdout += chunk))
  child.stderr?.on('data', (chunk) => (stderr += chunk))
  // A command that ends without reading its input is none of the test's business.
  child.stdin?.on('error', () => {})
  if (options.input !== undefined) child.stdin?.end(options.input)
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, stdout, stderr }) as Ended)
  const running: Running = {
    process: child,
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    async says(pattern) {
      for (;;) {
        const found = pattern.exec(stdout + stderr)
        if (found !== null) return found
        const over = child.exitCode !== null || child.signalCode !== null
        if (over) throw new Error(`It ended without ${pattern}: ${stdout}${stderr}`)
        const words = [child.stdout, child.stderr].flatMap((stream) => (stream === null ? [] : [once(stream, 'data')]))
        await Promise.race([...words, once(child, 'exit')])
      }
    },
  }
  left.push(running)
  return running
}

/** Writes this many bytes of a text to a command's standard input; they are far more than a pipe holds, so it reads them. */
export async function feed(running: Running, text: string, bytes: number): Promise<void> {
  const { stdin } = running.process
  if (stdin === null) throw new Error('it has no standard input')
  // One by one, because pieces written together are acknowledged together.
  for (let from = 0; from < bytes; from += PIECE) {
    await new Promise((resolve) => stdin.write(text.slice(from, from + PIECE), resolve))
  }
}

const PIECE = 65_536

/** Runs a command to its end, with nothing on standard input unless told. */
export function run(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return start(args, { input: '', ...options }).ended
}

/** Runs a command that must succeed and reads its one JSON document. */
export async function runJson<T = Record<string, unknown>>(
  args: readonly string[],
  options: RunOptions = {},
): Promise<T> {
  const ended = await run([...args, '--json'], options)
  if (ended.code !== 0) throw new Error(`spoor ${args.join(' ')} ended with ${ended.code}: ${ended.stderr}`)
  return JSON.parse(ended.stdout) as T
}

export interface Serving extends Running {
  url: string
  /** Status and body of a GET. */
  get(path: string, key?: string): Promise<{ status: number; body: Record<string, unknown> }>
}

/** Starts `spoor serve` on a free port and waits until it listens. */
export async function serve(data: string, args: readonly string[] = [], options: RunOptions = {}): Promise<Serving> {
  const running = start(['serve', '--data', data, '--port', '0', ...args], { input: '', ...options })
  const [, url = ''] = await running.says(/listens on (http:\S+)\. /)
  return {
    ...running,
    url,
    async get(path, key) {
      const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
      const response = await fetch(url + path, { headers })
      const text = await response.text()
      const isJson = /json/.test(String(response.headers.get('content-type')))
      return { status: response.status, body: isJson ? JSON.parse(text) : {} }
    },
  }
}
