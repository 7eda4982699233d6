/**
 * Handles one request: body, key, origin, limits, bots, events, visitor, rows, spool. It responds once the events are
 * durable (rules 6).
 */
import { utcDay } from '#days/utc-day.ts'
import type { Advised } from '#next-step.ts'
import type { AdmissionControl } from './admission-control.ts'
import type { BotClassifier } from './bot-classifier.ts'
import { CollectRefusal, EventFault, type EventFaultCode } from './collect-refusal.ts'
import type { CollectionCounts } from './collection-counts.ts'
import type { CollectorContext } from './context.ts'
import { refuseUnlistedDevelopment, siteSeenFrom } from './development-requests.ts'
import type { Stream } from './event-row.ts'
import type { PageHeaders } from './page-origin.ts'
import { type ReadEvent, readEvent } from './read-event.ts'
import type { PageReader } from './read-page.ts'
import type { CollectReceipt, ReceiptOrder } from './receipt-order.ts'
import type { RecentHour } from './recent-hour.ts'
import { missingOf, type RefusedSubject, WITH_REVOKED_KEY } from './refused-event-name.ts'
import type { RefusedEvidence } from './refused-evidence.ts'
import { findSite, lastSeen, refuseIfUnavailable, unknownKey } from './site-of-key.ts'
import { isJsonObject, readEventBody, readSiteKey, refuseUnnamedRevenue } from './split-request.ts'
import type { StoreEvents } from './store-events.ts'
import type { KeyKind, SiteKeys, TrackerSite } from './tracker-key-lookup.ts'
import { type Loading, takeVisit, visitAt } from './visit.ts'
import type { Visitors } from './visitor-salts.ts'

export interface BrowserRequest {
  body: Buffer
  page: PageHeaders
  /** The client's address, according to trusted proxies; never stored, never logged. */
  address: string
  /** The address or IPv6 network that the client's rate limit applies to. */
  network: string
  user_agent: string
  /** The browser sent an opt-out signal (`Sec-GPC` or `DNT`). */
  opts_out: boolean
}

export interface ServerRequest {
  /** Reads the body, after the site is known, so that a failure is counted for the site. @throws CollectRefusal. */
  read(): Promise<Buffer>
  /** The bearer token; null without one. */
  key: string | null
  /** As in `BrowserRequest`. */
  network: string
}

export interface CollectAnswer {
  accepted: number
  rejected: (Advised & { index: number; code: EventFaultCode })[]
  /** Present if the visitor opted out: the number of events, which were not read. */
  opted_out?: number
}

export interface EventIntake {
  collect(request: BrowserRequest): Promise<CollectAnswer>
  collectFromServer(request: ServerRequest): Promise<CollectAnswer>
}

export interface EventIntakeParts {
  ctx: CollectorContext
  keys: SiteKeys
  checkOrigin: (page: PageHeaders, root_domain: string) => void
  admission: AdmissionControl
  agents: BotClassifier
  pages: PageReader
  order: ReceiptOrder
  visitors: Visitors
  recent: RecentHour
  counts: CollectionCounts
  refused: RefusedEvidence
  store: StoreEvents
}

export function openEventIntake(parts: EventIntakeParts): EventIntake {
  const { admission, agents, keys, order, store } = parts
  return {
    async collect(request) {
      const { body, page, network, user_agent } = request
      const items = readEventBody(body)
      const key = readSiteKey(items)
      const known = keys.peek('public', key)
      const lost = () => ({ site: lastSeen(parts, key, page), events: items.length })
      const site = siteSeenFrom(known ?? (await findSite(parts, { kind: 'public', key, network }, lost)), page)
      try {
        const loading = <T>(work: Promise<T>) => refuseIfUnavailable(parts, work, { site, events: items.length })
        if (site.revocation !== null) throw await refuseRevoked(parts, request, site, items.length, loading)
        refuseUnlistedDevelopment(site, page)
        admission.countIfRefused(site, items.length, () => parts.checkOrigin(page, site.root_domain))
        admission.refuseIfDisabled(site, items.length)
        admission.refuseIfTooMuch(site, items.length, network)
        const opts_out = request.opts_out && site.honours_opt_out
        if (!opts_out) admission.refuseIfFull(site, items.length)
        const is_bot = agents.isAutomated(user_agent) ?? (await judge(parts, user_agent, loading))
        if (opts_out) return leaveOutOptedOut(parts, site, items.length, is_bot)
        if (is_bot && site.is_development) return leaveOutDevelopmentBot(parts, site, items.length)
        const read = readEvents(parts, items, site, key)
        if (is_bot) return await store({ site, stream: 'bot', receipt: order.take(items.length), visitor: '0' }, read)
        const { receipt, visitor } =
          visitAt(parts, request, site, order.take(items.length)) ??
          (await takeVisit(parts, request, site, items.length, loading))
        if (site.is_development) return await store({ site, stream: 'development', receipt, visitor }, read)
        parts.recent.noteClient(site.site_id, network, user_agent)
        for (const subject of read.missing)
          parts.refused.note({ site_id: site.site_id, ...receipt, ...subject, visitor, events: 1 })
        return await store({ site, stream: 'browser', receipt, visitor }, read)
      } catch (error) {
        throw countDefect(parts, site, items.length, error)
      }
    },
    async collectFromServer({ read: readBytes, key, network }) {
      if (key === null) throw unknownKey('server', null)
      const lost = () => ({ site: keys.lastKnown(key), events: 1 })
      const site = await findSite(parts, { kind: 'server', key, network }, lost)
      if (site.revocation !== null) throw admission.countRefusal(site, 1, revokedKey('server'))
      const body = await readBytes().catch((error: unknown) =>
        admission.countIfRefused(site, 1, () => {
          throw error
        }),
      )
      const items = admission.countIfRefused(site, 1, () => readEventBody(body))
      admission.countIfRefused(site, items.length, () => refuseUnnamedRevenue(items))
      admission.refuseIfDisabled(site, items.length)
      admission.refuseIfTooMuch(site, items.length, null)
      admission.refuseIfFull(site, items.length)
      try {
        const read = readEvents(parts, items, site, null)
        return await store({ site, stream: 'server', receipt: order.take(items.length), visitor: '0' }, read)
      } catch (error) {
        throw countDefect(parts, site, items.length, error)
      }
    },
  }
}

