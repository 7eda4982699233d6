/** A site with millions of visitors' events in 30 days, generated in the engine. */
import { randomBytes, randomUUID } from 'node:crypto'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#clock.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { markDays } from '#derived/dirty-days.ts'
import { type Fragment, instant, sql, text, uint, uuid } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import type { Installation } from '#installation/installation.ts'
import type { Site } from '#sites/site.ts'
import { addSite } from '#sites/sites.ts'

export const DAYS = 30
/** Host+paths that pageviews are drawn from by Zipf's law, exponent 1. */
export const PAGES = 4_000
/** Events of a visitor on a day. */
const EVENTS_EACH = 7
/** How many of a hundred visitors of a day come back after more than half an hour. */
const RETURNING_PERCENT = 16

export interface FillOptions {
  /** The number of events of the open day compared with other days: 1 is the same. */
  open_day?: number
  /** Fewer than 30 days, each with as many events. */
  days?: number
  /** Of the site; example.com unless given. */
  domain?: string
  /** Fills this site instead of a new one. */
  site?: Site
  /** The latest time of an event in its day, milliseconds since the beginning of the day; 22 hours by default. */
  latest_ms?: number
}

/**
 * Adds the site and fills the last 30 days; the last of them is open. The time must be 22:00 UTC or later, because
 * every event of a day is earlier. 7 events for each visitor-day, 1.16 sessions; 5 % named events with properties, some
 * revenue, the first pageview of a session with a referrer (30 %) or UTM values (8 %). All closed days are dirty.
 */
export async function fillTracker(
  installation: Installation,
  events: number,
  options: FillOptions = {},
): Promise<Site> {
  const { operator, clock } = installation
  const { evidence } = await installation.crawlers()
  const site = options.site ?? (await addSite(operator, { ...operator, domain: options.domain ?? 'example.com' }))
  const today = dayStart(utcDay(clock.now()))
  const length = options.days ?? DAYS
  const days = Array.from({ length }, (_, index) => utcDay(today - (length - 1 - index) * DAY_MS))
  for (const day of days) {
    const isOpen = day === days.at(-1)
    const count = Math.round((events / DAYS) * (isOpen ? (options.open_day ?? 1) : 1))
    const latest_ms = options.latest_ms ?? 22 * HOUR_MS
    // Events of an open day are stored hour by hour, as they arrive, so its parts follow each other in time.
    const spans = isOpen ? hoursBefore(latest_ms) : [{ from: 0, to: DAY_MS }]
    for (const span of spans)
      await evidence.run(insertDay({ site_id: site.id, day, count, latest_ms, span }), { max_memory_mb: 2_000 })
    await evidence.run(insertServerRevenue(site.id, day))
  }
  await evidence.run(sql`
    INSERT INTO spoor.pages (site_id, host, path, path_fidelity, path_class)
    SELECT DISTINCT site_id, hostname, path, path_fidelity, 'content' FROM spoor.events WHERE site_id = ${uuid(site.id)}`)
  await rememberCollection(installation, site, days, Math.round(events / DAYS))
  return site
}

/** The longest time from the first event of a visitor to the last. */
const MAX_VISIT_MS = 2 * HOUR_MS + 5 * MINUTE_MS

interface Span {
  /** Milliseconds since the beginning of the day. */
  from: number
  to: number
}

function hoursBefore(latest_ms: number): Span[] {
  const hours = Math.ceil(latest_ms / HOUR_MS)
  return Array.from({ length: hours }, (_, hour) => ({
    from: hour * HOUR_MS,
    to: hour === hours - 1 ? DAY_MS : (hour + 1) * HOUR_MS,
  }))
}

interface FilledDay {
  site_id: string
  day: string
  count: number
  latest_ms: number
  /** Only its events are inserted. */
  span: Span
}

