/**
 * Pages by hostname and path (rules 6, Pages). Histories have no source of crawler requests, so that side is unknown.
 */
import type { Ask, History, Instant } from '../history.ts'
import { missedByAll } from './missed.ts'
import type { Page } from './pages-and-origins.ts'
import { envelope, type Reading, read } from './reading.ts'
import type { Rules } from './rules.ts'
import { conversionsIn, isAnyInForce } from './sessions.ts'

export function pages(history: History, as_of: Instant, ask: Ask, rules: Rules): unknown {
  const reading = read(history, as_of, ask, rules, missedByAll)
  const { proven, sessions } = reading
  const rows = rowsOf(reading)
  const limit = ask.limit ?? 50
  const is_known = proven.size > 0
  const listed = rows.slice(0, limit)
  const pageviews = sessions.reduce((sum, session) => sum + session.pageviews.length, 0)
  return {
    meta: {
      ...envelope(reading, 'analytics-pages/v1'),
      pagination: {
        limit,
        returned_count: listed.length,
        total_count: is_known ? rows.length : null,
        truncated: rows.length > listed.length,
      },
    },
    summary: {
      pageviews: is_known ? pageviews : null,
      sessions: is_known ? sessions.filter((session) => session.pageviews.length > 0).length : null,
      page_count: is_known ? rows.length : null,
      crawler_purpose_filter: ['search', 'assistant', 'unknown'],
      crawler_evidence_state: null,
      crawler_pattern_count: null,
    },
    pages: listed,
    crawler_patterns: [],
  }
}

interface Row extends Page {
  pageviews: number
  sessions: number
  entries: number
  exits: number
  conversions: number | null
  crawler: object
}

/** Pageviews descending, hostname, path. */
function rowsOf({ sessions, evidence, proven, rules }: Reading): Row[] {
  const rows = new Map<string, Row>()
  const is_asked = [...proven].some((day) => isAnyInForce(evidence.definitions, day))
  const rowOf = (page: Page): Row => {
    const key = `${page.hostname} ${page.path}`
    const row = rows.get(key) ?? {
      ...page,
      pageviews: 0,
      sessions: 0,
      entries: 0,
      exits: 0,
      conversions: is_asked ? 0 : null,
      crawler: UNKNOWN_CRAWLERS,
    }
    rows.set(key, row)
    return row
  }
  for (const session of sessions) {
    const viewed = session.pageviews.flatMap(({ page }) => page ?? [])
    for (const page of viewed) rowOf(page).pageviews++
    for (const page of distinct(viewed)) rowOf(page).sessions++
    const [entry] = viewed
    const exit = viewed.at(-1)
    if (entry !== undefined) rowOf(entry).entries++
    if (exit !== undefined) rowOf(exit).exits++
    const converted = conversionsIn(session, evidence.definitions, rules)
    const places = converted.flatMap(({ page }) => (rules.conversion_page === 'entry' ? (entry ?? []) : (page ?? [])))
    for (const page of distinct(places)) {
      const row = rowOf(page)
      row.conversions = (row.conversions ?? 0) + 1
    }
  }
  return [...rows.values()].sort(
    (a, b) => b.pageviews - a.pageviews || compareText(a.hostname, b.hostname) || compareText(a.path, b.path),
  )
}

const UNKNOWN_CRAWLERS = {
  evidence_state: null,
  observed_request_count: null,
  observed_crawler_count: null,
  last_observed_at: null,
  hidden_request_count: null,
}

const distinct = (pages: readonly Page[]): Page[] => [
  ...new Map(pages.map((page) => [`${page.hostname} ${page.path}`, page])).values(),
]

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
