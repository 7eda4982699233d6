/** The overview (rules 6, Overview; decisions 5). */
import { Ranked } from '../compare.ts'
import { DAY, dayOf, type History, type Instant } from '../history.ts'
import { countsOf, gapsOf } from './days.ts'
import { missedBy } from './missed.ts'
import { envelope, limitationsOf, type Reading, read, readDays } from './reading.ts'
import type { Rules } from './rules.ts'
import { conversionsIn, isAnyInForce, type Session } from './sessions.ts'

export function overview(history: History, as_of: Instant, ask: Reading['ask'], rules: Rules): unknown {
  const reading = read(history, as_of, ask, rules, () => true)
  const { evidence, days, proven } = reading
  // What was left out was seen, whatever else is unknown; that nothing was left out is not.
  const sum = (of: 'bots' | 'refused' | 'repeats' | 'opted_out') => {
    const total = days.reduce((before, { day }) => before + countsOf(evidence, day)[of], 0)
    return proven.size > 0 || total > 0 ? total : null
  }
  return {
    meta: envelope(reading, evidence.overview_v2 ? 'analytics-overview/v2' : 'analytics-overview/v1'),
    ...numbersOf(reading),
    trend: days.map(({ day, state, reason, missing }) => ({
      day,
      ...dayNumbers(reading, day),
      ...(evidence.overview_v2 ? { evidence_state: state, limitation: reason, refused_events: missing.length } : {}),
    })),
    excluded: { bots: sum('bots'), refused: sum('refused'), repeats: sum('repeats'), opted_out: sum('opted_out') },
    missing_events: missingEvents(reading),
    ...(evidence.overview_v2 ? { comparison: comparisonOf(reading) } : {}),
  }
}

const NOTHING = { visitor_days: null, sessions: null, pageviews: null, conversions: null }

function dayNumbers({ proven, sessions, evidence, rules }: Reading, day: string) {
  if (!proven.has(day)) return NOTHING
  const ofDay = sessions.filter((session) => session.day === day)
  return {
    visitor_days: new Set(ofDay.map(({ visitor }) => visitor)).size,
    sessions: ofDay.length,
    pageviews: ofDay.reduce((total, { pageviews }) => total + pageviews.length, 0),
    // Nothing was asked where no conversion was in force, so nothing is zero.
    conversions: isAnyInForce(evidence.definitions, day)
      ? ofDay.filter((session) => conversionsIn(session, evidence.definitions, rules).length > 0).length
      : null,
  }
}

function numbersOf(reading: Reading) {
  const { proven, sessions, rules } = reading
  const days = [...proven].map((day) => dayNumbers(reading, day))
  const total = (of: keyof typeof NOTHING) => {
    const known = days.flatMap((day) => day[of] ?? [])
    return known.length === 0 ? null : known.reduce((sum, number) => sum + number, 0)
  }
  const closed = rules.open_sessions_average ? sessions : sessions.filter(({ is_closed }) => is_closed)
  const averaged = rules.single_events_average ? closed : closed.filter(({ events }) => events.length >= 2)
  const is_known = proven.size > 0
  return {
    metrics: {
      visitor_days: total('visitor_days'),
      sessions: total('sessions'),
      pageviews: total('pageviews'),
      bounce_rate: ratio(
        closed.filter((session) => isBounce(session, rules.bounce_allows_events)).length,
        closed.length,
      ),
      average_session_seconds: ratio(
        averaged.reduce((sum, session) => sum + secondsOf(session), 0),
        averaged.length,
      ),
      pages_per_session: ratio(
        closed.reduce((sum, { pageviews }) => sum + pageviews.length, 0),
        closed.length,
      ),
      conversions: total('conversions'),
    },
    averaged_sessions: is_known ? averaged.length : null,
    closed_sessions: is_known ? closed.length : null,
  }
}

export const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)
const isBounce = ({ pageviews, events }: Session, allows_events: boolean) =>
  pageviews.length === 1 && (allows_events || events.length === 1)
const secondsOf = ({ events }: Session) => ((events.at(-1)?.at ?? 0) - (events[0]?.at ?? 0)) / 1_000

/** Refused pageviews and keys make every metric a lower bound, named events those that their sessions would change. */
function missingEvents({ days, proven, evidence }: Reading) {
  if (proven.size === 0) return { refused: null, lower_bounds: [] }
  const missing = days.flatMap((day) => day.missing)
  const { definitions } = evidence
  const is_of_all = missing.some(({ group }) => group === ':pageview' || group === ':key')
  const is_converting = missing.some(({ day, group, at }) =>
    definitions.conversions.some((revision) =>
      missedBy(revision, [revision.matcher], definitions)({ day, group, first_at: at }),
    ),
  )
  const lower_bounds = [
    ...(is_of_all ? ['visitor_days', 'pageviews'] : []),
    ...(missing.length > 0 ? ['sessions', 'bounce_rate', 'average_session_seconds', 'pages_per_session'] : []),
    ...(is_of_all || is_converting ? ['conversions'] : []),
  ]
  // In which order, the specification leaves open.
  return { refused: missing.length, lower_bounds: new Ranked(lower_bounds, () => 'any order') }
}

/** The preceding window, judged like the window itself. */
function comparisonOf(reading: Reading) {
  const { days, evidence } = reading
  const range = days.map(({ day }) => dayOf(Date.parse(day) - days.length * DAY))
  const before = readDays({ ...reading, isMissed: () => true }, range)
  return {
    from: range[0],
    to: range.at(-1),
    measurement: {
      gaps: evidence.is_installed ? gapsOf(before.days) : [],
      limitations: limitationsOf(before),
    },
    ...numbersOf(before),
  }
}