const insertDay = ({ site_id, day, count, latest_ms, span }: FilledDay): Fragment => sql`
  INSERT INTO spoor.events (site_id, day, stream, id, received_at, seq, request, visitor, kind, name, hostname, path, path_fidelity,
    referrer_host, has_click_id, utm_source, utm_medium, utm_campaign, utm_term, utm_content, props,
    revenue_kind, amount_minor, currency, order_key)
  WITH
    ${text(day)} AS of_day,
    ${uint(Math.max(1, Math.round(count / EVENTS_EACH)))} AS visitors,
    number % visitors AS who,
    intDiv(number, visitors) AS nth,
    cityHash64(of_day, who, 1) AS person,
    cityHash64(of_day, number, 2) AS chance,
    person % 100 < ${uint(RETURNING_PERCENT)} AS returns,
    1 + intDiv(person, 100) % 6 AS back_at,
    nth = 0 OR (returns AND nth = back_at) AS begins,
    intDiv(person, 1000) % ${uint(beginsWithin(latest_ms))} + nth * 60000 + chance % 60000
      + if(returns AND nth >= back_at, 1900000 + intDiv(person, 7) % 5000000, 0) AS at_ms,
    toUInt32(floor(exp((cityHash64(of_day, number, 3) % 1000000) / 1000000 * log(${uint(PAGES + 1)})))) AS page,
    multiIf(begins, 'pageview', chance % 1000 < 2, 'revenue', chance % 1000 < 52, 'event', 'pageview') AS what,
    cityHash64(of_day, number, 4) AS origin,
    begins AND origin % 100 < 30 AS referred,
    begins AND origin % 100 >= 28 AND origin % 100 < 36 AS tagged
  SELECT
    ${uuid(site_id)}, toDate(of_day), 'browser', reinterpretAsUInt128(sipHash128(of_day, number)),
    ${instant(dayStart(day))} + toIntervalMillisecond(at_ms),
    bitShiftLeft(toUInt64(${uint(dayStart(day))} + at_ms), 20) + number % 1048576 AS order_of, order_of, person, what,
    multiIf(what = 'revenue', 'revenue', what = 'event', ['signup', 'download', 'add to cart', 'contact'][1 + chance % 4], ''),
    if(page % 5 = 0, 'docs.example.com', 'example.com'),
    concat('/section-', toString(page % 97), '/page-', toString(page)), 'exact',
    if(referred, multiIf(
      origin % 7 < 3, 'www.google.com', origin % 7 = 3, 'chatgpt.com', origin % 7 = 4, 'www.perplexity.ai',
      concat('site-', toString(intDiv(origin, 1000) % 400), '.example.net')), ''),
    tagged AND origin % 3 = 0,
    if(tagged, ['newsletter', 'chatgpt.com', 'google', 'partner'][1 + intDiv(origin, 100) % 4], ''),
    if(tagged, ['email', '', 'cpc', 'referral'][1 + intDiv(origin, 100) % 4], ''),
    if(tagged, concat('campaign-', toString(intDiv(origin, 1000) % 60)), ''),
    '', if(tagged AND origin % 2 = 0, concat('banner-', toString(intDiv(origin, 1000) % 9)), ''),
    if(what = 'event', map('plan', ['free', 'pro', 'team'][1 + chance % 3], 'seats', toString(chance % 50)), map()),
    if(what = 'revenue', 'sale', 'none'), if(what = 'revenue', 500 + chance % 20000, 0), if(what = 'revenue', 'EUR', ''),
    if(what = 'revenue', reinterpretAsUInt128(sipHash128(of_day, number, 'order')), 0)
  FROM numbers(${uint(count)})
  WHERE at_ms >= ${uint(span.from)} AND at_ms < ${uint(span.to)}`

/** Visits begin within this many milliseconds of the beginning of a day. */
const beginsWithin = (latest_ms: number) => Math.max(MINUTE_MS, latest_ms - MAX_VISIT_MS)

/**
 * Events that arrive now: pageviews of visitors who open one page per minute for seven minutes; there are 60 of them at
 * a time for each event per second. The collector is marked as up, and the day as dirty, as by a delivery. Returns the
 * instant up to which all arrived events are stored, epoch milliseconds, if half a second passes between two calls.
 */
