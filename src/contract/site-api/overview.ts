/** Visitors, sessions and pageviews of a site at a glance (rules 6). */
import Type from 'typebox'
import { Count, Day, DaySpan, oneOf, orNull, Share } from '../fields.ts'
import { defineSiteOperation, type InputOf, type OutputOf } from '../operation.ts'
import { analyticsRead, format, include, window } from '../parameters.ts'
import { envelopeFields, limitations, ranges } from '../tracker-meta.ts'
import { TRACKER_DAY_STATES, WINDOWS } from '../vocabulary.ts'

/** Numbers of a window; all null when no day of it can carry one. */
export const OverviewMetrics = Type.Object(
  {
    visitor_days: Type.Union([Count, Type.Null()], {
      description: 'Distinct visitors of each UTC day, added up: the same person on two days counts twice.',
    }),
    sessions: orNull(Count),
    pageviews: orNull(Count),
    bounce_rate: Type.Union([Share, Type.Null()], {
      description:
        'Closed sessions of one pageview and no other event, of all closed sessions; null without any. A session closes 30 minutes after its last event, so the first visit counts here half an hour later.',
    }),
    average_session_seconds: Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
      description:
        'Mean time from the first to the last event of closed sessions with two events or more; null without any. A session closes 30 minutes after its last event, so the first visit counts here half an hour later.',
    }),
    pages_per_session: Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
      description:
        'Pageviews of closed sessions divided by `closed_sessions`; null without any. A session closes 30 minutes after its last event, so the first visit counts here half an hour later.',
    }),
    conversions: orNull(Count, 'Sessions with at least one conversion; null where none was in force.'),
  },
  { title: 'OverviewMetrics' },
)

const totals = {
  metrics: OverviewMetrics,
  averaged_sessions: Type.Union([Count, Type.Null()], {
    description: 'The closed sessions of two events or more, which `average_session_seconds` is taken over.',
  }),
  closed_sessions: Type.Union([Count, Type.Null()], {
    description:
      'Sessions that can grow no more: silent for 30 minutes, or of a UTC day that has ended; `pages_per_session` and `bounce_rate` are taken over them.',
  }),
}

const TrendRow = Type.Object(
  {
    day: Day,
    visitor_days: orNull(Count),
    sessions: orNull(Count),
    pageviews: orNull(Count),
    conversions: orNull(Count),
    evidence_state: Type.Optional(oneOf(TRACKER_DAY_STATES, 'v2: how whole the collection of the day was.')),
    limitation: Type.Optional(
      Type.Union([Type.String(), Type.Null()], { description: 'v2: why the day is less than complete.' }),
    ),
    refused_events: Type.Optional(
      Type.Integer({ minimum: 0, description: 'v2: refused events that are missing from the day.' }),
    ),
  },
  { title: 'OverviewTrendRow' },
)

const Comparison = Type.Object(
  {
    ...DaySpan.properties,
    measurement: Type.Object({ gaps: ranges, limitations }),
    ...totals,
  },
  { title: 'OverviewComparison', description: 'v2: the days just before the window, as many as it has.' },
)

const v1 = envelopeFields('analytics-overview/v1', 'sessions/v1', WINDOWS)

export const AnalyticsOverview = Type.Object(
  {
    meta: Type.Object({
      ...v1,
      contract_version: oneOf(['analytics-overview/v1', 'analytics-overview/v2']),
    }),
    ...totals,
    trend: Type.Array(TrendRow, { description: 'Every day of the window: numbers where it is counted, else nulls.' }),
    excluded: Type.Object(
      { bots: orNull(Count), refused: orNull(Count), repeats: orNull(Count), opted_out: orNull(Count) },
      {
        description:
          'Events of the window that are in no other number: of bots, refused ones, those that repeat an earlier id, and those of visitors who do not want to be counted.',
      },
    ),
    missing_events: Type.Object(
      {
        refused: orNull(Count),
        lower_bounds: Type.Array(oneOf(Object.keys(OverviewMetrics.properties) as [string, ...string[]])),
      },
      {
        description:
          'Refused events of visitors that the site itself sent, on days that they make partial, and the metrics that are lower bounds because of them.',
      },
    ),
    comparison: Type.Optional(Comparison),
  },
  { title: 'AnalyticsOverview' },
)

export const getAnalyticsOverview = defineSiteOperation({
  id: 'getAnalyticsOverview',
  ...analyticsRead,
  path: '/v1/sites/{site}/overview',
  summary: 'Tracker overview with its truth envelope',
  query: Type.Object({ window, format, include }),
  output: AnalyticsOverview,
  unavailable_title: 'analytics overview unavailable',
  csv: {
    header: 'record_type,meta_json,day,metric,value',
    while_closed: { gate: 'analytics_overview_v2', header: 'record_type,day,metric,value' },
    records: ['meta', 'metric', 'trend', 'comparison'],
  },
  mcp: { tool: 'get_overview' },
})
export type AnalyticsOverview = OutputOf<typeof getAnalyticsOverview>
export type AnalyticsOverviewInput = InputOf<typeof getAnalyticsOverview>
