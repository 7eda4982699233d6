/** Answers about visitors, as the service gives them, for pages to draw. */
import type { TrackerCoverage } from '../../src/contract/dashboard-api/index.ts'
import type {
  AnalyticsConversions,
  AnalyticsJourneys,
  AnalyticsOverview,
  AnalyticsPages,
  AnalyticsRevenue,
  AnalyticsSources,
  FunnelList,
  SingleFunnel,
} from '../../src/contract/site-api/index.ts'

const AS_OF = '2026-11-21T08:14:00.000Z'
export const DAYS = ['2026-11-19', '2026-11-20', '2026-11-21'] as const

type Measurement = AnalyticsOverview['meta']['measurement_state']

/** `measured`, with a gap on the 20th; or nothing measured at all. */
export const meta = (measurement_state: Measurement = 'measured') => ({
  as_of: AS_OF,
  window: { preset: '3d' as const, from: DAYS[0], to: DAYS[2], cutoff: AS_OF },
  available_from: measurement_state === 'measured' ? '2026-09-01' : null,
  data_through: measurement_state === 'measured' ? AS_OF : null,
  measurement_state,
  completeness: {
    state: measurement_state === 'measured' ? ('partial' as const) : ('unknown' as const),
    gaps: measurement_state === 'measured' ? [{ from: DAYS[1], to: DAYS[1] }] : [],
    limitations: measurement_state === 'measured' ? ['no_signal', 'observed_browsers_only'] : [],
  },
  freshness: { state: 'current' as const, limitations: [] },
  operational: {
    contract_version: 'operational/v1' as const,
    subject: 'core_collection' as const,
    state: measurement_state === 'measured' ? ('live' as const) : ('connecting' as const),
    reason_code: measurement_state === 'measured' ? null : 'no_event_yet',
    checked_at: AS_OF,
    coverage: { mode: 'browser_tracker' as const, observed_only: true as const },
  },
  provenance: {
    module: 'analytics' as const,
    evidence: 'browser_tracker' as const,
    order_basis: 'worker_receipt_time_then_persisted_funnel_order_v1' as const,
    session_scope: 'same_utc_day_30_minute_inactivity' as const,
  },
})

/** Complete, a gap, and a day that still runs. */
export const coverage = (measurement_state: Measurement = 'measured'): TrackerCoverage => ({
  ...meta(measurement_state),
  days: [
    { date: DAYS[0], state: 'complete', limitation: null },
    { date: DAYS[1], state: 'gap', limitation: 'no_signal' },
    { date: DAYS[2], state: 'complete', limitation: null },
  ],
})

const sessions_v1 = { evaluator_version: 'sessions/v1' as const }
const page_of = { limit: 50, returned_count: 1, total_count: 1, truncated: false }

/** With every number that the contract lets be null as null. */
export const unknownOverview = (measurement_state: Measurement = 'uninstalled'): AnalyticsOverview => ({
  meta: {
    ...meta(measurement_state),
    contract_version: 'analytics-overview/v1',
    provenance: { ...meta().provenance, ...sessions_v1 },
  },
  metrics: {
    visitor_days: null,
    sessions: null,
    pageviews: null,
    bounce_rate: null,
    average_session_seconds: null,
    pages_per_session: null,
    conversions: null,
  },
  averaged_sessions: null,
  closed_sessions: null,
  trend: DAYS.map((day) => ({ day, visitor_days: null, sessions: null, pageviews: null, conversions: null })),
  excluded: { bots: null, refused: null, repeats: null, opted_out: null },
  missing_events: { refused: null, lower_bounds: [] },
})

export const overview = (): AnalyticsOverview => ({
  ...unknownOverview('measured'),
  metrics: {
    visitor_days: 1_038,
    sessions: 1_072,
    pageviews: 2_448,
    bounce_rate: 0.422,
    average_session_seconds: 238,
    pages_per_session: 2.28,
    conversions: null,
  },
  averaged_sessions: 620,
  closed_sessions: 1_070,
  trend: [
    { day: DAYS[0], visitor_days: 700, sessions: 720, pageviews: 1_600, conversions: null },
    { day: DAYS[1], visitor_days: null, sessions: null, pageviews: null, conversions: null },
    { day: DAYS[2], visitor_days: 338, sessions: 352, pageviews: 848, conversions: null },
  ],
  excluded: { bots: 12, refused: 7, repeats: 3, opted_out: 5 },
  missing_events: { refused: 4, lower_bounds: ['sessions'] },
})

const utm = { denominator: null, total_count: null, truncated: false, rows: [] }

export const unknownSources = (): AnalyticsSources => ({
  meta: {
    ...meta('uninstalled'),
    contract_version: 'analytics-sources/v1',
    provenance: { ...meta().provenance, ...sessions_v1 },
  },
  acquisition: null,
  ai_referral: null,
  ai_platforms_version: '2026-11-21.1',
  referrers: { total_count: null, truncated: false, rows: [] },
  utm: { source: utm, medium: utm, campaign: utm, term: utm, content: utm },
})

