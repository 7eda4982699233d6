/** The requests that traffic consists of: batches of log records, tracker events, and reads. */
import { randomUUID } from 'node:crypto'
import { Agent, type OutgoingHttpHeaders, request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { intakeBatch } from './intake-batch.ts'
import { keepConnection, postRequest } from './kept-connections.ts'
import type { Taken, TrafficCounts } from './traffic-counts.ts'

export interface BenchSite {
  id: string
  domain: string
  /** Of its intake source. */
  token: string
  /** Public, of its tracker. */
  tracker_key: string
}

/** Where the traffic goes; `key` reads every site. */
export interface Target {
  url: string
  sites: readonly BenchSite[]
  key: string
}

interface Message {
  path: string
  method: 'GET' | 'POST'
  headers: OutgoingHttpHeaders
  body?: Buffer
}
type Ask = (message: Message) => Promise<Taken>

const CONNECTIONS = 256

/** Sends requests over connections that are kept; counts answers that are not 2xx as errors. */
export function openRequester(url: string, counts: TrafficCounts): { ask: Ask; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  return {
    async ask(message) {
      const started = performance.now()
      const { status, text } = await exchange(agent, new URL(message.path, url), message)
      const is_taken = status >= 200 && status <= 299
      if (!is_taken) counts.addError(`${message.method} ${message.path}: ${status} ${text.slice(0, 300)}`)
      return { is_taken, ms: performance.now() - started }
    },
    close: () => agent.destroy(),
  }
}

function exchange(
  agent: Agent,
  url: URL,
  { method, headers, body = Buffer.alloc(0) }: Message,
): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
  const options = { agent, method, headers: { ...headers, 'content-length': body.length } }
  const sending = request(url, options, (response) => {
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

type RecordKind = 'crawler_records' | 'human_records'

/** Delivers a batch of log records, to one site after the other. */
export function openBatchSender({ sites }: Target, ask: Ask, counts: TrafficCounts) {
  let turn = 0
  // Humans are only counted, so the same batch can be repeated; making another each time would cost more than the
  // batch.
  const human_batches = new Map<string, Buffer>()
  const humansOf = (domain: string, records: number) => {
    const key = `${domain} ${records}`
    const made =
      human_batches.get(key) ?? gzipSync(intakeBatch(turn, records, { crawler_share: 0, domain, from: Date.now() }))
    human_batches.set(key, made)
    return made
  }
  return (kind: RecordKind, records: number): void => {
    const { domain, token } = sites[turn++ % sites.length] as BenchSite
    const from = Date.now() - 60_000
    const body =
      kind === 'human_records'
        ? humansOf(domain, records)
        : gzipSync(intakeBatch(turn, records, { crawler_share: 1, domain, from }), { level: 1 })
    const headers = {
      authorization: `Bearer ${token}`,
      'content-encoding': 'gzip',
      'content-type': 'application/x-ndjson',
    }
    const delivered = ask({ path: '/intake/logs', method: 'POST', headers, body })
    counts.track(delivered.then((taken) => counts.addBatch(kind, records, taken)))
  }
}

const PAGES = 400
/** The pages of a visitor and the seconds between them; visitors never come back. */
const VISITED_PAGES = 3
const SECONDS_A_PAGE = 10
const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
/** Number of events sent so far, so that later traffic has other visitors. */
let events_sent = 0

interface QueuedEvent {
  request: string
  due_at: number
  done: () => void
}

/** Queues events with `add` and sends them, each over a connection of its own, with `send`. */
export function openEventSender({ url, sites }: Target, events_a_second: number, counts: TrafficCounts) {
  const idle = Array.from({ length: CONNECTIONS }, () => keepConnection(Number(new URL(url).port)))
  const queued: QueuedEvent[] = []
  const visitors_at_once = Math.max(1, Math.round(events_a_second * SECONDS_A_PAGE))
  const nextVisitor = (): number => {
    const event = events_sent++
    return Math.floor(event / (visitors_at_once * VISITED_PAGES)) * visitors_at_once + (event % visitors_at_once)
  }
  const send = () => {
    while (queued.length > 0) {
      const connection = idle.pop()
      if (connection === undefined) return
      const { request, due_at, done } = queued.shift() as QueuedEvent
      connection.send(request, ({ status }) => {
        // Measured from when it was due, because waiting for a free connection is waiting for the service.
        counts.addEvent({ is_taken: status === 202, ms: performance.now() - due_at })
        if (status !== 202) counts.addError(`POST /collect: ${status}`)
        idle.push(connection)
        done()
        send()
      })
    }
  }
  return {
    add(): void {
      const visitor = nextVisitor()
      const { promise, resolve } = Promise.withResolvers<void>()
      const request = eventRequest(sites[visitor % sites.length] as BenchSite, visitor)
      queued.push({ request, due_at: performance.now(), done: resolve })
      counts.track(promise)
    },
    send,
    close() {
      for (const connection of idle) connection.close()
    },
  }
}

/** A pageview of a visitor, who has an address and a browser of their own. */
function eventRequest({ domain, tracker_key }: BenchSite, visitor: number): string {
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
  return postRequest('/collect', headers, JSON.stringify(event))
}

const READS = ['performance', 'crawlers', 'top-pages', 'overview', 'pages', 'analytics-sources']

/** Reads all operations of one site, then those of the next, as a dashboard requests them. */
export function openReader({ sites, key }: Target, ask: Ask, counts: TrafficCounts): () => void {
  let reads = 0
  return () => {
    const { id } = sites[Math.floor(reads / READS.length) % sites.length] as BenchSite
    const path = `/v1/sites/${id}/${READS[reads++ % READS.length]}?window=30d`
    const read = ask({ path, method: 'GET', headers: { authorization: `Bearer ${key}` } })
    counts.track(read.then((taken) => counts.addRead(taken)))
  }
}
