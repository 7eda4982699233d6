import type { AnalyticsOverview } from '../../../src/contract/site-api/index.ts'
import type { Series } from '../../charts/series.ts'
import type { DayEvidence } from '../../evidence/day.ts'

/** What the chart may show, the default first. */
export const METRICS = ['visitor_days', 'sessions', 'pageviews', 'conversions'] as const
export type Metric = (typeof METRICS)[number]

export const METRIC_WORDS: Record<Metric, string> = {
  visitor_days: 'Visitor-days',
  sessions: 'Sessions',
  pageviews: 'Pageviews',
  conversions: 'Conversions',
}

/** One metric by day; a day without a number has no entry. */
export const seriesOf = (metric: Metric, { trend }: Pick<AnalyticsOverview, 'trend'>): Series => ({
  key: metric,
  label: METRIC_WORDS[metric],
  color: 'var(--color-series)',
  mark: 'square',
  counts: new Map(
    trend.flatMap((row): [string, number][] => {
      const count = row[metric]
      return count === null ? [] : [[row.day, count]]
    }),
  ),
})

/** The days of the window. Days without this metric are drawn as unknown, even if other evidence was collected. */
export function daysOfMetric(
  days: readonly DayEvidence[],
  metric: Metric,
  { trend }: Pick<AnalyticsOverview, 'trend'>,
): DayEvidence[] {
  const unknown = new Map(trend.filter((row) => row[metric] === null).map((row) => [row.day, row]))
  return days.map((day) => {
    const row = unknown.get(day.date)
    if (day.state === 'gap' || row === undefined) return day
    return { ...day, state: 'gap', words: row.sessions === null ? (day.words ?? '') : 'no conversion was in force' }
  })
}
