/** Decides which answers are lower bounds because refused events are missing from them (rules 6.6). */
import Type from 'typebox'
import { DAY_MS } from '#clock.ts'
import type { RefusedEvidenceRow } from '#control/tables.ts'
import { overlap } from '#days/intervals.ts'
import { dayStart } from '#days/utc-day.ts'
import { EvidenceError } from '#evidence/errors.ts'
import { count, list, rows, uuid } from '#evidence/sql.ts'
import { OTHER_NAME, REVENUE_NAME } from '../collection/refused-event-name.ts'
import { ENOUGH_VISITORS } from '../collection/refused-evidence.ts'
import { KEY_CACHE_MS } from '../collection/tracker-key-lookup.ts'
import type { TrackerContext } from '../context.ts'
import type { Matcher } from '../definitions/definitions.ts'
import { type EffectivePeriod as InForce, isInForceOn } from '../definitions/in-force.ts'
import type { Collected } from './collected.ts'
import type { MissingEvents, TrackerDay, TrackerReading } from './reading.ts'
import { READ_LIMITS } from './with-evidence.ts'

/** The limitation of a day on which too many events were refused. */
export const EVENTS_REFUSED = 'events_refused'

/** At most one refused event per so many accepted events is ignored as noise. */
const ACCEPTED_PER_NOISE = 1_000
const exceedsNoise = (refused: number, accepted: number) => refused * ACCEPTED_PER_NOISE > accepted

/** Refused events that count as missing: of enough visitors, and more than noise among accepted events of the name. */
export async function findMissing(
  { evidence, site }: Pick<TrackerContext, 'evidence' | 'site'>,
  { refused, counts, named }: Collected,
): Promise<MissingEvents[]> {
  const candidates = refused.filter(({ visitors }) => visitors >= ENOUGH_VISITORS)
  const acceptedOn = (day: string) =>
    counts
      .filter((row) => row.day === day && row.outcome === 'accepted')
      .reduce((total, { events }) => total + events, 0)
  const isNamed = ({ kind }: RefusedEvidenceRow) => kind === 'event' || kind === 'revenue'
  // A count that exceeds the noise among all events exceeds it among the events of its name, too.
  const unsure = candidates.filter((row) => isNamed(row) && !exceedsNoise(row.events, acceptedOn(row.day)))
  const in_force = [...named].filter(([, ranges]) => ranges.at(-1)?.to === Number.POSITIVE_INFINITY)
  const names = in_force.map(([name]) => name)
  const by_name = unsure.length === 0 ? null : await countNamed(evidence, site.id, unsure, names)
  const isMissing = (row: RefusedEvidenceRow) => {
    if (!unsure.includes(row)) return exceedsNoise(row.events, acceptedOn(row.day))
    const accepted = by_name?.get(`${row.day} ${row.name}`)
    return accepted === undefined || exceedsNoise(row.events, accepted)
  }
  return candidates
    .filter(isMissing)
    .map(({ day, kind, name, events, first_at }) => ({ day, kind, name, events, first_at, named }))
}

/** Accepted events by `DAY NAME`; all other names are one. Null if the evidence store cannot answer. */
async function countNamed(
  evidence: TrackerContext['evidence'],
  site_id: string,
  unsure: readonly RefusedEvidenceRow[],
  in_force: readonly string[],
): Promise<ReadonlyMap<string, number> | null> {
  const names = [...new Set([...in_force, ...unsure.map(({ name }) => name)])].filter((name) => name !== OTHER_NAME)
  const days = [...new Set(unsure.map(({ day }) => day))]
  try {
    const found = await evidence.all(acceptedByName(site_id, days, names), READ_LIMITS)
    return new Map(found.map(({ date, kept, events }) => [`${date} ${kept === '' ? OTHER_NAME : kept}`, events]))
  } catch (error) {
    if (!(error instanceof EvidenceError) || error.kind === 'bug') throw error
    return null
  }
}

const acceptedByName = (site_id: string, days: readonly string[], names: readonly string[]) => rows(
  Type.Object({ date: Type.String(), kept: Type.String(), events: count() }),
)`
  SELECT toString(day) AS date, if(has(${list('String', names)}, toString(name)), toString(name), '') AS kept, count() AS events
  FROM spoor.events FINAL
  WHERE site_id = ${uuid(site_id)} AND day IN ${list('Date', days)} AND stream IN ('browser', 'server') AND kind != 'pageview'
  GROUP BY day, kept`

/** Whether pageviews, or events of every kind, are missing: then every answer lacks events. */
const affectsEveryAnswer = ({ kind }: MissingEvents) => kind === 'key' || kind === 'pageview'

/** Adds missing events to a reading. In the overview, the sessions lack events of any name. */
export function withMissing(
  reading: TrackerReading,
  missing: readonly MissingEvents[],
  is_overview: boolean,
): TrackerReading {
  const counted = missing.filter(({ day }) => reading.days.get(day)?.is_counted === true)
  if (counted.length === 0) return reading
  const affected = new Set(counted.filter((row) => is_overview || affectsEveryAnswer(row)).map(({ day }) => day))
  const judge = (date: string, day: TrackerDay): TrackerDay =>
    affected.has(date) && day.state === 'complete' ? { ...day, state: 'partial', limitation: EVENTS_REFUSED } : day
  const days = new Map([...reading.days].map(([date, day]) => [date, judge(date, day)]))
  return {
    ...reading,
    days,
    missing: counted,
    is_whole: reading.is_whole && affected.size === 0,
    limitations: [...new Set([...reading.limitations, ...(affected.size === 0 ? [] : [EVENTS_REFUSED])])].sort(),
  }
}

/** Whether events are missing that one of these matchers may have counted while the revision was in force. */
export const missesMatched = ({ missing }: TrackerReading, revision: InForce, matchers: readonly Matcher[]): boolean =>
  missing.some((row) => {
    if (!isInForceOn(revision, row.day)) return false
    const isMeant = (name: string) => row.name === name || (row.name === OTHER_NAME && mayBeOther(row, name, revision))
    return (
      affectsEveryAnswer(row) || matchers.some((matcher) => matcher.kind === 'event' && isMeant(matcher.event_name))
    )
  })

/**
 * Whether events that were counted as `:other` may have had this name. They cannot if a definition named it from the
 * first of them until the revision or the day ended: then they were counted under their name (rules 6.6).
 */
function mayBeOther({ day, first_at, named }: MissingEvents, name: string, { effective_to }: InForce): boolean {
  if (name === REVENUE_NAME) return false
  const to = Math.min(dayStart(day) + DAY_MS, effective_to ?? Number.POSITIVE_INFINITY)
  const kept = (named.get(name) ?? []).map((range) => ({ ...range, from: range.from + KEY_CACHE_MS }))
  return to > first_at && overlap(kept, { from: first_at, to }) !== 'inside'
}

/** Whether revenue of a counted day may be missing. */
export const missesRevenue = ({ missing }: TrackerReading): boolean =>
  missing.some((row) => affectsEveryAnswer(row) || row.kind === 'revenue')

/** Whether pageviews, or events of every kind, are missing from a counted day. */
export const missesAll = ({ missing }: TrackerReading): boolean => missing.some(affectsEveryAnswer)
