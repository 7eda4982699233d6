/** What sessions are, in plain code and without the engine: the yardstick for every answer about them (rules 6). */
import { utcDay } from '#days/utc-day.ts'
import { pathV1 } from '#paths/path-v1.ts'
import { aiReferralOf, channelOf } from '#tracker/acquisition/channels.ts'
import type { TestEvent } from '../support/tracker.ts'

export interface PlainSession {
  day: string
  visitor: number
  events: TestEvent[]
  is_closed: boolean
}

const SILENCE_MS = 30 * 60_000
const at = (event: TestEvent) => Date.parse(event.at)

/** Sessions of events in the order of their storing; later ones than the cutoff do not exist yet. */
export function plainSessions(given: readonly TestEvent[], cutoff: number): PlainSession[] {
  const seen = new Set<string>()
  const counted = given.filter((event, index) => {
    const key = `${utcDay(at(event))} ${event.stream ?? 'browser'} ${event.id ?? `new ${index}`}`
    const isFirst = !seen.has(key)
    seen.add(key)
    return isFirst && (event.stream ?? 'browser') === 'browser' && at(event) <= cutoff
  })
  const sessions: PlainSession[] = []
  const visitors = Map.groupBy(counted, (event) => `${utcDay(at(event))} ${event.visitor ?? 1}`)
  for (const events of visitors.values()) {
    // A stable sort: what came in the same millisecond stays in the order of storing.
    const ordered = [...events].sort((one, other) => at(one) - at(other))
    let open: PlainSession | undefined
    for (const event of ordered) {
      const last = open?.events.at(-1)
      if (open === undefined || last === undefined || at(event) - at(last) >= SILENCE_MS) {
        open = { day: utcDay(at(event)), visitor: event.visitor ?? 1, events: [], is_closed: false }
        sessions.push(open)
      }
      open.events.push(event)
    }
  }
  for (const session of sessions) {
    const ended = at(session.events.at(-1) as TestEvent)
    session.is_closed = ended + SILENCE_MS <= cutoff || session.day < utcDay(cutoff)
  }
  return sessions
}

export const isPageview = (event: TestEvent) => (event.kind ?? 'pageview') === 'pageview'
const viewsOf = (session: PlainSession) => session.events.filter(isPageview)
const ratio = (part: number, whole: number) => (whole === 0 ? null : part / whole)
const sum = (numbers: readonly number[]) => numbers.reduce((all, n) => all + n, 0)

/** The numbers of an overview, without conversions. */
export function plainOverview(sessions: readonly PlainSession[], days: readonly string[]) {
  const visitors = (some: readonly PlainSession[]) => new Set(some.map(({ day, visitor }) => `${day} ${visitor}`)).size
  const pageviews = (some: readonly PlainSession[]) => sum(some.map((session) => viewsOf(session).length))
  const closed = sessions.filter((session) => session.is_closed)
  const averaged = closed.filter(({ events }) => events.length > 1)
  const ms = averaged.map(({ events }) => at(events.at(-1) as TestEvent) - at(events[0] as TestEvent))
  const bounces = closed.filter((session) => session.events.length === 1 && viewsOf(session).length === 1)
  return {
    metrics: {
      visitor_days: visitors(sessions),
      sessions: sessions.length,
      pageviews: pageviews(sessions),
      bounce_rate: ratio(bounces.length, closed.length),
      average_session_seconds: ratio(sum(ms) / 1_000, averaged.length),
      pages_per_session: ratio(pageviews(closed), closed.length),
    },
    averaged_sessions: averaged.length,
    closed_sessions: closed.length,
    trend: days.map((day) => {
      const of = sessions.filter((session) => session.day === day)
      return { day, visitor_days: visitors(of), sessions: of.length, pageviews: pageviews(of) }
    }),
  }
}

/** Rows of the pages of an answer, in its order. */
export function plainPages(sessions: readonly PlainSession[], root_domain: string) {
  const name = (event: TestEvent) =>
    JSON.stringify([event.hostname ?? root_domain, pathV1(event.path ?? '/').path, pathV1(event.path ?? '/').fidelity])
  const pages = new Map<string, { pageviews: number; sessions: number; entries: number; exits: number }>()
  const of = (page: string) => {
    const known = pages.get(page) ?? { pageviews: 0, sessions: 0, entries: 0, exits: 0 }
    pages.set(page, known)
    return known
  }
  for (const session of sessions) {
    const seen = viewsOf(session).map(name)
    for (const page of seen) of(page).pageviews++
    for (const page of new Set(seen)) of(page).sessions++
    if (seen.length === 0) continue
    of(seen[0] as string).entries++
    of(seen.at(-1) as string).exits++
  }
  return [...pages]
    .map(([page, counts]) => {
      const [hostname, path, path_fidelity] = JSON.parse(page) as string[]
      return { hostname: String(hostname), path: String(path), path_fidelity, ...counts }
    })
    .sort(
      (one, other) =>
        other.pageviews - one.pageviews || order(one.hostname, other.hostname) || order(one.path, other.path),
    )
}

const order = (one: string, other: string) => (one === other ? 0 : one < other ? -1 : 1)

/** The lists of a sources answer: channels, assistants and UTM values. */
export function plainSources(sessions: readonly PlainSession[], root_domain: string) {
  const began = sessions.map((session) => {
    const views = viewsOf(session)
    const [first] = views
    const utm = first?.utm ?? {}
    const origin = {
      has_pageview: first !== undefined,
      referrer_host: first?.referrer_host ?? '',
      has_click_id: first?.has_click_id === true,
      utm_source: utm.source ?? '',
      utm_medium: utm.medium ?? '',
      has_utm: Object.values(utm).join('') !== '',
    }
    return { origin, utm, pageviews: views.length }
  })
  const fold = (keyOf: (row: (typeof began)[number]) => string | null) => {
    const sums = new Map<string, { sessions: number; pageviews: number }>()
    for (const row of began) {
      const key = keyOf(row)
      if (key === null || key === '') continue
      const { sessions, pageviews } = sums.get(key) ?? { sessions: 0, pageviews: 0 }
      sums.set(key, { sessions: sessions + 1, pageviews: pageviews + row.pageviews })
    }
    return [...sums].sort(([a, one], [b, other]) => other.sessions - one.sessions || order(a, b))
  }
  const block = (dimension: 'source' | 'medium' | 'campaign' | 'term' | 'content') => {
    const rows = fold(({ utm }) => utm[dimension] ?? '').map(([value, counts]) => ({ value, ...counts }))
    return {
      denominator: sum(rows.map((row) => row.sessions)),
      total_count: rows.length,
      truncated: false,
      rows,
    }
  }
  return {
    acquisition: fold(({ origin }) => {
      // A visit that goes on from a page of the site itself, unless its address says more.
      const goesOn = origin.referrer_host === ':own' && !origin.has_utm && !origin.has_click_id
      return goesOn ? 'unknown' : channelOf(origin, root_domain)
    }).map(([channel, counts]) => ({
      channel,
      ...counts,
    })),
    ai_referral: fold(({ origin }) => {
      const referral = aiReferralOf(origin)
      return referral === null ? null : JSON.stringify([referral.platform, referral.evidence])
    }).map(([key, counts]) => {
      const [platform, evidence] = JSON.parse(key) as string[]
      return { platform, evidence, ...counts }
    }),
    utm: {
      source: block('source'),
      medium: block('medium'),
      campaign: block('campaign'),
      term: block('term'),
      content: block('content'),
    },
  }
}
