/** Revisions of conversions that are effective in the window (rules 6, Conversions; decisions 5). */

import { Ranked } from '../compare.ts'
import { type Ask, dayOf, type History, type Instant } from '../history.ts'
import { aiReferralOf, channelOf } from './channels.ts'
import type { ConversionRevision } from './definitions.ts'
import { asksTooEarly, conversionId, describedMatcher, revisionFields } from './described.ts'
import { isInForceOn, missedBy, missedByAll } from './missed.ts'
import { ratio } from './overview.ts'
import { UTM } from './pages-and-origins.ts'
import { envelope, type Reading, read, readDays } from './reading.ts'
import type { Rules } from './rules.ts'
import { converts, type Session } from './sessions.ts'

export function conversions(history: History, as_of: Instant, ask: Ask, rules: Rules): unknown {
  const window = read(history, as_of, ask, rules, missedByAll)
  const effective = window.evidence.definitions.conversions.filter((revision) => isEffective(revision, window))
  const limit = ask.limit ?? 100
  const rows = effective.toSorted(inOrder).slice(0, limit)
  const missedByRow = (row: ConversionRevision) => missedBy(row, [row.matcher], window.evidence.definitions)
  const missing = rows.map(missedByRow)
  const reading = readAgain(window, (refused) => missedByAll(refused) || missing.some((isMissed) => isMissed(refused)))
  const is_late = rows.some((row) => isLate(row, reading))
  return {
    meta: {
      ...envelope(reading, 'analytics-conversions/v1', is_late ? ['property_declared_later'] : []),
      pagination: {
        limit,
        returned_count: rows.length,
        total_count: effective.length,
        truncated: effective.length > rows.length,
      },
    },
    conversions: rows.map((row) => describe(row, readAgain(window, missedByRow(row)))),
  }
}

export const readAgain = (reading: Reading, isMissed: Reading['isMissed']): Reading =>
  readDays(
    { ...reading, isMissed },
    reading.days.map(({ day }) => day),
  )

/** Whether a revision counts for a part of the window. */
export function isEffective(
  { from, to }: { from: Instant; to: Instant | null },
  { days, cutoff }: Pick<Reading, 'days' | 'cutoff'>,
): boolean {
  const begins = Date.parse(days[0]?.day ?? '')
  return from <= cutoff && (to === null || (to > begins && to > from))
}

/** The days of the window on which a revision is in force. */
export const daysIn = (revision: { from: Instant; to: Instant | null }, { days }: Pick<Reading, 'days'>) =>
  days.filter(({ day }) => isInForceOn(revision, day))

const isLate = ({ matcher, from }: ConversionRevision, { evidence, days }: Reading): boolean =>
  asksTooEarly(matcher, evidence.definitions, Math.max(from, Date.parse(days[0]?.day ?? '')))

function inOrder(a: ConversionRevision, b: ConversionRevision): number {
  if (a.is_archived !== b.is_archived) return a.is_archived ? 1 : -1
  if (a.name !== b.name) return a.name < b.name ? -1 : 1
  return b.revision - a.revision
}

function describe(revision: ConversionRevision, reading: Reading): object {
  const { evidence, sessions, cutoff, rules, proven, counted, days } = reading
  const { definitions } = evidence
  const part = daysIn(revision, reading)
  const is_known = part.some(({ day }) => counted.has(day))
  const is_proven = part.some(({ day }) => proven.has(day))
  const is_late = isLate(revision, reading)
  const is_whole = days.every(({ state }) => state === 'complete') && !is_late
  const converted = sessions.filter(({ events }) => events.some((event) => converts(event, revision, rules)))
  const of_servers = evidence.events.filter(
    (event) =>
      event.stream === 'server' &&
      event.at <= cutoff &&
      counted.has(dayOf(event.at)) &&
      converts(event, revision, rules),
  )
  const of_browsers = sessions.flatMap(({ events }) => events).filter((event) => converts(event, revision, rules))
  const converted_sessions = is_known && is_proven ? converted.length : null
  const all = proven.size > 0 ? sessions.length : null
  const matcher = describedMatcher(revision, definitions)
  return {
    conversion_id: conversionId(revision),
    ...revisionFields(revision),
    matcher,
    property_rules: matcher.property_rules,
    evidence_state: !is_known ? 'unknown' : is_whole ? 'measured' : 'partial',
    metrics: {
      converted_sessions,
      conversion_events: is_known ? of_browsers.length + (rules.servers_convert ? of_servers.length : 0) : null,
      quality: !is_known ? 'unknown' : is_whole ? 'exact' : 'observed_lower_bound',
      rate: converted_sessions === null || all === null ? null : ratio(converted_sessions, all),
      sessions: all,
    },
    sources: sourcesOf(converted_sessions === null ? [] : converted, rules),
    sources_truncated: false,
  }
}

/** Each dimension for itself, most sessions first; how ties are ordered is left open. */
function sourcesOf(converted: readonly Session[], rules: Rules) {
  const dimensions: [string, (session: Session) => string | undefined][] = [
    ['channel', ({ origin }) => channelOf(origin, rules)],
    ['ai_platform', ({ origin }) => aiReferralOf(origin)?.platform],
    ...UTM.map((field): [string, (session: Session) => string | undefined] => [
      `utm_${field}`,
      ({ origin }) => origin?.utm[field],
    ]),
  ]
  const rows = dimensions.flatMap(([dimension, of]) => {
    const groups = Map.groupBy(converted, of)
    return [...groups]
      .flatMap(([identity, sessions]) =>
        identity === undefined ? [] : [{ dimension, identity, converted_sessions: sessions.length }],
      )
      .sort((a, b) => b.converted_sessions - a.converted_sessions)
  })
  return new Ranked(rows, ({ dimension, converted_sessions }: (typeof rows)[number]) => [dimension, converted_sessions])
}