/** The results of reading the items of a request. */
export interface ReadItems {
  events: ReadEvent[]
  rejected: CollectAnswer['rejected']
  /** Rejected items that were real events of the site, so that they are missing from its numbers. */
  missing: RefusedSubject[]
}

/** The site, stream, receipt and visitor of a request's events. */
export interface EventDelivery {
  site: TrackerSite
  stream: Stream
  receipt: CollectReceipt
  visitor: string
}

const revokedKey = (kind: KeyKind) =>
  new CollectRefusal(
    'unauthenticated',
    'revoked_key',
    kind === 'public'
      ? 'The site key is revoked; put the snippet that the site has now into its pages ({next}).'
      : 'The key is revoked; send "Authorization: Bearer spoor_srv_…" with a server key that is in force.',
    kind === 'public' ? { next: { step: 'tracker.show' } } : {},
  )

/** Only the number of events of a visitor who opted out is stored (rules 6). */
function leaveOutOptedOut(
  { ctx, counts }: EventIntakeParts,
  site: TrackerSite,
  events: number,
  is_bot: boolean,
): CollectAnswer {
  const at = ctx.clock.now()
  const outcome = is_bot ? 'bot' : 'opted_out'
  counts.add({ site, day: utcDay(at), outcome, reason: '', events, at })
  return { accepted: 0, rejected: [], opted_out: events }
}

/** Only the number of events of a bot on a development origin is stored. */
function leaveOutDevelopmentBot({ ctx, counts }: EventIntakeParts, site: TrackerSite, events: number): CollectAnswer {
  const at = ctx.clock.now()
  counts.add({ site, day: utcDay(at), outcome: 'bot', reason: '', events, at })
  return { accepted: events, rejected: [] }
}

/**
 * Pages that still send a revoked key lose events, which count as missing until the pages use another key (rules 6).
 */
async function refuseRevoked(
  parts: EventIntakeParts,
  request: BrowserRequest,
  site: TrackerSite,
  events: number,
  loading: Loading,
): Promise<CollectRefusal> {
  const { admission, refused } = parts
  const refusal = revokedKey('public')
  try {
    parts.checkOrigin(request.page, site.root_domain)
  } catch (error) {
    // The page may be of any site, so the events count for none, like those with an unknown key.
    if (error instanceof CollectRefusal) return refusal
    throw error
  }
  admission.refuseIfDisabled(site, events)
  admission.refuseIfTooMuch(site, events, request.network)
  admission.countRefusal(site, events, refusal)
  if (site.is_development || site.revocation?.has_successor !== false) return refusal
  if (request.opts_out && site.honours_opt_out) return refusal
  if (await judge(parts, request.user_agent, loading)) return refusal
  const { receipt, visitor } = await takeVisit(parts, request, site, events, loading)
  refused.note({ site_id: site.site_id, ...receipt, ...WITH_REVOKED_KEY, visitor, events })
  return refusal
}

async function judge(
  { agents }: EventIntakeParts,
  user_agent: string,
  loading: (work: Promise<void>) => Promise<void>,
): Promise<boolean> {
  for (;;) {
    const verdict = agents.isAutomated(user_agent)
    if (verdict !== null) return verdict
    await loading(agents.refresh())
  }
}

function readEvents(
  { ctx, pages, admission }: EventIntakeParts,
  items: unknown[],
  site: TrackerSite,
  key: string | null,
) {
  const read: ReadItems = { events: [], rejected: [], missing: [] }
  const now = ctx.clock.now()
  const context = { site, key, pages, now }
  for (const [index, item] of items.entries()) {
    try {
      read.events.push(readEvent(item, context))
    } catch (error) {
      if (!(error instanceof EventFault)) throw error
      const { code, message, next } = error
      read.rejected.push({ index, code, message, ...(next === undefined ? {} : { next }) })
      admission.countRefused(site, utcDay(now), error.code, 1)
      const missing = isJsonObject(item) ? missingOf(error.code, item, site) : null
      if (missing !== null) read.missing.push(missing)
    }
  }
  return read
}

/** Counts events that were lost to a defect (rules 6.5), and returns the error, which the caller throws. */
function countDefect({ ctx, admission }: EventIntakeParts, site: TrackerSite, events: number, error: unknown): unknown {
  if (!(error instanceof CollectRefusal))
    admission.countRefused(site, utcDay(ctx.clock.now()), 'internal_error', events)
  return error
}
