/**
 * The real command line in processes of its own: for what is about processes. Everything else runs commands by cli.ts.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { COMPILE_CACHE } from './compile-cache.ts'
import { type Asking, asking, type Ended, type Running, Screen } from './running.ts'

export const LAUNCHER = new URL('../../bin/spoor.mjs', import.meta.url).pathname
/** Without the launcher: the process that a test kills is the one that holds the folder. */
const ENTRY = new URL('../../cli/main.ts', import.meta.url).pathname

export interface RunningProcess extends Running {
  process: ChildProcess
}

export interface ProcessOptions {
  /** Starts the program itself instead of the launcher. */
  bare?: boolean
  /** A script that is started instead of the launcher. */
  script?: string
  input?: Buffer | string
  cwd?: string
  env?: Record<string, string>
  /** A file that takes its standard output or error instead of the test. */
  stdout?: string
  stderr?: string
  /** The leader of a process group, so that a signal can reach the whole group like a Ctrl-C. */
  group?: boolean
}

/** Starts a command; what still runs after the test is killed. */
export function startProcess(args: readonly string[], options: ProcessOptions = {}): RunningProcess {
  const outputs = [options.stdout, options.stderr].map((file) => (file === undefined ? 'pipe' : openSync(file, 'w')))
  const child = spawn(process.execPath, [options.script ?? (options.bare ? ENTRY : LAUNCHER), ...args], {
    stdio: ['pipe', ...outputs],
    env: {
      ...process.env,
      UV_THREADPOOL_SIZE: '16',
      SPOOR_METRICS_LISTEN: 'off',
      XDG_STATE_HOME: '/dev/null',
      ...(options.bare ? COMPILE_CACHE : {}),
      ...options.env,
    },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    detached: options.group === true,
  })
  for (const output of outputs) if (typeof output === 'number') closeSync(output)
  const screen = new Screen()
  for (const stream of ['stdout', 'stderr'] as const) child[stream]?.on('data', (chunk) => screen.add(stream, chunk))
  child.once('exit', () => screen.end())
  // A command that ends without reading its input is none of the test's business.
  child.stdin?.on('error', () => {})
  if (options.input !== undefined) child.stdin?.end(options.input)
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...screen.text }) as Ended)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    // Until the pipes close: a service outlives its launcher by moments, and must be gone before its folder.
    await ended
  })
  return {
    process: child,
    stdout: () => screen.text.stdout,
    stderr: () => screen.text.stderr,
    says: (pattern) => screen.says(pattern),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    ended,
  }
}

/** Runs a command to its end, with nothing on standard input unless given. */
export function runProcess(args: readonly string[], options: ProcessOptions = {}): Promise<Ended> {
  return startProcess(args, { input: '', ...options }).ended
}

/** Starts `spoor serve` on a free port and waits until it listens. */
export async function serveProcess(
  data: string,
  args: readonly string[] = [],
  options: ProcessOptions = {},
): Promise<RunningProcess & Asking> {
  const running = startProcess(['serve', '--data', data, '--port', '0', ...args], { input: '', ...options })
  return { ...running, ...(await asking(running)) }
}

/**
 * Writes this many bytes of a text to a command's standard input; they are far more than it holds, so the command reads
 * them.
 */
export async function feed(stdin: Writable | null, text: string, bytes: number): Promise<void> {
  if (stdin === null) throw new Error('it has no standard input')
  // One by one, because pieces written together are acknowledged together.
  for (let from = 0; from < bytes; from += PIECE) {
    await new Promise((resolve) => stdin.write(text.slice(from, from + PIECE), resolve))
  }
}

const PIECE = 65_536
