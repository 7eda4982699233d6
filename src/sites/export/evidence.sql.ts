/** Stored evidence of a site as an export writes it (decisions 7.7). */
import Type from 'typebox'
import { orNull } from '#contract/fields.ts'
import { and, count, day, type Fragment, instant, rows, sql, uint, uuid } from '#evidence/sql.ts'

/** Of a site, as far as it was received by an instant (epoch milliseconds). */
export interface Exported {
  site_id: string
  as_of: number
}

const StoredDay = Type.Object({ day: Type.String(), stored: count() })

/** The days with rows in a table; rows that were delivered twice may count twice. */
export const storedDays = (table: 'requests' | 'events', exported: Exported) => rows(StoredDay)`
  SELECT toString(day) AS day, count() AS stored
  FROM ${TABLES[table]}
  WHERE ${ofSite(exported)}
  GROUP BY day
  ORDER BY day`

/** One of several parts of equal size of a day. */
export interface DayPart {
  day: string
  index: number
  of: number
}

const StoredRequest = Type.Object({
  event: Type.String(),
  at_ms: count(),
  precision: Type.String(),
  source_id: Type.String(),
  delivery_id: Type.String(),
  /** Of a zone's hour, as `hour_readings` names the one that counts; 0 for other sources. */
  reading: count(),
  requests: count(),
  provider_estimate: orNull(count()),
  host: Type.String(),
  path: Type.String(),
  path_fidelity: Type.String(),
  path_class: Type.String(),
  /** 0: unobserved. */
  status: count(),
  /** As reported; 0: none was. */
  status_raw: count(),
  method: Type.String(),
  edge_action: orNull(Type.String()),
  user_agent: Type.String(),
  received_ms: count(),
})

/** The observed requests of one part of a day. */
export const storedRequests = (exported: Exported, part: DayPart) => rows(StoredRequest)`
  SELECT toString(event) AS event, toUnixTimestamp64Milli(at) AS at_ms, toString(precision) AS precision,
    toString(source_id) AS source_id, toString(delivery_id) AS delivery_id, reading, requests, provider_estimate,
    toString(host) AS host, path, toString(path_fidelity) AS path_fidelity, toString(path_class) AS path_class, status,
    status_raw, toString(method) AS method, toString(edge_action) AS edge_action, toString(user_agent) AS user_agent,
    toUnixTimestamp64Milli(received_at) AS received_ms
  FROM spoor.requests FINAL
  WHERE ${and([ofSite(exported), inPart(sql`requests.event`, part)])}
  ORDER BY requests.event`

const StoredEvent = Type.Object({
  id: Type.String(),
  stream: Type.String(),
  received_ms: count(),
  /** The place of the event among all events, by which they are ordered (rules 6). */
  seq: Type.String(),
  /** The same for events that came in one request, which alone are in order within a millisecond. */
  request: Type.String(),
  visitor: Type.String(),
  kind: Type.String(),
  name: Type.String(),
  hostname: Type.String(),
  path: Type.String(),
  path_fidelity: Type.String(),
  referrer_host: Type.String(),
  has_click_id: Type.Boolean(),
  utm_source: Type.String(),
  utm_medium: Type.String(),
  utm_campaign: Type.String(),
  utm_term: Type.String(),
  utm_content: Type.String(),
  props: Type.Record(Type.String(), Type.String()),
  revenue_kind: Type.String(),
  amount_minor: count(),
  currency: Type.String(),
  /** A keyed hash of the order id, by which orders are compared; `0`: the event has none. */
  order_key: Type.String(),
})

/** The events of one part of a day. */
export const storedEvents = (exported: Exported, part: DayPart) => rows(StoredEvent)`
  SELECT toString(id) AS id, toString(stream) AS stream, toUnixTimestamp64Milli(received_at) AS received_ms,
    toString(seq) AS seq, toString(request) AS request, toString(visitor) AS visitor, toString(kind) AS kind,
    toString(name) AS name, toString(hostname) AS hostname, path, toString(path_fidelity) AS path_fidelity,
    toString(referrer_host) AS referrer_host, has_click_id, toString(utm_source) AS utm_source,
    toString(utm_medium) AS utm_medium, toString(utm_campaign) AS utm_campaign, toString(utm_term) AS utm_term,
    toString(utm_content) AS utm_content, props, toString(revenue_kind) AS revenue_kind, amount_minor,
    toString(currency) AS currency, toString(order_key) AS order_key
  FROM spoor.events FINAL
  WHERE ${and([ofSite(exported), inPart(sql`events.id`, part)])}
  ORDER BY events.stream, events.id`

const TABLES = { requests: sql`spoor.requests`, events: sql`spoor.events` }

const ofSite = ({ site_id, as_of }: Exported): Fragment =>
  and([sql`site_id = ${uuid(site_id)}`, sql`received_at <= ${instant(as_of)}`])

const inPart = (key: Fragment, part: DayPart): Fragment =>
  and([sql`day = ${day(part.day)}`, sql`cityHash64(${key}) % ${uint(part.of)} = ${uint(part.index)}`])