export const sources = (): AnalyticsSources => ({
  ...unknownSources(),
  meta: { ...unknownSources().meta, ...meta(), provenance: unknownSources().meta.provenance },
  acquisition: [
    { channel: 'ai_assistant', sessions: 174, pageviews: 385 },
    { channel: 'direct', sessions: 349, pageviews: 810 },
  ],
  ai_referral: [
    { platform: 'chatgpt', evidence: 'referrer', sessions: 60, pageviews: 120 },
    { platform: 'chatgpt', evidence: 'both', sessions: 20, pageviews: 40 },
    { platform: 'perplexity', evidence: 'utm', sessions: 94, pageviews: 225 },
  ],
  referrers: {
    total_count: 1,
    truncated: false,
    rows: [{ referrer_host: 'github.com', channel: 'referral', sessions: 62, pageviews: 140 }],
  },
  utm: {
    ...unknownSources().utm,
    source: {
      denominator: 222,
      total_count: 1,
      truncated: false,
      rows: [{ value: 'newsletter', sessions: 104, pageviews: 239 }],
    },
  },
})

const NOBODY_LOOKED = {
  evidence_state: null,
  observed_request_count: null,
  observed_crawler_count: null,
  last_observed_at: null,
  hidden_request_count: null,
}

export const unknownPages = (): AnalyticsPages => ({
  meta: {
    ...meta('uninstalled'),
    contract_version: 'analytics-pages/v1',
    provenance: { ...meta().provenance, ...sessions_v1 },
    pagination: { ...page_of, returned_count: 0, total_count: null },
  },
  summary: {
    pageviews: null,
    sessions: null,
    page_count: null,
    crawler_purpose_filter: ['search', 'assistant', 'unknown'],
    crawler_evidence_state: null,
    crawler_pattern_count: null,
  },
  pages: [],
  crawler_patterns: [],
})

/** People saw it, and no source covered crawlers. */
export const pages = (): AnalyticsPages => ({
  ...unknownPages(),
  meta: {
    ...unknownPages().meta,
    ...meta(),
    provenance: unknownPages().meta.provenance,
    pagination: page_of,
  },
  summary: { ...unknownPages().summary, pageviews: 467, sessions: 368, page_count: 1 },
  pages: [
    {
      hostname: 'example.com',
      path: '/pricing',
      path_fidelity: 'exact' as const,
      pageviews: 467,
      sessions: 368,
      entries: 110,
      exits: 196,
      conversions: null,
      crawler: NOBODY_LOOKED,
    },
  ],
})

const CONVERSION = '00000000-0000-4000-8000-0000000000c1'

export const conversions = (converted_sessions: number | null = 24): AnalyticsConversions => ({
  meta: {
    ...meta(),
    contract_version: 'analytics-conversions/v1',
    provenance: { ...meta().provenance, ...sessions_v1 },
    pagination: { ...page_of, limit: 100 },
  },
  conversions: [
    {
      conversion_id: CONVERSION,
      revision_id: '00000000-0000-4000-8000-0000000000c2',
      revision: 2,
      name: 'Signed up for a paid plan',
      definition_state: 'active' as const,
      effective_from: '2026-09-14T00:00:00.000Z',
      effective_to: null,
      matcher: {
        kind: 'event',
        event_name: 'signup',
        property_rules: [
          {
            event_name: 'signup',
            property_key: 'plan',
            property_revision: 1,
            scalar_kind: 'enum' as const,
            operator: 'one_of' as const,
            comparison: { values: ['pro', 'team'] },
          },
        ],
      },
      property_rules: [],
      evidence_state: converted_sessions === null ? 'unknown' : 'partial',
      metrics: {
        converted_sessions,
        conversion_events: converted_sessions,
        quality: converted_sessions === null ? 'unknown' : 'observed_lower_bound',
        rate: converted_sessions === null ? null : 0.022,
        sessions: converted_sessions === null ? null : 1_072,
      },
      sources:
        converted_sessions === null ? [] : [{ dimension: 'channel', identity: 'ai_assistant', converted_sessions: 9 }],
      sources_truncated: false,
    },
  ],
})

export const noConversions = (): AnalyticsConversions => ({
  ...conversions(),
  meta: { ...conversions().meta, pagination: { ...page_of, limit: 100, returned_count: 0, total_count: 0 } },
  conversions: [],
})

type Funnel = SingleFunnel['funnel']
const STEPS = ['/pricing', '/compare', '/signup']
const QUALITIES: Record<Funnel['evidence_state'], Funnel['metrics']['entered_quality']> = {
  measured: 'exact',
  partial: 'observed_lower_bound',
  unknown: 'unknown',
  not_effective: 'unknown',
  suppressed: 'suppressed',
}

