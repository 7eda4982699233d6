/** Programs on the project's own Node, as the launcher would start them but without it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { atExit } from './at-exit.ts'

export const LAUNCHER = new URL('../../bin/spoor.mjs', import.meta.url).pathname
export const MAIN = new URL('../../cli/main.ts', import.meta.url).pathname

export interface NodeOptions {
  env?: Record<string, string>
  /** Written to its standard input, which is then closed. */
  input?: string
}

const ENVIRONMENT = { UV_THREADPOOL_SIZE: '16', SPOOR_METRICS_LISTEN: 'off', XDG_STATE_HOME: '/dev/null' }

export interface Started {
  process: ChildProcess
  stdout(): string
  stderr(): string
  /** Exit code, or the signal's name. */
  ended: Promise<number | string>
}

export function startNode(args: readonly string[], { env = {}, input }: NodeOptions = {}): Started {
  const child = spawn('node', args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...ENVIRONMENT, ...env },
    // A group of its own, so that what it starts ends with it.
    detached: true,
  })
  const forget = atExit(() => void (child.pid !== undefined && process.kill(-child.pid, 'SIGKILL')))
  child.once('exit', forget)
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (piece: string) => {
      printed[name] += piece
    })
  }
  // A program that ended does not read its input.
  child.stdin.on('error', () => {})
  if (input !== undefined) child.stdin.end(input)
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string)
  return { process: child, stdout: () => printed.stdout, stderr: () => printed.stderr, ended }
}

/** @returns its standard output. @throws with its standard error unless it ends with 0. */
export async function runNode(args: readonly string[], options: NodeOptions = {}): Promise<string> {
  const started = startNode(args, { input: '', ...options })
  const end = await started.ended
  if (end !== 0) throw new Error(`${args.join(' ')} ended with ${end}: ${started.stderr()}`)
  return started.stdout()
}
