/** A service that collects, one site with both keys, and what a browser and a server send to it. */
import Type from 'typebox'
import { count, rows } from '#evidence/sql.ts'
import type { Site } from '#sites/site.ts'
import type { Collector, CollectorOptions } from '#tracker/collection/collector.ts'
import type { Answer, TestService } from './service.ts'
import { openTestService } from './service.ts'
import { enableTracker } from './tracker.ts'

export const BROWSER =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

export interface Collecting {
  service: TestService
  collector: Collector
  site: Site
  public_key: string
  server_key: string
  /** An event as the script sends it, with what a test says otherwise. */
  event(over?: Record<string, unknown>): Record<string, unknown>
  /** What a browser on example.com sends. */
  browser(body: unknown, headers?: Record<string, string>): Promise<Answer>
  server(body: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Everything that is in the evidence store now. */
  rows(): Promise<Stored[]>
  /** The same after the spool has been emptied. */
  stored(): Promise<Stored[]>
  /** Events that were counted as refused, by reason. */
  refused(): Promise<Record<string, number>>
  close(): Promise<void>
}

const StoredRow = Type.Object({
  day: Type.String(),
  stream: Type.String(),
  kind: Type.String(),
  name: Type.String(),
  hostname: Type.String(),
  path: Type.String(),
  path_fidelity: Type.String(),
  visitor: Type.String(),
  seq: Type.String(),
  request: Type.String(),
  received_at: Type.String(),
  referrer_host: Type.String(),
  has_click_id: Type.Boolean(),
  utm: Type.String(),
  props: Type.String(),
  revenue_kind: Type.String(),
  amount_minor: count(),
  currency: Type.String(),
  order_key: Type.String(),
})
export type Stored = Type.Static<typeof StoredRow>

const storedEvents = rows(StoredRow)`
  SELECT toString(day) AS day, toString(stream) AS stream, toString(kind) AS kind, toString(name) AS name,
    toString(hostname) AS hostname, path, toString(path_fidelity) AS path_fidelity, toString(visitor) AS visitor,
    toString(seq) AS seq, toString(request) AS request, toString(received_at) AS received_at,
    toString(referrer_host) AS referrer_host, has_click_id,
    arrayStringConcat([utm_source, utm_medium, utm_campaign, utm_term, utm_content], '|') AS utm,
    toString(props) AS props, toString(revenue_kind) AS revenue_kind, amount_minor, toString(currency) AS currency,
    toString(order_key) AS order_key
  FROM spoor.events FINAL
  ORDER BY spoor.events.seq`

/** Opens it with the clock at `now`; the site is example.com. */
export async function openCollecting(
  now: string,
  options: CollectorOptions & { folder?: string } = {},
): Promise<Collecting> {
  const { folder, ...collects } = options
  const service = await openTestService(now, folder, { collects })
  const { collector } = service
  if (collector === null) throw new Error('a service that collects has a collector')
  const site = await service.addSite('example.com')
  const keys = await enableTracker(service, site, { from: now, through: now })
  const headers = { 'user-agent': BROWSER, origin: 'https://example.com', 'content-type': 'text/plain;charset=UTF-8' }
  const text = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body))
  return {
    service,
    collector,
    site,
    ...keys,
    event: (over = {}) => ({
      v: 1,
      site: keys.public_key,
      type: 'pageview',
      url: 'https://example.com/',
      id: crypto.randomUUID(),
      ...over,
    }),
    browser: (body, more = {}) =>
      service.ask('/collect', { method: 'POST', key: null, body: text(body), headers: { ...headers, ...more } }),
    server: (body, more = {}) =>
      service.ask('/collect/server', {
        method: 'POST',
        key: null,
        body: text(body),
        headers: { authorization: `Bearer ${keys.server_key}`, 'content-type': 'application/json', ...more },
      }),
    rows: () => service.crawlers.evidence.all(storedEvents),
    async stored() {
      await collector.settle()
      return service.crawlers.evidence.all(storedEvents)
    },
    async refused() {
      await collector.mark()
      const { db } = service.installation.control
      const counts = await db.selectFrom('collection_counts').selectAll().where('outcome', '=', 'refused').execute()
      return Object.fromEntries(counts.map(({ reason, events }) => [reason, events]))
    },
    close: () => service.close(),
  }
}
