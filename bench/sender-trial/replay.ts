/**
 * Replays the requests of an access log to another server, with their agents, addresses and original statuses.
 */
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'

const CONNECTIONS = 8
const COMBINED = /^(\S+) .*? \[[^\]]*\] "([A-Z]+) (\S+)[^"]*" (\d{3}) \S+ "(?:[^"\\]|\\.)*" "((?:[^"\\]|\\.)*)"/

export interface Replay {
  /** An access log in the combined format, gzip or plain. */
  log: string
  port: number
  host: string
  /** The time over which the requests are spread. */
  duration_ms: number
  /**
   * Events during the replay: each happens at a share of the log, and has a name. The replay does not wait for them.
   */
  events: [share: number, name: string, run: () => Promise<void>][]
}

/** How many requests were answered; resolves after the events have ended too. */
export async function replay({ log, port, host, duration_ms, events }: Replay): Promise<number> {
  const lines = linesOf(log).filter((line) => line !== '')
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const began = performance.now()
  let next = 0
  let answered = 0
  const happening: Promise<void>[] = []
  const waiting = [...events]
  const send = async () => {
    while (next < lines.length) {
      const early_ms = began + (next / lines.length) * duration_ms - performance.now()
      const line = lines[next++] as string
      if (early_ms > 5) await pause(early_ms)
      const due = waiting[0]
      if (due !== undefined && next >= due[0] * lines.length) {
        waiting.shift()
        console.log(`after ${next} requests: ${due[1]}`)
        happening.push(due[2]())
      }
      if (await sendLine(line, { port, host, agent })) answered++
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, send))
  await Promise.all(happening)
  agent.destroy()
  return answered
}

function linesOf(file: string): string[] {
  const bytes = readFileSync(file)
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1').split('\n')
}

/** False for a line whose request cannot be repeated. */
async function sendLine(line: string, to: { port: number; host: string; agent: Agent }): Promise<boolean> {
  const [, address, method, path, status, user_agent] = COMBINED.exec(line) ?? []
  if (path === undefined || !/^\/[!-~]*$/.test(path)) return false
  const headers = {
    host: to.host,
    'x-forwarded-for': address,
    'x-status': status,
    ...(user_agent === '-' ? {} : { 'user-agent': user_agent?.replace(/\\(.)/g, '$1') }),
  }
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port: to.port, method, path, headers, agent: to.agent }, (answer) => {
      answer.resume().once('end', () => resolve(true))
    })
    asked.once('error', (error: NodeJS.ErrnoException) => {
      // After some refusals, Caddy sends text that HTTP does not allow.
      if (error.code?.startsWith('HPE_')) resolve(false)
      else reject(error)
    })
    asked.end()
  })
}
