/**
 * The command line as bin/spoor.mjs starts it, run in this process: with streams, environment, signals and exit code of
 * its own.
 */
import { EventEmitter } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { type CommandHost, runOn, type StopSignal } from '../../cli/host/command-host.ts'
import { runProgram } from '../../cli/program.ts'
import { makeTestFolder, removeTestFolder } from './control.ts'
import { type Asking, asking, type Ended, type Running, Screen } from './running.ts'
import { copyStore } from './shared.ts'

export interface RunningCommand extends Running {
  stdin: Writable
  /** Sends a signal to the command alone. */
  kill(signal: StopSignal): void
  /** Asks the command to stop, as SIGTERM does, and waits for its end. */
  stop(): Promise<Ended>
}

export type Serving = RunningCommand & Asking

export interface RunOptions {
  input?: Buffer | string
  env?: Record<string, string>
  /** Standard output is closed. */
  without_output?: boolean
  /** True if it is started and stopped in hooks of the file; otherwise it is stopped after the test. */
  outlives_test?: boolean
}

export interface Work {
  folder: string
  /** The data folder. */
  data: string
  /** A file beside it. */
  file(name: string): string
  remove(): void
}

/** No command of a test is found by others of this user: below a file nothing can be announced. */
export const TEST_ENVIRONMENT = { SPOOR_METRICS_LISTEN: 'off', XDG_STATE_HOME: '/dev/null' } as const

/** A fresh folder, removed after the test; `data` in it does not exist yet. */
export function workFolder(): Work {
  const work = openWork()
  onTestFinished(() => work.remove())
  return work
}

/** The same with empty stores laid out, for what is not about new folders: laying them out takes long. */
export async function preparedFolder(): Promise<Work> {
  const work = await openPrepared()
  onTestFinished(() => work.remove())
  return work
}

/** For the hooks of a file, which remove it. */
export async function openPrepared(): Promise<Work> {
  const work = openWork()
  mkdirSync(work.data, { mode: 0o700 })
  await Promise.all([
    copyStore('control.sqlite', join(work.data, 'control.sqlite')),
    copyStore('evidence', join(work.data, 'evidence')),
  ])
  return work
}

function openWork(): Work {
  const folder = makeTestFolder()
  mkdirSync(join(folder, 'logs'))
  return {
    folder,
    data: join(folder, 'data'),
    file: (name) => join(folder, 'logs', name),
    remove: () => removeTestFolder(folder),
  }
}

/** Starts a command; what still runs after the test is asked to stop. */
export function start(args: readonly string[], options: RunOptions = {}): RunningCommand {
  const screen = new Screen()
  const stdin = new PassThrough()
  const signals = new EventEmitter()
  let code = 0
  let killed_by: StopSignal | null = null
  let over = false
  const output = (stream: 'stdout' | 'stderr') =>
    new Writable({
      decodeStrings: false,
      write(chunk, _encoding, done) {
        if (killed_by === null) screen.add(stream, chunk)
        done()
      },
    })
  const stderr = output('stderr')
  const host: CommandHost = {
    environment: { ...process.env, ...TEST_ENVIRONMENT, ...options.env },
    stdout: output('stdout'),
    stderr,
    log: stderr,
    signals,
    sendToLauncher: () => {},
    openStandardInput: () => stdin,
    standardOutputIsNull: () => options.without_output === true,
    standardInputIsTerminal: () => false,
    setExitCode(given) {
      code = given
    },
    exitNow() {},
    endBy(signal) {
      killed_by ??= signal
    },
  }
  if (options.input !== undefined) stdin.end(options.input)
  const ended = runOn(host, () => runProgram(args)).then((): Ended => {
    over = true
    screen.end()
    return { code: killed_by === null ? code : null, signal: killed_by, ...screen.text }
  })
  const running: RunningCommand = {
    stdin,
    stdout: () => screen.text.stdout,
    stderr: () => screen.text.stderr,
    says: (pattern) => screen.says(pattern),
    hasEnded: () => over,
    ended,
    kill: (signal) => void signals.emit(signal, signal),
    async stop() {
      if (!over) running.kill('SIGTERM')
      stdin.end()
      return ended
    },
  }
  if (!options.outlives_test) onTestFinished(async () => void (await running.stop()))
  return running
}

/** Runs a command to its end, with nothing on standard input unless given. */
export function run(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return start(args, { input: '', outlives_test: true, ...options }).ended
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

/** Starts `spoor serve` on a free port and waits until it listens. */
export async function serve(data: string, args: readonly string[] = [], options: RunOptions = {}): Promise<Serving> {
  const running = start(['serve', '--data', data, '--port', '0', ...args], { input: '', ...options })
  return { ...running, ...(await asking(running)) }
}
