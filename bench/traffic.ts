/** Sites with everything that they need, and traffic to them at fixed rates, regardless of how fast it is answered. */
import { randomUUID } from 'node:crypto'
import { Agent, type OutgoingHttpHeaders, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { systemClock } from '#clock.ts'
import { readConfig } from '#config.ts'
import { openInstallation } from '#installation/open-installation.ts'
import { runOperation } from '#surfaces/operator/operations.ts'
import { intakeBatch } from './intake-batch.ts'
import { keepConnection, postRequest } from './kept-connections.ts'

export interface BenchSite {
  id: string
  domain: string
  /** Of its intake source. */
  token: string
  /** Public, of its tracker. */
  tracker_key: string
}

/** Rates per second, over all sites together. */
export interface Rates {
  /** Records of logs with a crawler, which are stored. */
  crawler_records?: number
  /** Records of logs without a crawler, which are counted. */
  human_records?: number
  /** Batches of one record with a crawler, evenly spread. */
  single_batches?: number
  /** Tracker events, one per request. */
  events?: number
  /** Reads, one operation after the other. */
  reads?: number
}

/** What was accepted. */
export interface Sent {
  crawler_records: number
  human_records: number
  events: number
  reads: number
  /** Answers that were not 2xx, and what the first of them said. */
  errors: number
  first_error: string | null
  /** How long events, batches of records and reads took, milliseconds. */
  event_ms: number[]
  batch_ms: number[]
  read_ms: number[]
}

/** Adds sites to a data folder that no other process uses, and a key that reads them all. */
export async function addSites(data: string, count: number): Promise<{ sites: BenchSite[]; key: string }> {
  const config = { ...readConfig({}), data }
  const installation = await openInstallation({
    config,
    clock: systemClock(),
    log: pino({ level: 'silent' }),
    wait_ms: 0,
  })
  try {
    await installation.crawlers()
    const { operator } = installation
    const sites: BenchSite[] = []
    for (let at = 0; at < count; at++) {
      const domain = `site-${at}.example`
      const { id } = await runOperation(operator, 'site.add', { domain })
      const source = await runOperation(operator, 'source.add', { site: id, type: 'https_intake', name: 'web' })
      const tracker = await runOperation(operator, 'tracker.enable', { site: id })
      sites.push({ id, domain, token: source.token.secret, tracker_key: tracker.public_id as string })
    }
    const { secret } = await runOperation(operator, 'key.create', { name: 'bench', sites: [] })
    return { sites, key: secret }
  } finally {
    await installation.close()
  }
}

/** The interval of sending what is due. It is short, because events of many sites arrive evenly spread. */
const TICK_MS = 10
/** Batches are delivered this often. */
const BATCH_TICKS = 25
const CONNECTIONS = 256
const PAGES = 400
/** The pages of a visitor and the seconds between them; visitors never come back. */
const VISITED_PAGES = 3
const SECONDS_A_PAGE = 10
/** Number of events sent so far, so that later traffic has other visitors. */
let events_sent = 0
const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const READS = ['performance', 'crawlers', 'top-pages', 'overview', 'pages', 'analytics-sources']

/** Sends for some seconds what is due, batches four times per second, to one site after the other. */
export async function sendTraffic(
  { url, sites, key }: { url: string; sites: readonly BenchSite[]; key: string },
  rates: Rates,
  seconds: number,
): Promise<Sent> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const sent: Sent = {
    crawler_records: 0,
    human_records: 0,
    events: 0,
    reads: 0,
    errors: 0,
    first_error: null,
    event_ms: [],
    batch_ms: [],
    read_ms: [],
  }
  const ask = async (path: string, method: string, headers: OutgoingHttpHeaders, body?: Buffer | string) => {
    const started = performance.now()
    const { status, text } = await exchange(agent, new URL(path, url), method, headers, body)
    if (status < 200 || status > 299) {
      sent.errors++
      sent.first_error ??= `${method} ${path}: ${status} ${text.slice(0, 300)}`
    }
    return { is_taken: status >= 200 && status <= 299, ms: performance.now() - started }
  }
  const under_way = new Set<Promise<unknown>>()
  const start = (work: Promise<unknown>) => {
    const done = work.catch((error: unknown) => {
      sent.errors++
      sent.first_error ??= String(error)
    })
    under_way.add(done)
    void done.finally(() => under_way.delete(done))
  }
  const note = (kind: 'events' | 'reads', times: number[], { is_taken, ms }: { is_taken: boolean; ms: number }) => {
    times.push(ms)
    if (is_taken) sent[kind]++
  }
  const due: Record<string, number> = {}
  let turn = 0
  const next = () => sites[turn++ % sites.length] as BenchSite
  // Humans are only counted, so the same batch can be repeated; making another each time would cost more than the
  // batch.
  const human_batches = new Map<string, Buffer>()
  const humansOf = (domain: string, records: number) => {
    const key = `${domain} ${records}`
    const made = human_batches.get(key) ?? gzipSync(intakeBatch(turn, records, 0, false, { domain, from: Date.now() }))
    human_batches.set(key, made)
    return made
  }
  const deliver = (kind: 'crawler_records' | 'human_records', records: number) => {
    const { domain, token } = next()
    const from = Date.now() - 60_000
    const body =
      kind === 'human_records'
        ? humansOf(domain, records)
        : gzipSync(intakeBatch(turn, records, 1, false, { domain, from }), { level: 1 })
    const headers = {
      authorization: `Bearer ${token}`,
      'content-encoding': 'gzip',
      'content-type': 'application/x-ndjson',
    }
    start(
      ask('/intake/logs', 'POST', headers, body).then(({ is_taken, ms }) => {
        sent.batch_ms.push(ms)
        if (is_taken) sent[kind] += records
      }),
    )
  }
  const idle = Array.from({ length: CONNECTIONS }, () => keepConnection(Number(new URL(url).port)))
  const queued: { request: string; due_at: number; done: () => void }[] = []
  const sendQueued = () => {
    while (queued.length > 0) {
      const connection = idle.pop()
      if (connection === undefined) return
      const { request, due_at, done } = queued.shift() as (typeof queued)[number]
      connection.send(request, ({ status }) => {
        // Measured from when it was due, because waiting for a free connection is waiting for the service.
        note('events', sent.event_ms, { is_taken: status === 202, ms: performance.now() - due_at })
        if (status !== 202) {
          sent.errors++
          sent.first_error ??= `POST /collect: ${status}`
        }
        idle.push(connection)
        done()
        sendQueued()
      })
    }
  }
  const visitors_at_once = Math.max(1, Math.round((rates.events ?? 0) * SECONDS_A_PAGE))
  const nextVisitor = (): number => {
    const event = events_sent++
    return Math.floor(event / (visitors_at_once * VISITED_PAGES)) * visitors_at_once + (event % visitors_at_once)
  }
  const collect = () => {
    const visitor = nextVisitor()
    const { domain, tracker_key } = sites[visitor % sites.length] as BenchSite
    const address = `198.${18 + ((visitor >> 16) % 2)}.${(visitor >> 8) % 256}.${visitor % 256}`
    const event = {
      v: 1,
      site: tracker_key,
      type: 'pageview',
      url: `https://${domain}/articles/${events_sent % PAGES}`,
      referrer: 'https://news.example.org/',
      id: randomUUID(),
    }
    const user_agent = BROWSER.replace('142', String(100 + ((visitor >> 17) % 42)))
    const headers = { origin: `https://${domain}`, 'user-agent': user_agent, 'x-forwarded-for': address }
    const { promise, resolve } = Promise.withResolvers<void>()
    queued.push({
      request: postRequest('/collect', headers, JSON.stringify(event)),
      due_at: performance.now(),
      done: resolve,
    })
    start(promise)
  }
  // All operations of one site, then those of the next, as a dashboard requests them.
  let reads = 0
  const read = () => {
    const { id } = sites[Math.floor(reads / READS.length) % sites.length] as BenchSite
    const path = `/v1/sites/${id}/${READS[reads++ % READS.length]}?window=30d`
    start(
      ask(path, 'GET', { authorization: `Bearer ${key}` }).then((answered) => note('reads', sent.read_ms, answered)),
    )
  }
  const whole = (kind: keyof Rates, ticks = 1): number => {
    due[kind] = (due[kind] ?? 0) + ((rates[kind] ?? 0) * ticks * TICK_MS) / 1_000
    const now = Math.floor(due[kind])
    due[kind] -= now
    return now
  }
  const began = performance.now()
  for (let tick = 0; tick < (seconds * 1_000) / TICK_MS; tick++) {
    if (tick % BATCH_TICKS === 0) {
      const crawlers = whole('crawler_records', BATCH_TICKS)
      if (crawlers > 0) deliver('crawler_records', crawlers)
      const humans = whole('human_records', BATCH_TICKS)
      if (humans > 0) deliver('human_records', humans)
    }
    for (let batches = whole('single_batches'); batches > 0; batches--) deliver('crawler_records', 1)
    for (let events = whole('events'); events > 0; events--) collect()
    sendQueued()
    for (let reads = whole('reads'); reads > 0; reads--) read()
    const left = began + (tick + 1) * TICK_MS - performance.now()
    if (left > 0) await pause(left)
  }
  await Promise.all(under_way)
  for (const connection of idle) connection.close()
  agent.destroy()
  return sent
}

function exchange(
  agent: Agent,
  url: URL,
  method: string,
  headers: OutgoingHttpHeaders,
  body: Buffer | string = '',
): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
  const length = { 'content-length': Buffer.byteLength(body) }
  const sending = request(url, { agent, method, headers: { ...headers, ...length } }, (response) => {
    let text = ''
    response.setEncoding('utf8')
    response.on('data', (piece: string) => {
      text += piece
    })
    response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    response.on('error', reject)
  })
  sending.on('error', reject)
  sending.end(body)
  return promise
}
