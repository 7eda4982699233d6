/**
 * The requests of a real log go to a real nginx or Caddy, a real syslog-ng ships what it logs, and both the service and
 * syslog-ng are killed during the run; at the end, every crawler and status must have been counted exactly as often as
 * the server logged it. All are configured as their pages in docs/senders describe. Run: npm run bench -- sender-trial
 * LOG.gz [nginx|caddy] [seconds]; LOG is in the combined format.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../test/support/free-port.ts'
import { type Counts, countLogged, sameCounts } from './sender-trial/count-logged.ts'
import { replay } from './sender-trial/replay.ts'
import { blockOf, SERVERS, type TrialServer } from './sender-trial/servers.ts'

const [log, name = 'nginx', seconds = '60'] = process.argv.slice(2)
const server = SERVERS[name]
if (log === undefined || server === undefined)
  throw new Error('usage: npm run bench -- sender-trial LOG.gz [nginx|caddy] [seconds]')

const SITE = 'example.com'
const MAIN = new URL('../cli/main.ts', import.meta.url).pathname
const MAX_WAIT_MS = 60_000
const QUERY = '?window=3d&purpose=search,assistant,training,unknown'

const folder = mkdtempSync(join(tmpdir(), 'spoor-sender-'))
const data = join(folder, 'data')
const access_log = join(folder, 'spoor.log')
const [port, server_port] = [await freePort(), await freePort()]
const url = `http://127.0.0.1:${port}`
const running = new Set<ChildProcess>()

try {
  await spoor('site', 'add', SITE)
  const { token } = JSON.parse(await spoor('source', 'add', SITE, '--name', 'web1', '--json')) as {
    token: { secret: string }
  }
  const { secret: key } = JSON.parse(await spoor('key', 'create', '--name', 'trial', '--json')) as { secret: string }
  writeFileSync(join(folder, server.file), server.configure({ folder, port: server_port, access_log }))
  writeFileSync(join(folder, 'syslog-ng.conf'), syslogConfiguration(token.secret, server))

  let service = await serve()
  const web = start(server.command, server.args(folder))
  let shipper = ship()
  await pause(1000)
  const restartService = async (away_ms: number) => {
    await end(service, 'SIGKILL')
    await pause(away_ms)
    service = await serve()
  }
  const restartShipper = async (signal: 'SIGTERM' | 'SIGKILL') => {
    await end(shipper, signal)
    shipper = ship()
  }
  const sent = await replay({
    log,
    port: server_port,
    host: `www.${SITE}`,
    duration_ms: Number(seconds) * 1000,
    // At these shares of the log; the replay does not wait for them.
    events: [
      [0.1, 'service killed with -9, away for 3 s', () => restartService(3000)],
      [0.3, 'service killed with -9', () => restartService(0)],
      [0.4, 'syslog-ng restarted', () => restartShipper('SIGTERM')],
      [0.5, `log rotated (${server.turns_over_on ?? 'by itself'})`, async () => turnOver(web, server.turns_over_on)],
      [0.6, 'service killed with -9', () => restartService(0)],
      [0.75, 'syslog-ng killed with -9', () => restartShipper('SIGKILL')],
      [0.9, 'service killed with -9', () => restartService(0)],
    ],
  })
  // A request is logged after it is answered.
  await pause(1000)
  const logged = countLogged(folder, server.read)
  console.log(
    `${sent} requests answered by ${name}, ${logged.lines} lines logged, ${logged.crawler_requests} of known crawlers`,
  )
  const reported = await settled(key, logged)
  for (const [crawler, count] of logged.by_crawler)
    console.log(`${crawler}: logged ${count}, Spoor ${reported.by_crawler.get(crawler) ?? 0}`)
  for (const [status, count] of logged.by_status)
    console.log(`${status}: logged ${count}, Spoor ${reported.by_status.get(status) ?? 0}`)
  if (!sameCounts(logged, reported)) throw new Error('the counts differ')
  console.log(`Every crawler and status was counted as often as ${name} logged it.`)
} finally {
  await Promise.all([...running].map((one) => end(one, one.spawnfile === server.command ? 'SIGTERM' : 'SIGKILL')))
  rmSync(folder, { recursive: true, force: true })
}

/** The page's block for syslog-ng, with this trial's paths and earlier retries. */
function syslogConfiguration(token: string, { page, log: written }: TrialServer): string {
  const block = blockOf(page, 'syslog-ng')
    .replace(written, access_log)
    .replace('https://spoor.example.com', url)
    .replace('spoor_src_…', token)
    .replace('/var/lib/syslog-ng', folder)
    .replace('time-reopen(10)', 'time-reopen(1)')
    .replace('batch-timeout(5000)', 'batch-timeout(300)')
  return `@version: 3.38\n${block}`
}

function start(command: string, args: string[]): ChildProcess {
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  running.add(child)
  return child
}

function ship(): ChildProcess {
  const files = ['-R', 'persist', '-c', 'control', '-p', 'pid'].map((arg, at) =>
    at % 2 === 0 ? arg : join(folder, arg),
  )
  return start('syslog-ng', ['-F', '--no-caps', '-f', join(folder, 'syslog-ng.conf'), ...files])
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  running.delete(child)
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await ended
}

/** As logrotate does: the file is renamed, then the server opens a new one. */
function turnOver(web: ChildProcess, on: TrialServer['turns_over_on']): void {
  if (on === null) return
  renameSync(access_log, `${access_log}.1`)
  web.kill(on)
}

/** The service process itself, without a supervisor; ready when it answers. */
async function serve(): Promise<ChildProcess> {
  const args = [MAIN, 'serve', '--port', String(port), '--json', '--data', data]
  const service = spawn('node', args, { stdio: 'ignore', env: { ...process.env, UV_THREADPOOL_SIZE: '16' } })
  running.add(service)
  for (let tries = 0; tries < 600; tries++) {
    const answer = await fetch(`${url}/v1/openapi.json`).catch(() => null)
    await answer?.arrayBuffer()
    if (answer?.ok) return service
    await pause(50)
  }
  throw new Error('the service did not start')
}

async function spoor(...args: string[]): Promise<string> {
  const child = spawn('node', [MAIN, ...args, '--data', data], { stdio: ['ignore', 'pipe', 'inherit'] })
  const text = await new Response(child.stdout as unknown as ReadableStream).text()
  return text
}

/** Spoor's answer once it has everything, or when the wait is over. */
async function settled(key: string, logged: Counts): Promise<Counts> {
  const before = Date.now() + MAX_WAIT_MS
  for (;;) {
    const reported = await ask(key)
    if (sameCounts(logged, reported) || Date.now() > before) return reported
    await pause(1000)
  }
}

async function ask(key: string): Promise<Counts> {
  const get = async <Answer>(operation: string) => {
    const headers = { authorization: `Bearer ${key}` }
    const answer = await fetch(`${url}/v1/sites/${SITE}/${operation}${QUERY}`, { headers })
    return (await answer.json()) as Answer
  }
  const { crawlers } = await get<{ crawlers: { crawler_id: string; observed_request_count: number }[] }>('crawlers')
  const { http_outcomes } = await get<{ http_outcomes: { statuses: Status[] }[] }>('performance')
  const statuses = http_outcomes.flatMap((outcome) => outcome.statuses)
  return {
    by_crawler: new Map(crawlers.map((one) => [one.crawler_id, one.observed_request_count])),
    by_status: new Map(statuses.map((one) => [one.http_status ?? 0, one.observed_request_count])),
  }
}

interface Status {
  http_status: number | null
  observed_request_count: number
}
