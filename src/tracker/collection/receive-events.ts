/** One request: shape, key, origin, limits, bots, events, visitor, rows, spool; answered once durable (rules 6). */
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
import { available, findSite, lastSeen, unknownKey } from './site-of-key.ts'
import { isJsonObject, readEventBody, readSiteKey, refuseUnnamedRevenue } from './split-request.ts'
import type { StoreEvents } from './store-events.ts'
import type { KeyKind, SiteKeys, TrackerSite } from './tracker-key-lookup.ts'
import { type Loading, takeVisit, visitAt } from './visit.ts'
import type { Visitors } from './visitor-salts.ts'

export interface BrowserRequest {
  body: Buffer
  page: PageHeaders
  /** Of the client, judged by the trusted proxies; never stored, never logged. */
  address: string
  /** What the client's limit counts by: an address, or an IPv6 network. */
  network: string
  user_agent: string
  /** The browser says that its visitor does not want to be counted. */
  opts_out: boolean
}

export interface ServerRequest {
  /** Reads the body, once it is known whose it is: what cannot be read is counted too. @throws CollectRefusal. */
  read(): Promise<Buffer>
  /** The bearer; null when there is none. */
  key: string | null
  /** As of a browser. */
  network: string
}

export interface CollectAnswer {
  accepted: number
  rejected: (Advised & { index: number; code: EventFaultCode })[]
  /** Present when the visitor does not want to be counted: so many events were left out, and none was looked at. */
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
        const loading = <T>(work: Promise<T>) => available(parts, work, { site, events: items.length })
        if (site.revocation !== null) throw await refuseRevoked(parts, request, site, items.length, loading)
        refuseUnlistedDevelopment(site, page)
        admission.counting(site, items.length, () => parts.checkOrigin(page, site.root_domain))
        admission.refuseIfDisabled(site, items.length)
        admission.refuseIfTooMuch(site, items.length, network)
        const opts_out = request.opts_out && site.honours_opt_out
        if (!opts_out) admission.refuseIfFull(site, items.length)
        const is_bot = agents.isAutomated(user_agent) ?? (await judge(parts, user_agent, loading))
        if (opts_out) return leaveOut(parts, site, items.length, is_bot)
        if (is_bot && site.is_development) return leaveOutProgram(parts, site, items.length)
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
        throw countedDefect(parts, site, items.length, error)
      }
    },
    async collectFromServer({ read: readBytes, key, network }) {
      if (key === null) throw unknownKey('server', null)
      const lost = () => ({ site: keys.lastKnown(key), events: 1 })
      const site = await findSite(parts, { kind: 'server', key, network }, lost)
      if (site.revocation !== null) throw admission.counted(site, 1, revokedKey('server'))
      const body = await readBytes().catch((error: unknown) =>
        admission.counting(site, 1, () => {
          throw error
        }),
      )
      const items = admission.counting(site, 1, () => readEventBody(body))
      admission.counting(site, items.length, () => refuseUnnamedRevenue(items))
      admission.refuseIfDisabled(site, items.length)
      admission.refuseIfTooMuch(site, items.length, null)
      admission.refuseIfFull(site, items.length)
      try {
        const read = readEvents(parts, items, site, null)
        return await store({ site, stream: 'server', receipt: order.take(items.length), visitor: '0' }, read)
      } catch (error) {
        throw countedDefect(parts, site, items.length, error)
      }
    },
  }
}

/** What was read of a request's items, by their places. */
export interface ReadItems {
  events: ReadEvent[]
  rejected: CollectAnswer['rejected']
  /** What those of the rejected would have been that were real events of the site. */
  missing: RefusedSubject[]
}

/** Whose events, and when they were taken. */
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

/** Nothing of a visitor who does not want to be counted is stored but the number of events (rules 6). */
function leaveOut(
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

/** A program that runs on a development origin: nothing of it is stored but the number of events. */
function leaveOutProgram({ ctx, counts }: EventIntakeParts, site: TrackerSite, events: number): CollectAnswer {
  const at = ctx.clock.now()
  counts.add({ site, day: utcDay(at), outcome: 'bot', reason: '', events, at })
  return { accepted: events, rejected: [] }
}

/** Pages that still send a revoked key lose events: these are missing until the pages have another key (rules 6). */
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
    // Whose page it was is not known: it counts for no site, as an unknown key does.
    if (error instanceof CollectRefusal) return refusal
    throw error
  }
  admission.refuseIfDisabled(site, events)
  admission.refuseIfTooMuch(site, events, request.network)
  admission.counted(site, events, refusal)
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
      admission.count(site, utcDay(now), error.code, 1)
      const missing = isJsonObject(item) ? missingOf(error.code, item, site) : null
      if (missing !== null) read.missing.push(missing)
    }
  }
  return read
}

/** Counts events that a defect keeps from being taken as lost (rules 6.5); gives the error back to be thrown. */
function countedDefect(
  { ctx, admission }: EventIntakeParts,
  site: TrackerSite,
  events: number,
  error: unknown,
): unknown {
  if (!(error instanceof CollectRefusal)) admission.count(site, utcDay(ctx.clock.now()), 'internal_error', events)
  return error
}
