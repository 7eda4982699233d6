/** Step 7: checks one event of a request in a fixed order, and returns the values of its row (rules 6). */
import { createHmac, hash } from 'node:crypto'
import { describeValue, EventFault } from './collect-refusal.ts'
import {
  type EventKind,
  type Revenue,
  readEventId,
  readEventRevenue,
  readName,
  readProperties,
  unknownField,
} from './read-details.ts'
import { type EventPage, NO_PAGE, type PageReader } from './read-page.ts'
import { readLinkTarget, withTarget } from './read-target.ts'
import { type IdHash, idHashOfHex } from './recent-ids.ts'
import { type EventInput, isJsonObject } from './split-request.ts'
import type { TrackerSite } from './tracker-key-lookup.ts'

/** An event that will be stored. */
export interface ReadEvent {
  /** UInt128 of site and sender's id, decimal. */
  id: string
  id_hash: IdHash
  kind: EventKind
  name: string
  page: EventPage
  referrer_host: string
  /** JSON object of texts. */
  props: string
  revenue: Revenue | null
  /** UInt128 of the order id, decimal; `0` without one. */
  order_key: string
}

export interface ReadContext {
  site: TrackerSite
  /** The public key of the request; null for a server's request. */
  key: string | null
  pages: PageReader
  now: number
}

const FIELDS = new Set(['v', 'site', 'type', 'url', 'referrer', 'name', 'props', 'revenue', 'id', 'target'])

/** @throws EventFault with the first fault. */
export function readEvent(item: unknown, { site, key, pages, now }: ReadContext): ReadEvent {
  if (!isJsonObject(item))
    throw new EventFault('malformed_event', `The event is ${describeValue(item)}; send an object.`)
  for (const field in item) if (!FIELDS.has(field)) throw unknownField(field)
  const kind = readFrame(item, key)
  const id = readEventId(item.id, now)
  const page = key === null && item.url === undefined ? NO_PAGE : pages.read(item.url, site)
  const name = readName(kind, item.name)
  const revenue = readEventRevenue(kind, item.revenue, key === null)
  const id_digest = hash('sha256', `${site.site_id}${id}`, 'hex')
  return {
    id: uint128(id_digest),
    id_hash: idHashOfHex(id_digest),
    kind,
    name,
    page,
    referrer_host: pages.referrerHost(item.referrer, site.root_domain),
    props: withTarget(readProperties(name, item.props, site), readLinkTarget(name, item.target)),
    revenue,
    order_key: orderKey(revenue, site),
  }
}

function readFrame({ v, site, type }: EventInput, key: string | null): EventKind {
  if (v !== 1) throw new EventFault('unsupported_version', `v is ${describeValue(v)}; this service accepts version 1.`)
  if (site !== undefined && site !== key) {
    throw new EventFault(
      'other_site_key',
      key === null
        ? 'A server\'s events carry no "site": the token identifies the site; leave it out.'
        : 'The event carries another site key than the first event of its request; send a separate request for each site.',
    )
  }
  if (site === undefined && key !== null) {
    throw new EventFault('other_site_key', 'The event carries no "site"; send the site\'s public key with each event.')
  }
  if (type !== 'pageview' && type !== 'event' && type !== 'revenue') {
    throw new EventFault('unknown_type', `type is ${describeValue(type)}; send "pageview", "event" or "revenue".`)
  }
  if (type !== 'pageview' || key !== null) return type
  throw new EventFault('pageview_from_server', 'A server sends events and revenue; pageviews come from browsers.')
}

function orderKey(revenue: Revenue | null, site: TrackerSite): string {
  if (revenue === null || revenue.order_id === null) return '0'
  return uint128(createHmac('sha256', site.order_key).update(revenue.order_id).digest('hex'))
}

/** The first 16 bytes of a digest. */
const uint128 = (hex: string) => BigInt(`0x${hex.slice(0, 32)}`).toString()
