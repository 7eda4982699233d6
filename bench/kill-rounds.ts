/**
 * Kills the service with -9 again and again while it imports, accepts batches over HTTPS and rebuilds, and checks after
 * each start that nothing acknowledged is lost or doubled; at the end, every answer must equal that of an undisturbed
 * service. Run: npm run bench -- kill-rounds [rounds, default 100]
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DAY_MS, systemClock } from '#clock.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { history } from '#demo/history.ts'
import type { ImportReceipt } from '#intake/import/receipt.ts'
import { atExit } from './abuse/at-exit.ts'
import { deliverAll, type Prepared, prepareBatches } from './parts/retrying-sender.ts'

const rounds = Number(process.argv[2] ?? 100)
const MAIN = new URL('../cli/main.ts', import.meta.url).pathname
const CRAWLERS = ['gptbot', 'oai-searchbot', 'claudebot', 'chatgpt-user', 'googlebot']
const QUERY = '?window=365d&purpose=search,assistant,training,unknown'
const OPERATIONS = ['performance', 'crawlers', 'top-pages']
const IMPORTED = 'example.com'
const DELIVERED = 'example.net'
const BATCHES = 20
/** Imports and the rebuild after them end within this; kills fall anywhere in it. */
const BUSY_MS = 900

const today = systemClock().now()
const folder = mkdtempSync(join(tmpdir(), 'spoor-kill-'))
const files: string[] = []
const batches: Prepared[] = []
let expected = 0
let acknowledged = 0
let broken = 0
let retried = 0

try {
  const disturbed = await open(join(folder, 'disturbed'))
  for (let round = 1; round <= rounds; round++) {
    const { file, requests } = writeRound(round)
    files.push(file)
    const sent = importFile(disturbed.data, file)
    const own = prepareBatches(round, BATCHES, dayStart(utcDay(today)) - (2 + (round % 25)) * DAY_MS)
    batches.push(...own)
    const delivered = deliverAll(own, () => disturbed)
    await pause(Math.random() * BUSY_MS)
    disturbed.service.kill('SIGKILL')
    const receipt = await sent
    const answered = crawlersOf(batches.filter((batch) => batch.acknowledged))
    retried += own.filter((batch) => !batch.acknowledged).length
    disturbed.service = await serve(disturbed)
    const kept = await total(disturbed, DELIVERED)
    check(kept >= answered, `round ${round}: ${answered} requests were acknowledged, ${kept} are there`)
    await delivered
    const all = await total(disturbed, DELIVERED)
    check(all === crawlersOf(batches), `round ${round}: of ${crawlersOf(batches)} delivered requests ${all} are there`)
    const before = expected
    expected += requests
    const counted = await total(disturbed)
    if (receipt !== null) {
      acknowledged++
      check(counted === expected, `round ${round}: acknowledged, but ${counted} of ${expected} requests are there`)
    } else {
      broken++
      check(
        counted >= before && counted <= expected,
        `round ${round}: ${counted} requests, not between ${before} and ${expected}`,
      )
      await repeat(disturbed, file, round)
    }
    if (round % 10 === 0) {
      console.log(
        `${round} rounds: ${acknowledged} imports acknowledged before the kill, ${broken} broken off; ${batches.length} batches, ${retried} delivered after the kill`,
      )
    }
  }

  await settled(disturbed.data)
  const answers = await read(disturbed)
  disturbed.service.kill('SIGTERM')
  const calm = await open(join(folder, 'calm'))
  for (const file of files) await repeat(calm, file, 0)
  const again = batches.map((batch) => ({ ...batch, acknowledged: false }))
  await deliverAll(again, () => calm)
  const fromCalm = await read(calm)
  await settled(calm.data)
  const rolledUp = await read(calm)
  calm.service.kill('SIGTERM')
  check(answers === fromCalm, 'the answers differ from those of an undisturbed service')
  check(rolledUp === fromCalm, 'the undisturbed service answers differently from roll-ups')
  console.log(
    `${rounds} rounds: nothing lost, nothing doubled, roll-ups equal facts (${expected} requests imported, ${crawlersOf(batches)} delivered)`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

interface Running {
  data: string
  key: string
  /** The token of the source that batches are delivered to. */
  token: string
  url: string
  service: ChildProcess
}

async function open(data: string): Promise<Running> {
  await spoor('site', 'add', IMPORTED, '--data', data)
  await spoor('site', 'add', DELIVERED, '--data', data)
  const { token } = JSON.parse(
    await spoor('source', 'add', DELIVERED, '--name', 'rounds', '--json', '--data', data),
  ) as { token: { secret: string } }
  const { secret } = JSON.parse(await spoor('key', 'create', '--name', 'rounds', '--json', '--data', data)) as {
    secret: string
  }
  const running = { data, key: secret, token: token.secret, url: '', service: process as unknown as ChildProcess }
  running.service = await serve(running)
  return running
}

/** Starts the service process itself, without a supervisor, and waits until it is ready. */
async function serve(running: Running): Promise<ChildProcess> {
  const args = [MAIN, 'serve', '--port', '0', '--json', '--data', running.data]
  const service = spawn('node', args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, UV_THREADPOOL_SIZE: '16' },
  })
  // Also when a check fails or a signal comes.
  service.once(
    'exit',
    atExit(() => service.kill('SIGKILL')),
  )
  let text = ''
  for await (const piece of service.stdout as AsyncIterable<Buffer>) {
    text += piece.toString()
    const url = /"url": "([^"]+)"/.exec(text)
    if (url !== null) {
      running.url = url[1] as string
      return service
    }
  }
  throw new Error(`the service did not start: ${text}`)
}