export async function addEvents(
  { control, clock }: Pick<Installation, 'control' | 'clock'>,
  evidence: EvidenceStore,
  { site_id, count, run, visitors }: { site_id: string; count: number; run: number; visitors: number },
): Promise<number> {
  const now = clock.now()
  const day = utcDay(now)
  await evidence.run(sql`
    INSERT INTO spoor.events (site_id, day, stream, id, received_at, seq, request, visitor, kind, name, hostname, path, path_fidelity)
    WITH
      ${uint(run * count)} + number AS nth,
      cityHash64('arrives', nth) AS chance,
      toUInt32(floor(exp((chance % 1000000) / 1000000 * log(${uint(PAGES + 1)})))) AS page,
      ${uint(now)} - chance % 500 AS at_ms,
      bitShiftLeft(toUInt64(at_ms), 20) + nth % 1048576 AS order_of
    SELECT ${uuid(site_id)}, toDate(${text(day)}), 'browser', reinterpretAsUInt128(sipHash128('arrives', nth)),
      fromUnixTimestamp64Milli(toInt64(at_ms), 'UTC'), order_of, order_of,
      cityHash64('arrives', intDiv(${uint(now)}, ${uint(7 * MINUTE_MS)}), nth % ${uint(visitors)}), 'pageview', '',
      if(page % 5 = 0, 'docs.example.com', 'example.com'),
      concat('/section-', toString(page % 97), '/page-', toString(page)), 'exact'
    FROM numbers(${uint(count)})`)
  await control.transaction(async (tx) => {
    await markDays(tx, { kind: 'sessions', cause: 'events', state: 'written', now }, [{ site_id, day }])
    await tx.updateTable('collector_runs').set({ through_at: now }).where('through_at', '<', now).execute()
  })
  return now
}

/** Every second order that browsers reported is also reported by the customer's server, one second later. */
const insertServerRevenue = (site_id: string, day: string): Fragment => sql`
  INSERT INTO spoor.events (site_id, day, stream, id, received_at, seq, request, visitor, kind, name, hostname, path, path_fidelity,
    revenue_kind, amount_minor, currency, order_key)
  SELECT site_id, day, 'server', id, received_at + toIntervalSecond(1), seq + bitShiftLeft(toUInt64(1000), 20), request, 0, 'revenue', 'revenue',
    '', '', 'exact', 'sale', amount_minor, currency, order_key
  FROM spoor.events
  WHERE site_id = ${uuid(site_id)} AND day = toDate(${text(day)}) AND kind = 'revenue' AND stream = 'browser' AND visitor % 2 = 0`

/** The records of the collector for such a history. */
async function rememberCollection(
  { control, clock, secrets }: Installation,
  site: Site,
  days: readonly string[],
  eachDay: number,
): Promise<void> {
  const site_id = site.id
  const from_at = dayStart(days[0] as string)
  const through_at = clock.now()
  const sealed_order_key = secrets.seal(randomBytes(32).toString('hex'), `tracker:${site_id}:order_key`)
  await control.transaction(async (tx) => {
    await tx
      .insertInto('trackers')
      .values({
        site_id,
        enabled_at: from_at,
        disabled_at: null,
        first_event_at: from_at,
        last_event_at: through_at,
        sealed_order_key,
      })
      .execute()
    await tx
      .insertInto('tracker_keys')
      .values({
        id: randomUUID(),
        site_id,
        kind: 'public',
        secret_sha256: randomBytes(32).toString('hex'),
        prefix: `spoor_pub_${randomBytes(16).toString('hex')}`,
        created_at: from_at,
        revoked_at: null,
      })
      .execute()
    await tx.insertInto('collector_runs').values({ id: randomUUID(), from_at, through_at }).execute()
    for (const day of days) {
      const mark = { kind: 'sessions', cause: 'events', state: 'written', marked: 1 } as const
      await tx
        .insertInto('dirty_days')
        .values({ site_id, day, ...mark })
        .execute()
      await tx
        .insertInto('collection_counts')
        .values({ site_id, day, outcome: 'accepted', reason: '', events: eachDay, last_at: dayStart(day) + DAY_MS - 1 })
        .execute()
    }
  })
}
