/** The real service as a separate process, with its processor time and memory as the kernel reports them (Linux). */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../test/support/free-port.ts'

export interface ServiceProcess {
  url: string
  /** Processor time of all its threads since its start, seconds. */
  cpuSeconds(): number
  /** Resident memory, MiB. */
  memoryMib(): number
  /** How late timers of its event loop were since the last call, 99th percentile, milliseconds. */
  loopDelayMs(): Promise<number>
  /** Resolves when it is nearly idle, with the processor time since the call, seconds. */
  settled(): Promise<number>
  stop(): Promise<void>
}

/** Ticks per second in /proc/PID/stat, the same on all current Linux systems. */
const TICKS = 100
const LAUNCHER = new URL('../../bin/spoor.mjs', import.meta.url).pathname
/** The metric measures from one run of a timer to the next; this much of it is the timer's own interval. */
const LAG_TIMER_MS = 10
/** What an idle service uses, share of a processor. */
const QUIET = 0.06
const QUIET_SECONDS = 5

export async function startServiceProcess(data: string, args: readonly string[] = []): Promise<ServiceProcess> {
  const metrics = `127.0.0.1:${await freePort()}`
  const launcher = spawn(process.execPath, [LAUNCHER, 'serve', '--data', data, '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, UV_THREADPOOL_SIZE: '16', SPOOR_METRICS_LISTEN: metrics, SPOOR_LOG_LEVEL: 'warn' },
  })
  const ended = once(launcher, 'exit')
  process.once('exit', () => launcher.kill('SIGTERM'))
  const url = await Promise.race([listening(launcher.stdout), ended.then(() => null)])
  if (url === null) throw new Error('The service did not start.')
  const pid = Number(readFileSync(`/proc/${launcher.pid}/task/${launcher.pid}/children`, 'utf8').split(' ')[0])
  const cpuSeconds = () => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') as string[]
    return (Number(fields[11]) + Number(fields[12])) / TICKS
  }
  return {
    url,
    cpuSeconds,
    memoryMib: () => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024,
    async loopDelayMs() {
      const page = await (await fetch(`http://${metrics}/metrics`)).text()
      const lag = Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(page)?.[1]) * 1_000
      return Math.max(0, lag - LAG_TIMER_MS)
    },
    async settled() {
      const before = cpuSeconds()
      for (let quiet = 0; quiet < QUIET_SECONDS; ) {
        const since = cpuSeconds()
        await pause(1_000)
        quiet = cpuSeconds() - since < QUIET ? quiet + 1 : 0
      }
      return cpuSeconds() - before
    },
    async stop() {
      launcher.kill('SIGTERM')
      await ended
    },
  }
}

async function listening(stdout: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const chunk of stdout) {
    text += chunk
    const [, url] = /listens on (http:\S+)\. /.exec(text) ?? []
    if (url === undefined) continue
    stdout.resume()
    return url
  }
  throw new Error(`The service ended without an address: ${text}`)
}