export function funnel(
  evidence_state: Funnel['evidence_state'],
  reached: readonly number[] = [4_182, 1_629, 391],
): Funnel {
  const quality = QUALITIES[evidence_state]
  const has_counts = quality === 'exact' || quality === 'observed_lower_bound'
  const at = (step: number) => (has_counts ? (reached[step] as number) : null)
  const rate = (part: number | null, whole: number | null) =>
    part === null || whole === null || whole === 0 ? null : part / whole
  return {
    slug: `pricing-${'0'.repeat(32)}`,
    revision_id: '00000000-0000-4000-8000-0000000000f1',
    revision: 3,
    name: 'Pricing to trial',
    definition_state: 'active',
    step_count: 3,
    evidence_state,
    effective_from: '2026-09-14T00:00:00.000Z',
    effective_to: null,
    evaluation_coverage: {
      state: 'partial',
      raw_events: 'partial',
      core_collection: 'partial',
      conversion_steps: 'not_applicable',
      session_integrity: 'exact',
      event_order: 'exact',
      gaps: [],
      limitations: ['no_signal', 'tied_events'],
    },
    available_from: '2026-09-01',
    data_through: AS_OF,
    metrics: {
      entered_sessions: at(0),
      entered_quality: quality,
      completed_sessions: at(2),
      completed_quality: quality,
      completion_rate: rate(at(2), at(0)),
    },
    completeness: meta().completeness,
    steps: STEPS.map((path, step) => ({
      position: step + 1,
      definition: {
        kind: 'page',
        hostname: 'example.com',
        path,
        path_fidelity: 'exact',
        path_transform_version: 'path/v1',
      },
      reached_sessions: at(step),
      reached_quality: quality,
      rate_from_previous: step === 0 ? null : rate(at(step), at(step - 1)),
    })),
  } as Funnel
}

const funnel_meta = {
  ...meta(),
  provenance: { ...meta().provenance, evaluator_version: 'funnel-evaluator/v1' as const },
  configuration: { state: 'configured' as const, active_count: 1 },
}

export const singleFunnel = (...args: Parameters<typeof funnel>): SingleFunnel => ({
  meta: { ...funnel_meta, contract_version: 'analytics-funnel/v1' },
  funnel: funnel(...args),
})

export const funnels = (rows: readonly Funnel[]): FunnelList => ({
  meta: {
    ...funnel_meta,
    contract_version: 'analytics-funnels/v1',
    pagination: { limit: 100, returned_count: rows.length, total_count: rows.length, truncated: false },
  },
  funnels: rows.map(({ steps: _steps, ...summary }) => summary),
})

const journeyPage = (path: string) => ({ hostname: 'example.com', path, path_fidelity: 'exact' as const })

export const journeys = (closed_sessions: number | null = 100): AnalyticsJourneys => ({
  meta: {
    ...meta(closed_sessions === null ? 'uninstalled' : 'measured'),
    contract_version: 'analytics-journeys/v1',
    provenance: { ...meta().provenance, evaluator_version: 'journeys/v1' },
    pagination: { ...page_of, limit: 100, total_count: closed_sessions === null ? null : 2 },
  },
  share_denominator: 'closed_sessions',
  closed_sessions,
  grouping_threshold: 5,
  limit: 100,
  returned_count: closed_sessions === null ? 0 : 2,
  total_count: closed_sessions === null ? null : 2,
  truncated: false,
  journeys:
    closed_sessions === null
      ? [{ kind: 'grouped', sessions: null, share: null }]
      : [
          {
            kind: 'sequence' as const,
            continued: false,
            sessions: 60,
            share: 0.6,
            pages: [journeyPage('/'), journeyPage('/pricing'), journeyPage('/')],
          },
          { kind: 'sequence', continued: true, sessions: 30, share: 0.3, pages: [journeyPage('/docs')] },
          { kind: 'grouped', sessions: 10, share: 0.1 },
        ],
})

export const revenue = (reported: AnalyticsRevenue['reported']): AnalyticsRevenue => ({
  meta: {
    ...meta(reported === null ? 'uninstalled' : 'measured'),
    contract_version: 'analytics-revenue/v1',
    provenance: { ...meta().provenance, evaluator_version: 'revenue/v1' },
  },
  basis: 'customer_reported',
  quality: reported === null ? 'unknown' : 'exact',
  reported,
  reconciliation: {
    compared_orders: reported === null ? null : 100_000,
    total_orders: reported === null ? null : 120_000,
    most_orders: 100_000,
    capped: reported !== null,
    classes:
      reported === null
        ? null
        : [
            { class: 'unkeyed', orders: 0 },
            { class: 'duplicate', orders: 0 },
            { class: 'currency_mismatch', orders: 0 },
            { class: 'amount_mismatch', orders: 4 },
            { class: 'matched', orders: 99_990 },
            { class: 'browser_only', orders: 6 },
            { class: 'server_only', orders: 0 },
          ],
  },
})