/** A log of some days around the end of a month, partly the same days as in earlier rounds. */
function writeRound(round: number): { file: string; requests: number } {
  const log = history()
  let requests = 0
  for (let day = 0; day < 6; day++) {
    log.on(utcDay(today - (1 + ((round * 7 + day * 11) % 330)) * DAY_MS)).humans()
    for (const [index, crawler] of CRAWLERS.entries()) {
      const count = 40 + ((round + index) % 7) * 10
      log
        .crawler(crawler)
        .requests(count, { path: `/round-${round}/${index}`, status: index === 0 ? 404 : 200, from: '03:00' })
      requests += count
    }
  }
  const file = join(folder, `${round}.log`)
  writeFileSync(file, log.text())
  return { file, requests }
}

/** The receipt, or null if the import broke off. */
async function importFile(data: string, file: string): Promise<ImportReceipt | null> {
  try {
    return JSON.parse(await spoor('import', file, '--site', IMPORTED, '--json', '--data', data)) as ImportReceipt
  } catch {
    return null
  }
}

async function repeat(running: Running, file: string, round: number): Promise<void> {
  const receipt = await importFile(running.data, file)
  check(receipt !== null, `round ${round}: the repeated import failed`)
  if (round === 0) return
  const counted = await total(running)
  check(counted === expected, `round ${round}: after the repeat ${counted} of ${expected} requests are there`)
}

async function total(running: Running, site = IMPORTED): Promise<number> {
  const answer = JSON.parse(await get(running, 'performance', site)) as { observed_request_count: number | null }
  return answer.observed_request_count === null ? 0 : answer.observed_request_count
}

/** The observed numbers, without fields that differ by read or installation. */
async function read(running: Running): Promise<string> {
  const asked = [IMPORTED, DELIVERED].flatMap((site) => OPERATIONS.map((operation) => ({ site, operation })))
  const answers = await Promise.all(asked.map(({ site, operation }) => get(running, operation, site)))
  return JSON.stringify(answers.map((text) => ({ ...(JSON.parse(text) as object), meta: null })))
}

async function get(running: Running, operation: string, site = IMPORTED): Promise<string> {
  const headers = { authorization: `Bearer ${running.key}` }
  const answer = await fetch(`${running.url}/v1/sites/${site}/${operation}${QUERY}`, { headers })
  check(answer.status === 200, `${operation} answered ${answer.status}`)
  return answer.text()
}

/** Waits until no day is dirty. */
async function settled(data: string): Promise<void> {
  const { DatabaseSync } = await import('node:sqlite')
  for (;;) {
    const control = new DatabaseSync(join(data, 'control.sqlite'), { readOnly: true })
    const row = control.prepare('SELECT count(*) AS days FROM dirty_days WHERE kind = ?').get('crawlers') as {
      days: number
    }
    control.close()
    if (row.days === 0) return
    await pause(200)
  }
}

function spoor(...args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('node', [MAIN, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, UV_THREADPOOL_SIZE: '16' },
    })
    const out: Buffer[] = []
    const errors: Buffer[] = []
    child.stdout.on('data', (piece: Buffer) => out.push(piece))
    child.stderr.on('data', (piece: Buffer) => errors.push(piece))
    child.once('close', (code) => {
      if (code === 0) resolve(Buffer.concat(out).toString())
      else reject(new Error(Buffer.concat(errors).toString()))
    })
  })
}

function crawlersOf(some: readonly Prepared[]): number {
  return some.reduce((sum, { crawlers }) => sum + crawlers, 0)
}

function check(holds: boolean, complaint: string): void {
  if (!holds) throw new Error(complaint)
}
