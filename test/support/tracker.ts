/**
 * Tracker evidence put straight into the stores, for tests of what is read from it; the collector has tests of its own.
 */
import { randomBytes } from 'node:crypto'
import { hashSecret } from '#accounts/bearer-secret.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { pathV1 } from '#paths/path-v1.ts'
import type { Site } from '#sites/site.ts'
import type { TestService } from './service.ts'

export interface TestEvent {
  /** Instant of receipt, RFC 3339. */
  at: string
  /** Any number stands for a visitor of that day. */
  visitor?: number
  stream?: 'browser' | 'server' | 'bot' | 'development'
  /** Events with the same number came in one request; left out, each in its own. */
  request?: number
  /** The sender's id; left out, a new one. */
  id?: string
  kind?: 'pageview' | 'event' | 'revenue'
  name?: string
  hostname?: string
  path?: string
  referrer_host?: string
  has_click_id?: boolean
  utm?: { source?: string; medium?: string; campaign?: string; term?: string; content?: string }
  props?: Record<string, string>
  revenue?: { kind: 'sale' | 'refund'; amount_minor: number; currency: string; order_key?: string }
}

let order = 0

/**
 * Enables the tracker of a site; a collector was up from `from` to `through` (RFC 3339), without a break. Returns both
 * keys.
 */
export async function enableTracker(
  service: Pick<TestService, 'installation'>,
  site: Site,
  { from, through }: { from: string; through: string },
): Promise<{ public_key: string; server_key: string }> {
  const { control, secrets } = service.installation
  const sealed_order_key = secrets.seal(randomBytes(32).toString('hex'), `tracker:${site.id}:order_key`)
  const enabled_at = Date.parse(from)
  await control.db
    .insertInto('trackers')
    .values({
      site_id: site.id,
      enabled_at,
      disabled_at: null,
      first_event_at: null,
      last_event_at: null,
      sealed_order_key,
    })
    .execute()
  const public_key = `spoor_pub_${randomBytes(16).toString('hex')}`
  const server_key = `spoor_srv_${randomBytes(32).toString('base64url')}`
  const key = { site_id: site.id, created_at: enabled_at, revoked_at: null }
  await control.db
    .insertInto('tracker_keys')
    .values([
      {
        id: crypto.randomUUID(),
        ...key,
        kind: 'public',
        secret_sha256: hashSecret(public_key),
        prefix: public_key,
      },
      {
        id: crypto.randomUUID(),
        ...key,
        kind: 'server',
        secret_sha256: hashSecret(server_key),
        prefix: server_key.slice(0, 18),
      },
    ])
    .execute()
  await control.db
    .insertInto('collector_runs')
    .values({ id: crypto.randomUUID(), from_at: enabled_at, through_at: Date.parse(through) })
    .execute()
  return { public_key, server_key }
}

/** Stores accepted events in the order given, marks their days dirty and counts them, as the collector does. */
export async function storeEvents(service: TestService, site: Site, given: readonly TestEvent[]): Promise<void> {
  const rows = given.map((event) => eventRow(site, event))
  const pages = new Map(given.map((event) => [`${host(site, event)} ${event.path ?? '/'}`, event]))
  const { evidence } = service.crawlers
  const named = [...pages.values()].map((event) => {
    const { path, fidelity } = pathV1(event.path ?? '/')
    return [site.id, host(site, event), path, fidelity, 'content']
  })
  await evidence.insert('pages', jsonText(named), named.length)
  for (const group of Map.groupBy(rows, (row) => String(row[1]).slice(0, 7)).values()) {
    await evidence.insert('events', jsonText(group), group.length)
  }
  const { db } = service.installation.control
  const counted = given.filter((event) => event.stream !== 'bot')
  for (const events of Map.groupBy(
    counted,
    (event) => `${event.at.slice(0, 10)} ${event.stream === 'server'}`,
  ).values()) {
    const [{ at, stream }] = events as [TestEvent]
    const day = utcDay(Date.parse(at))
    const reason = stream === 'server' ? 'server' : ''
    await db
      .insertInto('dirty_days')
      .values({ site_id: site.id, day, kind: 'sessions', cause: 'events', state: 'written', marked: ++order })
      .onConflict((conflict) => conflict.columns(['site_id', 'day', 'kind', 'cause']).doUpdateSet({ marked: order }))
      .execute()
    await db
      .insertInto('collection_counts')
      .values({ site_id: site.id, day, outcome: 'accepted', reason, events: events.length, last_at: dayStart(day) })
      .onConflict((conflict) =>
        conflict
          .columns(['site_id', 'day', 'outcome', 'reason'])
          .doUpdateSet((eb) => ({ events: eb('collection_counts.events', '+', events.length) })),
      )
      .execute()
  }
  const instants = given.filter((event) => event.stream !== 'bot').map((event) => Date.parse(event.at))
  const first = await db.selectFrom('trackers').selectAll().where('site_id', '=', site.id).executeTakeFirst()
  if (first === undefined || instants.length === 0) return
  await db
    .updateTable('trackers')
    .set({
      first_event_at: Math.min(...instants, first.first_event_at ?? Number.POSITIVE_INFINITY),
      last_event_at: Math.max(...instants, first.last_event_at ?? Number.NEGATIVE_INFINITY),
    })
    .where('site_id', '=', site.id)
    .execute()
}

const host = (site: Site, event: TestEvent) => event.hostname ?? site.root_domain
const jsonText = (rows: readonly (readonly unknown[])[]) =>
  Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))

function eventRow(site: Site, event: TestEvent): unknown[] {
  const at = Date.parse(event.at)
  const { path, fidelity } = pathV1(event.path ?? '/')
  const seq = ++order
  const utm = event.utm ?? {}
  return [
    site.id,
    utcDay(at),
    event.stream ?? 'browser',
    event.id ?? BigInt(`0x${randomBytes(16).toString('hex')}`).toString(),
    new Date(at).toISOString().replace('T', ' ').replace('Z', ''),
    String(seq),
    String(event.request ?? 1_000_000_000 + seq),
    String(event.visitor ?? 1),
    event.kind ?? 'pageview',
    event.name ?? (event.kind === 'revenue' ? 'revenue' : ''),
    host(site, event),
    path,
    fidelity,
    event.referrer_host ?? '',
    event.has_click_id === true,
    utm.source ?? '',
    utm.medium ?? '',
    utm.campaign ?? '',
    utm.term ?? '',
    utm.content ?? '',
    event.props ?? {},
    event.revenue?.kind ?? 'none',
    String(event.revenue?.amount_minor ?? 0),
    event.revenue?.currency ?? '',
    event.revenue?.order_key ?? '0',
  ]
}
