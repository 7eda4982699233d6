/** Visitors, sessions and pageviews; behind `analytics_overview_v2` with a comparison (rules 6, Overview). */
import { DAY_MS } from '#clock.ts'
import type { AnalyticsOverview, AnalyticsOverviewInput } from '#contract/site-api/index.ts'
import type { ControlTransaction } from '#control/store.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import type { DayRange } from '#days/windows.ts'
import { eachDay } from '#days/windows.ts'
import { cacheable } from '#derived/build-row-cache.ts'
import type { Row } from '#evidence/sql.ts'
import type { EvidenceStore, StatementLimits } from '#evidence/store.ts'
import { isGateOpen } from '#sites/gates.ts'
import type { TrackerContext } from './context.ts'
import {
  type ConvertedFacts,
  findConverted,
  planConverted,
  planForBuilds,
  planForOpenDays,
} from './conversions/converted.ts'
import { type Collected, readCollected } from './coverage/collected.ts'
import { caveatsOf, envelope } from './coverage/envelope.ts'
import { findMissing, missesAll, missesMatched, withMissing } from './coverage/missing-events.ts'
import { judgeRange, type OpenedReading, openTrackerReading } from './coverage/open-reading.ts'
import { publishCount } from './coverage/publish-count.ts'
import type { TrackerReading } from './coverage/reading.ts'
import { withEvidence } from './coverage/with-evidence.ts'
import { type Including, including } from './development/include.ts'
import { COUNTS, dayCounts } from './overview.sql.ts'
import { isEmptyScope, splitScope } from './scope.ts'

type DayCounts = Row<ReturnType<typeof dayCounts>>

/** The counts of a range. */
interface Counted {
  days: DayCounts[]
  /** Sessions with a conversion, by covered day on which a conversion was in force; null without such a day. */
  converted: Map<string, number> | null
}

const NOTHING: Counted = { days: [], converted: null }

interface OverviewFacts {
  converted: ConvertedFacts
  /** The preceding range, for the second version of the answer; null while its gate is closed. */
  preceding: { range: DayRange; collected: Collected; converted: ConvertedFacts } | null
}

export async function readOverview(
  ctx: TrackerContext,
  input: Pick<AnalyticsOverviewInput, 'window'> & Including,
): Promise<AnalyticsOverview> {
  const { window, include } = input
  const reading = await openTrackerReading(ctx, {
    window,
    include,
    reader: 'overview',
    also: async (tx, range): Promise<OverviewFacts> => ({
      converted: await findConverted(tx, ctx.site.id, range),
      preceding: (await isGateOpen(tx, ctx.site.id, 'analytics_overview_v2'))
        ? await findPreceding(tx, ctx.site.id, precedingRange(range), include)
        : null,
    }),
  })
  const { preceding } = reading.also
  const before = preceding === null ? null : await judgePreceding(ctx, preceding, reading)
  return withEvidence(
    ctx,
    reading,
    async (evidence, limits) => {
      const [now, then] = await Promise.all([
        count(evidence, reading, reading.also.converted, limits),
        before === null || preceding === null ? null : count(evidence, before, preceding.converted, limits),
      ])
      return present(input, reading, now, before === null || then === null ? null : { reading: before, counted: then })
    },
    (unread) => {
      const compared = before === null ? null : { reading: { ...before, has_evidence: false }, counted: NOTHING }
      return present(input, unread, NOTHING, compared)
    },
  )
}

async function judgePreceding(
  ctx: TrackerContext,
  { collected, range }: NonNullable<OverviewFacts['preceding']>,
  at: OpenedReading,
): Promise<TrackerReading> {
  const judged = judgeRange(ctx.site.id, collected, range, at, { with_development: at.has_development })
  return withMissing(judged, await findMissing(ctx, collected), true)
}

async function findPreceding(tx: ControlTransaction, site_id: string, range: DayRange, include: Including['include']) {
  const collected = await readCollected(tx, site_id, range)
  return {
    range,
    collected: await including(tx, collected, { site_id, range, include }),
    converted: await findConverted(tx, site_id, range),
  }
}

/** The range of the same length just before a range. */
function precedingRange(range: DayRange): DayRange {
  const length_ms = eachDay(range).length * DAY_MS
  return { from: utcDay(dayStart(range.from) - length_ms), to: utcDay(dayStart(range.from) - DAY_MS) }
}

async function count(
  evidence: EvidenceStore,
  reading: TrackerReading,
  facts: ConvertedFacts,
  limits: StatementLimits,
): Promise<Counted> {
  if (!reading.has_evidence) return NOTHING
  const plan = planConverted(reading, facts)
  const { closed, open } = splitScope(reading.scope)
  const parts = [
    isEmptyScope(closed) ? [] : evidence.all(cacheable(dayCounts(closed, plan && planForBuilds(plan))), limits),
    isEmptyScope(open) ? [] : evidence.all(dayCounts(open, plan && planForOpenDays(plan)), limits),
  ]
  const days = [...sumByDay((await Promise.all(parts)).flat()).values()]
  if (plan === null) return { days, converted: null }
  // On a day with a conversion in force, a missing row means that no session converted.
  const converted = new Map(plan.measured_days.map((day) => [day, 0]))
  for (const row of days) if (converted.has(row.day)) converted.set(row.day, row.converted)
  return { days, converted }
}

