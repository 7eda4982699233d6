/** Where sessions came from (rules 6, Channels; decisions 5, Sources). */

import { Ranked, UNPREDICTED } from '../compare.ts'
import type { Ask, History, Instant } from '../history.ts'
import { aiReferralOf, channelOf } from './channels.ts'
import { missedByAll } from './missed.ts'
import { UTM, type UtmField } from './pages-and-origins.ts'
import { envelope, type Reading, read } from './reading.ts'
import type { Rules } from './rules.ts'
import type { Session } from './sessions.ts'

export function sources(history: History, as_of: Instant, ask: Ask, rules: Rules): unknown {
  const reading = read(history, as_of, ask, rules, missedByAll)
  const { sessions, proven } = reading
  const is_known = proven.size > 0
  const linked = group(sessions, ({ origin }) =>
    origin?.referrer == null || origin.referrer === 'own'
      ? null
      : { referrer_host: origin.referrer, channel: channelOf(origin, rules) },
  )
  return {
    meta: envelope(reading, 'analytics-sources/v1', ALWAYS_SAID),
    acquisition: is_known ? ranked(group(sessions, ({ origin }) => ({ channel: channelOf(origin, rules) }))) : null,
    ai_referral: is_known ? ranked(group(sessions, ({ origin }) => aiReferralOf(origin))) : null,
    // The list that labelled the sessions is the service's own.
    ai_platforms_version: UNPREDICTED,
    referrers: { total_count: is_known ? linked.length : null, truncated: false, rows: ranked(linked) },
    utm: Object.fromEntries(UTM.map((field) => [field, dimension(reading, field)])),
  }
}

/**
 * Clicks from AI answers on search pages cannot be distinguished from search, and the answer says so (decisions 5); the
 * words are the service's.
 */
const ALWAYS_SAID = ['ai_answers_on_search_pages_count_as_search', 'visits_without_referrer_hide_their_source']

/** The denominator: sessions whose first pageview carried any value of the dimension. */
function dimension({ sessions, proven }: Reading, field: UtmField) {
  const is_known = proven.size > 0
  const rows = group(sessions, ({ origin }) => {
    const value = origin?.utm[field]
    return value === undefined ? null : { value }
  })
  return {
    denominator: is_known ? rows.reduce((sum, row) => sum + row.sessions, 0) : null,
    total_count: is_known ? rows.length : null,
    truncated: false,
    rows: ranked(rows),
  }
}

type Row = Record<string, unknown> & { sessions: number; pageviews: number }

/** Sessions and their pageviews by what they have in common; null: in no group. */
function group(sessions: readonly Session[], of: (session: Session) => object | null): Row[] {
  const rows = new Map<string, Row>()
  for (const session of sessions) {
    const common = of(session)
    if (common === null) continue
    const key = JSON.stringify(common)
    const row = rows.get(key) ?? { ...common, sessions: 0, pageviews: 0 }
    row.sessions++
    row.pageviews += session.pageviews.length
    rows.set(key, row)
  }
  return [...rows.values()].sort((a, b) => b.sessions - a.sessions)
}

/** Most sessions first; how ties are ordered is left open. */
const ranked = (rows: readonly Row[]) => new Ranked(rows, (row: Row) => row.sessions)
