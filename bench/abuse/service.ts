/** A real `spoor serve`: started, killed, stopped, and observed from outside. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../test/support/free-port.ts'
import type { Installed } from './installed.ts'
import { LAUNCHER, MAIN, type Started, startNode } from './processes.ts'
import { check } from './scenario.ts'

const START_MS = 120_000
const READY_MS = 120_000
/** A stop takes at most 5 s (spec 1); a busy machine gets more. */
const STOP_MS = 20_000
const ERROR_LEVEL = 50

export interface LogLine {
  level: number
  msg: string
  err?: { message?: string }
}

export interface ServiceOptions {
  env?: Record<string, string>
  /** Whether it runs under the launcher, which starts it again. */
  is_launched?: boolean
}

export class Service {
  readonly #installed: Installed
  readonly #env: Record<string, string>
  readonly #program: string
  readonly port: number
  #running: Started | null = null
  #peak_mib = 0
  #complaints = ''

  private constructor(installed: Installed, { env = {}, is_launched = false }: ServiceOptions, port: number) {
    this.#installed = installed
    this.#env = env
    this.#program = is_launched ? LAUNCHER : MAIN
    this.port = port
  }

  static async open(installed: Installed, options: ServiceOptions = {}): Promise<Service> {
    const service = new Service(installed, options, await freePort())
    await service.start()
    return service
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** Of the process that serves: the child of the launcher, if there is one. */
  get pid(): number {
    const own = this.#running?.process.pid ?? 0
    return this.#program === LAUNCHER ? childOf(own) : own
  }

  isAlive(): boolean {
    const child = this.#running?.process
    return child !== undefined && child.exitCode === null && child.signalCode === null
  }

  /** Starts the process itself, on the same port every time, and waits until it listens. */
  async start(): Promise<void> {
    const args = ['serve', '--port', String(this.port), '--json', '--data', this.#installed.data]
    const running = startNode([this.#program, ...args], { env: { ...this.#installed.env, ...this.#env }, input: '' })
    this.#running = running
    const until = performance.now() + START_MS
    while (!running.stdout().includes('"url"')) {
      check(this.isAlive(), `the service did not start: ${running.stderr().slice(-2_000)}`)
      check(performance.now() < until, `the service did not start within ${START_MS / 1_000} s`)
      await pause(50)
    }
  }

  /** Ends it by kill -9. */
  async kill(): Promise<void> {
    this.#look()
    this.#running?.process.kill('SIGKILL')
    await this.#running?.ended
    this.#complaints += this.#running?.stderr() ?? ''
  }

  /** Ends the process that serves, so that the launcher starts another. */
  async killBelowLauncher(): Promise<void> {
    this.#look()
    const { pid } = this
    check(pid > 0, 'the launcher has started no service')
    process.kill(pid, 'SIGKILL')
    while (this.isAlive() && this.pid === pid) await pause(20)
  }

  /** Ends only the launcher; the process that it started has to end by itself. */
  async killLauncher(within_ms = STOP_MS): Promise<void> {
    this.#look()
    const { pid } = this
    await this.kill()
    const until = performance.now() + within_ms
    while (existsSync(`/proc/${pid}`)) {
      check(
        performance.now() < until,
        `the service still runs, although its launcher ended, after ${within_ms / 1_000} s`,
      )
      await pause(50)
    }
  }

  /** Stops it, and checks that the stop is orderly. */
  async stop(): Promise<void> {
    this.#look()
    const running = this.#running as Started
    check(this.isAlive(), `the service had ended: ${running.stderr().slice(-2_000)}`)
    running.process.kill('SIGTERM')
    const end = await Promise.race([running.ended, pause(STOP_MS, 'no end')])
    this.#complaints += running.stderr()
    check(end === 0, `SIGTERM was answered with ${end} within ${STOP_MS / 1_000} s: ${running.stderr().slice(-2_000)}`)
  }

  /** Ends it, whatever its state. */
  async end(): Promise<void> {
    if (this.isAlive()) await this.kill()
  }

  async isReady(within_ms = READY_MS): Promise<void> {
    const until = performance.now() + within_ms
    let said = 'nothing'
    while (performance.now() < until) {
      check(this.isAlive(), `the service ended: ${this.#running?.stderr().slice(-2_000)}`)
      const answer = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(10_000) }).catch(() => null)
      if (answer?.status === 200) return
      said = String(answer?.status ?? 'nothing')
      await pause(100)
    }
    check(false, `/readyz still answers ${said} after ${within_ms / 1_000} s`)
  }

  /** The most memory that any of its processes held, MiB. */
  peakMemory(): number {
    this.#look()
    return this.#peak_mib
  }

  /** The errors that it logged. */
  errors(): LogLine[] {
    const text = this.#complaints + (this.isAlive() ? (this.#running?.stderr() ?? '') : '')
    return text.split('\n').flatMap((line) => {
      if (!line.startsWith('{')) return []
      try {
        const read = JSON.parse(line) as LogLine
        return read.level >= ERROR_LEVEL ? [read] : []
      } catch {
        // Cut off by a kill.
        return []
      }
    })
  }

  /** How many files and connections it has open. */
  openFiles(): number {
    return readdirSync(`/proc/${this.pid}/fd`).length
  }

  #look(): void {
    const [, kib] = /^VmHWM:\s+(\d+) kB/m.exec(this.#status()) ?? []
    this.#peak_mib = Math.max(this.#peak_mib, Math.round(Number(kib ?? 0) / 1_024))
  }

  #status(): string {
    try {
      return readFileSync(`/proc/${this.pid}/status`, 'utf8')
    } catch {
      // The process has ended, or the system is not Linux.
      return ''
    }
  }
}

/** The process that a launcher started; 0: none just now. */
function childOf(parent: number): number {
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const [, of] = /^\d+ \(.*\) \S (\d+)/.exec(readFileSync(`/proc/${entry}/stat`, 'utf8')) ?? []
      if (Number(of) === parent) return Number(entry)
    } catch {
      // It has ended in the meantime.
    }
  }
  return 0
}
