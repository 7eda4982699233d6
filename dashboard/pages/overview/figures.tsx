import type { UseQueryResult } from '@tanstack/react-query'
import type { AnalyticsOverview } from '../../../src/contract/site-api/index.ts'
import type { ValueQuality } from '../../evidence/value.tsx'
import { ErrorPanel } from '../../states/error-panel.tsx'
import { Figure, Figures } from '../../states/figures.tsx'
import { daysOf } from '../../words/days.ts'
import {
  changeText,
  counted,
  decimal,
  fullCount,
  percent,
  rateChangeText,
  secondsText,
  shortCount,
} from '../../words/numbers.ts'

type Metric = keyof AnalyticsOverview['metrics']

const LABELS: Record<Metric, string> = {
  visitor_days: 'Visitor-days',
  sessions: 'Sessions',
  pageviews: 'Pageviews',
  bounce_rate: 'Bounce rate',
  average_session_seconds: 'Average session',
  pages_per_session: 'Pages per session',
  conversions: 'Conversions',
}
const FORMATS: Record<Metric, (value: number) => string> = {
  visitor_days: shortCount,
  sessions: shortCount,
  pageviews: shortCount,
  bounce_rate: percent,
  average_session_seconds: secondsText,
  pages_per_session: decimal,
  conversions: shortCount,
}
const METRICS = Object.keys(LABELS) as Metric[]

/** Seven numbers; each is undefined while it is read and null while it is unknown. */
export function VisitFigures({
  overview,
}: {
  overview: Pick<UseQueryResult<AnalyticsOverview>, 'data' | 'error' | 'refetch'>
}) {
  const answer = overview.data
  if (overview.error !== null && answer === undefined) {
    return (
      <div className="panel">
        <ErrorPanel error={overview.error} onRetry={() => void overview.refetch()} />
      </div>
    )
  }
  return (
    <Figures label="Figures">
      {METRICS.map((metric) => (
        <Figure
          key={metric}
          label={LABELS[metric]}
          value={answer?.metrics[metric]}
          format={FORMATS[metric]}
          {...(answer === undefined ? {} : { quality: qualityOf(answer, metric) })}
          not_defined={answer === undefined ? undefined : notDefined(answer, metric)}
          note={answer === undefined ? undefined : <Note answer={answer} metric={metric} />}
        />
      ))}
    </Figures>
  )
}

const qualityOf = ({ missing_events }: AnalyticsOverview, metric: Metric): ValueQuality =>
  missing_events.lower_bounds.includes(metric) ? 'at_least' : 'exact'

/** Why a number is not defined, although nothing is unknown. */
function notDefined(answer: AnalyticsOverview, metric: Metric): string | undefined {
  const { metrics, closed_sessions, averaged_sessions } = answer
  if (metrics[metric] !== null || metrics.sessions === null) return undefined
  if (metric === 'conversions') return 'no conversion was in force'
  if (closed_sessions === 0) return 'no session has closed yet'
  const is_average = metric === 'average_session_seconds' && averaged_sessions === 0
  return is_average ? 'no closed session has two events' : undefined
}

function Note({ answer, metric }: { answer: AnalyticsOverview; metric: Metric }) {
  return (
    <>
      <span className="block">{aboutMetric(answer, metric)}</span>
      {answer.comparison !== undefined && <Before answer={answer} comparison={answer.comparison} metric={metric} />}
    </>
  )
}

function aboutMetric({ averaged_sessions, closed_sessions }: AnalyticsOverview, metric: Metric): string {
  if (metric === 'visitor_days') return 'A person on two days counts twice.'
  if (metric === 'conversions') return 'sessions with a conversion'
  if (metric === 'average_session_seconds' && averaged_sessions !== null) {
    return `of ${counted(averaged_sessions, 'session')}`
  }
  if ((metric === 'bounce_rate' || metric === 'pages_per_session') && closed_sessions !== null) {
    return `of ${fullCount(closed_sessions)} closed`
  }
  return ''
}

interface BeforeProps {
  answer: AnalyticsOverview
  comparison: NonNullable<AnalyticsOverview['comparison']>
  metric: Metric
}

/** The previous period of the same length. A change is shown only if neither period has days without evidence. */
function Before({ answer, comparison, metric }: BeforeProps) {
  const before = comparison.metrics[metric]
  const now = answer.metrics[metric]
  if (before === null) return <span className="block text-ink3">unknown for the previous period</span>
  const has_gaps = comparison.measurement.gaps.length > 0 || answer.meta.completeness.gaps.length > 0
  const textOfChange = metric === 'bounce_rate' ? rateChangeText : changeText
  const change = now === null || has_gaps ? null : textOfChange(now, before)
  const days = daysOf(comparison.from, comparison.to).length
  return (
    <span
      className="block text-ink3"
      title={
        has_gaps
          ? `Not comparable: days without evidence in one of the two windows of ${days} days.`
          : `${comparison.from} to ${comparison.to}, UTC`
      }
    >
      {FORMATS[metric](before)} before
      {has_gaps ? ', not comparable' : change !== null && <span className="text-ink2"> · {change}</span>}
    </span>
  )
}