/** Adds up the rows of the same day. */
function sumByDay(rows: readonly DayCounts[]): Map<string, DayCounts> {
  const sums = new Map<string, DayCounts>()
  for (const row of rows) {
    const sum = sums.get(row.day)
    if (sum === undefined) sums.set(row.day, { ...row })
    else for (const field of COUNTS) sum[field] += row[field]
  }
  return sums
}

/** Whether a day has a number: it is counted. */
const isCovered = ({ has_evidence, days }: TrackerReading, day: string) =>
  has_evidence && days.get(day)?.is_counted === true

function present(
  { window }: Pick<AnalyticsOverviewInput, 'window'>,
  reading: OpenedReading<OverviewFacts>,
  counted: Counted,
  compared: { reading: TrackerReading; counted: Counted } | null,
): AnalyticsOverview {
  const is_v2 = compared !== null
  const events = (outcome: string) =>
    reading.counts.filter((row) => row.outcome === outcome).reduce((sum, row) => sum + row.events, 0)
  return {
    meta: envelope(reading, {
      contract_version: is_v2 ? 'analytics-overview/v2' : 'analytics-overview/v1',
      evaluator_version: 'sessions/v1',
      preset: window,
    }),
    ...totals(reading, counted),
    trend: trend(reading, counted, is_v2),
    excluded: {
      bots: publishExcluded(reading, events('bot')),
      refused: publishExcluded(reading, events('refused')),
      repeats: publishExcluded(reading, events('repeated')),
      opted_out: publishExcluded(reading, events('opted_out')),
    },
    missing_events: {
      refused: publishCount(reading, sumOf(reading.missing)),
      lower_bounds: lowerBounds(reading, reading.also.converted),
    },
    ...(compared === null ? {} : { comparison: comparison(compared) }),
  }
}

/** Left-out events were observed, even if coverage is incomplete. Zero is published only if coverage proves it. */
const publishExcluded = (reading: OpenedReading, n: number): number | null =>
  n > 0 && reading.measurement_state !== 'unavailable' ? n : publishCount(reading, n)

const sumOf = (rows: readonly { events: number }[]) => rows.reduce((sum, { events }) => sum + events, 0)

/** The metrics that depend on every event, because any event may begin or prolong a session. */
const OF_SESSIONS = ['sessions', 'bounce_rate', 'average_session_seconds', 'pages_per_session'] as const
type Metric = keyof AnalyticsOverview['metrics']

/** The metrics that are too low because refused events are missing from them (rules 6). */
function lowerBounds(reading: TrackerReading, { revisions }: ConvertedFacts): Metric[] {
  if (reading.missing.length === 0) return []
  if (missesAll(reading)) return ['visitor_days', 'pageviews', ...OF_SESSIONS, 'conversions']
  const converts = revisions.some((revision) => missesMatched(reading, revision, [revision.matcher]))
  return [...OF_SESSIONS, ...(converts ? (['conversions'] as const) : [])]
}

function comparison({ reading, counted }: { reading: TrackerReading; counted: Counted }) {
  const { range, gaps } = reading
  const limitations = [...reading.limitations, ...caveatsOf(reading)].sort()
  return { ...range, measurement: { gaps, limitations }, ...totals(reading, counted) }
}

function totals(reading: TrackerReading, { days, converted }: Counted) {
  const conversions = converted === null ? null : [...converted.values()].reduce((all, sessions) => all + sessions, 0)
  const sum = (field: Exclude<keyof DayCounts, 'day'>) => days.reduce((all, row) => all + row[field], 0)
  const averaged = sum('timed_sessions')
  const closed = sum('closed')
  const published = (n: number) => publishCount(reading, n)
  const ratio = (part: number, whole: number) => (reading.has_evidence && whole > 0 ? part / whole : null)
  return {
    metrics: {
      visitor_days: published(sum('visitors')),
      sessions: published(sum('sessions')),
      pageviews: published(sum('pageviews')),
      bounce_rate: ratio(sum('bounces'), closed),
      average_session_seconds: ratio(sum('timed_ms') / 1_000, averaged),
      pages_per_session: ratio(sum('closed_pageviews'), closed),
      conversions: conversions === null ? null : published(conversions),
    },
    averaged_sessions: published(averaged),
    closed_sessions: published(closed),
  }
}

function trend(reading: TrackerReading, { days, converted }: Counted, is_v2: boolean): AnalyticsOverview['trend'] {
  const found = new Map(days.map((row) => [row.day, row]))
  return [...reading.days].map(([day, { state, limitation }]) => {
    const covered = isCovered(reading, day)
    const row = found.get(day)
    const of = (field: 'visitors' | 'sessions' | 'pageviews') => (row === undefined ? 0 : row[field])
    return {
      day,
      visitor_days: covered ? of('visitors') : null,
      sessions: covered ? of('sessions') : null,
      pageviews: covered ? of('pageviews') : null,
      conversions: covered ? (converted?.get(day) ?? null) : null,
      ...(is_v2
        ? { evidence_state: state, limitation, refused_events: sumOf(reading.missing.filter((row) => row.day === day)) }
        : {}),
    }
  })
}
