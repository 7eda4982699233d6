/** Sessions: one visitor, one UTC day, no silence of 30 minutes, in order of receipt (decisions 5). */

import { DAY, dayOf, dayStart, type Instant, type Matcher } from '../history.ts'
import type { ConversionRevision, Definitions } from './definitions.ts'
import { ruleHolds } from './definitions.ts'
import type { Evidence, Stored } from './evidence.ts'
import type { Origin } from './pages-and-origins.ts'
import type { Rules } from './rules.ts'

export interface Session {
  day: string
  visitor: string
  begins: Instant
  events: Stored[]
  pageviews: Stored[]
  is_closed: boolean
  /** Null without a pageview. */
  origin: Origin | null
}

/** The sessions of these days, of what was received up to the cutoff. */
export function sessionsOf(evidence: Evidence, days: ReadonlySet<string>, cutoff: Instant, rules: Rules): Session[] {
  const byVisitor = new Map<string, Stored[]>()
  for (const event of evidence.events) {
    if (event.stream !== 'browser' || event.at > cutoff) continue
    const visitor = rules.midnight_ends_sessions ? event.visitor : (event.visitor.split(' ')[1] ?? '')
    byVisitor.set(visitor, [...(byVisitor.get(visitor) ?? []), event])
  }
  const sessions: Session[] = []
  for (const [visitor, events] of byVisitor) {
    let current: Stored[] = []
    for (const event of events) {
      const last = current.at(-1)
      if (last !== undefined && event.at - last.at >= rules.session_silence_ms) {
        sessions.push(sessionOf(visitor, current, cutoff, rules))
        current = []
      }
      current.push(event)
    }
    sessions.push(sessionOf(visitor, current, cutoff, rules))
  }
  return sessions.filter(({ day }) => days.has(day))
}

function sessionOf(visitor: string, events: Stored[], cutoff: Instant, rules: Rules): Session {
  const begins = events[0]?.at ?? 0
  const ends = events.at(-1)?.at ?? 0
  const pageviews = events.filter(({ kind }) => kind === 'pageview')
  const reported = rules.attribution === 'first' ? pageviews[0] : pageviews.at(-1)
  const is_closed = cutoff - ends >= rules.session_silence_ms || cutoff >= dayStart(begins) + DAY
  return { day: dayOf(begins), visitor, begins, events, pageviews, is_closed, origin: reported?.origin ?? null }
}

export function matches(event: Stored, matcher: Matcher, rules: Rules): boolean {
  if (matcher.kind === 'pageview')
    return event.kind === 'pageview' && event.page?.hostname === matcher.hostname && event.page.path === matcher.path
  if (event.kind === 'pageview' || event.name !== matcher.event_name) return false
  const held = matcher.property_rules.map((rule) => ruleHolds(rule, event.props[rule.property_key]))
  return rules.rules_must_all_hold ? held.every(Boolean) : held.length === 0 || held.some(Boolean)
}

/** An event counts for a revision from `effective_from` up to, not including, `effective_to`. */
export function converts(event: Stored, revision: ConversionRevision, rules: Rules): boolean {
  const is_over = rules.revisions_end && revision.to !== null && event.at >= revision.to
  return event.at >= revision.from && !is_over && matches(event, revision.matcher, rules)
}

/** The events of a session that meet any conversion in force. */
export const conversionsIn = (session: Session, { conversions }: Definitions, rules: Rules): Stored[] =>
  session.events.filter((event) => conversions.some((revision) => converts(event, revision, rules)))

/** Whether any conversion was in force for a part of a day. */
export const isAnyInForce = ({ conversions }: Definitions, day: string): boolean => {
  const from = Date.parse(day)
  return conversions.some(
    (revision) => revision.from < from + DAY && (revision.to === null || revision.to > Math.max(from, revision.from)),
  )
}
