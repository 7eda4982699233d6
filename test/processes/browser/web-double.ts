/**
 * A web in one local server: pages under any hostname, and a double of the collector that speaks `POST /collect` and
 * `GET /spoor.js` as docs/tracker/README.md says. The script it serves is the real one.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface SentEvent {
  v: number
  site: string
  type: string
  url: string
  id: string
  referrer?: string
  name?: string
  props?: unknown
  target?: string
  revenue?: unknown
}

interface Delivery {
  host: string
  path: string
  headers: IncomingMessage['headers']
  events: SentEvent[]
  /** What it was answered with; null as long as it was not. */
  status: number | null
}

interface Page {
  body: string
  headers: Record<string, string>
  /** Served once this is done. */
  after: Promise<void> | undefined
}

/**
 * What the collector does with a request: answers with this status, perhaps later, or with the status at once and the
 * rest of the answer later; or cuts the connection once it has read it.
 */
type Fate = number | 'cut' | Promise<number> | { status: number; rest: Promise<void> }

export interface WebDouble {
  port: number
  /** Every request to the collector, refused ones too, in order of arrival. */
  deliveries: Delivery[]
  /** What was taken, in order; the same id of a site again is the same event, as for the real collector. */
  events(site?: string): SentEvent[]
  /** Serves `html` under `host/path`. */
  page(place: string, html: string, options?: Partial<Pick<Page, 'headers' | 'after'>>): void
  /** Done when `host/path` has been asked for. */
  asked(place: string): Promise<void>
  /** What happens to the next requests, one each; after them, all are taken. */
  fates: Fate[]
  close(): Promise<void>
}

const SCRIPT = readFileSync(new URL('../../../tracker/dist/spoor.js', import.meta.url), 'utf8')

/** The collector's address in these tests. */
export const COLLECTOR = 'http://stats.example'

/** The tag of the install page; `options` are its further attributes. */
export function snippet(site = 'spoor_pub_a', options = ''): string {
  return `<script defer src="${COLLECTOR}/spoor.js?site=${site}" data-site="${site}" ${options}></script>`
}

/**
 * Calls made in one go with the script's start, however slow the machine is: before anything that was gathered can be
 * sent.
 */
export function atOnce(calls: string): string {
  return `<script type="module">${calls}</script>`
}

export async function openWeb(): Promise<WebDouble> {
  const pages = new Map<string, Page>()
  const askings = new Map<string, () => void>()
  const deliveries: Delivery[] = []
  const fates: Fate[] = []
  const server = createServer(async (request, response) => {
    const { host = '', pathname } = placeOf(request)
    if (request.method === 'POST' && pathname.endsWith('/collect')) return collect(request, response, host, pathname)
    if (pathname.endsWith('/spoor.js')) return response.setHeader('content-type', 'text/javascript').end(SCRIPT)
    askings.get(`${host}${pathname}`)?.()
    const page = pages.get(`${host}${pathname}`)
    await page?.after
    if (page === undefined) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'text/html', ...page.headers }).end(`<!doctype html>${page.body}`)
  })

  async function collect(request: IncomingMessage, response: ServerResponse, host: string, path: string) {
    const body: SentEvent | SentEvent[] = JSON.parse(await text(request))
    const events = Array.isArray(body) ? body : [body]
    const fate = fates.shift() ?? 202
    const delivery: Delivery = { host, path, headers: request.headers, events, status: null }
    deliveries.push(delivery)
    if (fate === 'cut') return request.socket.destroy()
    const { status, rest } = typeof fate === 'object' && 'rest' in fate ? fate : { status: await fate, rest: undefined }
    delivery.status = status
    response.setHeader('access-control-allow-origin', request.headers.origin ?? 'null')
    response.writeHead(status, { 'content-type': 'application/json' })
    if (rest !== undefined) response.flushHeaders()
    await rest
    response.end(
      JSON.stringify(
        status === 202 ? { accepted: events.length, rejected: [] } : { status, detail: `refused with ${status}` },
      ),
    )
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    deliveries,
    events(site) {
      const first = new Map<string, SentEvent>()
      for (const event of deliveries.filter(({ status }) => status === 202).flatMap(({ events }) => events)) {
        const key = `${event.site} ${event.id}`
        if (!first.has(key)) first.set(key, event)
      }
      return [...first.values()].filter((event) => site === undefined || event.site === site)
    },
    page(place, body, { headers = {}, after } = {}) {
      pages.set(place, { body, headers, after })
    },
    asked: (place) => new Promise((done) => askings.set(place, done)),
    fates,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function placeOf(request: IncomingMessage) {
  const { hostname, pathname } = new URL(request.url ?? '/', `http://${request.headers.host}`)
  return { host: hostname, pathname }
}
