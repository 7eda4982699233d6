import { useQuery } from '@tanstack/react-query'
import type { AnalyticsOverview, Performance } from '../../../src/contract/site-api/index.ts'
import { PURPOSES } from '../../../src/contract/vocabulary.ts'
import { readQuery } from '../../read/queries.ts'
import { datedDayText, shiftDay } from '../../words/days.ts'
import { counted } from '../../words/numbers.ts'

/** What a shorter retention deletes, as far back as reports go. */
export function LostEvidence({ site, days }: { site: string; days: number }) {
  const crawlers = useQuery(readQuery('getPerformance', { site, window: '365d', purpose: [...PURPOSES] }))
  const visitors = useQuery(readQuery('getAnalyticsOverview', { site, window: '365d' }))
  return (
    <p className="mt-4 font-medium text-ink">
      {crawlers.isPending || visitors.isPending
        ? 'Counting what will be deleted…'
        : lostEvidenceWords({ crawlers: crawlers.data, visitors: visitors.data, days })}
    </p>
  )
}

interface Lost {
  /** undefined: it could not be read. */
  crawlers: Pick<Performance, 'meta' | 'daily' | 'observed_request_count'> | undefined
  visitors: Pick<AnalyticsOverview, 'meta' | 'trend'> | undefined
  days: number
}

/**
 * "Of the last 365 days, at most 4,120 observed requests and 980 pageviews from before 22 Oct 2026 will be deleted": at
 * most, because uploaded requests are kept by the day of their import, and no answer counts them separately.
 */
export function lostEvidenceWords({ crawlers, visitors, days }: Lost): string {
  const as_of = crawlers?.meta.as_of ?? visitors?.meta.as_of
  if (as_of === undefined) return 'The amount could not be read; it is unknown.'
  const kept_from = shiftDay(as_of.slice(0, 10), -days)
  const requests =
    crawlers === undefined || crawlers.observed_request_count === null
      ? null
      : sum(crawlers.daily.filter(({ date }) => date < kept_from).map((row) => row.observed_request_count))
  const seen = visitors?.trend.filter(({ day }) => day < kept_from).flatMap(({ pageviews }) => pageviews ?? []) ?? []
  const pageviews = seen.length === 0 ? null : sum(seen)
  const parts = [
    requests === null ? 'an unknown number of observed requests' : `at most ${counted(requests, 'observed request')}`,
    pageviews === null ? 'an unknown number of pageviews' : counted(pageviews, 'pageview'),
  ]
  return `Of the last 365 days, ${parts.join(' and ')} from before ${datedDayText(kept_from)} will be deleted, and all older evidence. Uploaded logs are kept for ${counted(days, 'day')} after their import.`
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)
