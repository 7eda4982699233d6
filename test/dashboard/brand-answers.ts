/** Hand-made answers of surface B for tests of pages. */
import type { BrandReport } from '../../src/contract/account-api/index.ts'

type Ratio = BrandReport['metrics']['visibility']
type Row = BrandReport['series'][number]

export const NOTHING: Ratio = {
  value: null,
  numerator: 0,
  denominator: 0,
  low: null,
  high: null,
  clusters: 0,
  effective_n: 0,
}

export const ratio = (numerator: number, denominator: number): Ratio => ({
  value: numerator / denominator,
  numerator,
  denominator,
  low: Math.max(0, numerator / denominator - 0.02),
  high: Math.min(1, numerator / denominator + 0.02),
  clusters: 8,
  effective_n: denominator,
})

export const metrics = (one: Ratio): BrandReport['metrics'] => ({
  visibility: one,
  share_of_voice: one,
  citation_rate: one,
  citation_share: one,
  average_position: { value: one.value === null ? null : 2.4, n: one.numerator },
  net_sentiment: {
    value: one.value === null ? null : 0.31,
    positive: one.numerator,
    neutral: 0,
    negative: 0,
    mixed: 0,
    unknown: 0,
  },
})

export const runs = (counts: Partial<BrandReport['meta']['runs']> = {}): BrandReport['meta']['runs'] => ({
  answered: 0,
  refused: 0,
  failed: 0,
  scheduled_not_run: 0,
  country_not_applied: 0,
  ...counts,
})

export const row = (from: string, change: Partial<Row> = {}): Row => ({
  from,
  to: from,
  engine: 'chatgpt',
  state: 'answered',
  days: { answered: 1, gap: 0, not_asked: 0 },
  runs: runs({ answered: 40 }),
  models: ['m1'],
  surfaces: ['api'],
  metrics: metrics(ratio(10, 40)),
  ...change,
})

const FILTERS = { engines: null, country: null, question_id: null, branded: null }

/** A report of one engine; `change` replaces members. */
export function report(change: Partial<BrandReport> = {}): BrandReport {
  const answered = runs({ answered: 5814, refused: 41, failed: 145 })
  return {
    meta: meta({ runs: answered }),
    metrics: metrics(ratio(1988, 5814)),
    by_engine: [
      {
        engine: 'chatgpt',
        surfaces: ['api'],
        runs: answered,
        models: [
          { model: 'm1', first_at: '2026-10-23T05:00:00Z', last_at: '2026-11-08T05:00:00Z', answers: 40 },
          { model: 'm2', first_at: '2026-11-09T05:00:00Z', last_at: '2026-11-21T04:40:00Z', answers: 40 },
        ],
        web_search: { used: 80, not_used: 0, unknown: 0 },
        metrics: metrics(ratio(1988, 5814)),
        comparison: null,
      },
    ],
    competitors: [
      {
        id: 'c1',
        name: 'Rival',
        visibility: ratio(2310, 5814),
        share_of_voice: ratio(2310, 7402),
        average_position: { value: 1.4, n: 2310 },
      },
    ],
    series: [row('2026-11-20'), row('2026-11-21')],
    missed: [
      {
        question: { id: 'q1', text: 'Which monitor has a status page?', country: null },
        competitors: [{ id: 'c1', answers: 118 }],
        answers: 118,
      },
    ],
    missed_total: 1,
    comparison: null,
    ...change,
  }
}

export const meta = (change: Partial<BrandReport['meta']> = {}): BrandReport['meta'] => ({
  contract_version: 'brand-report/v1',
  as_of: '2026-11-21T08:14:00Z',
  window: { from: '2026-10-23', to: '2026-11-21', timezone: 'UTC' },
  filters: { from: '2026-10-23', to: '2026-11-21', ...FILTERS, interval: 'day', compare: 'none' },
  ignored_parameters: [],
  questions: { asked: 40, active: 48, archived_asked: 0 },
  runs: runs({ answered: 5814 }),
  completeness: { state: 'partial', gaps: [], limitations: [] },
  ...change,
})

/** Nothing was answered: every metric is null. */
export const unanswered = (counts: Partial<BrandReport['meta']['runs']>, asked = 40): BrandReport => ({
  ...report({ by_engine: [], series: [], missed: [], missed_total: 0, competitors: [] }),
  metrics: { ...metrics(NOTHING), share_of_voice: null },
  meta: meta({
    runs: runs(counts),
    questions: { asked, active: asked, archived_asked: 0 },
    completeness: { state: 'unknown', gaps: [], limitations: [] },
  }),
})
