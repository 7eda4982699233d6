import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Spark } from '../../charts/spark.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import { daysOfCoverage } from '../../evidence/day.ts'
import { DayTrack } from '../../evidence/day-track.tsx'
import { EvidenceGlyph } from '../../evidence/glyph.tsx'
import { Value } from '../../evidence/value.tsx'
import type { SessionSite } from '../../read/operations.ts'
import { readQuery } from '../../read/queries.ts'
import { errorWords } from '../../states/error-panel.tsx'
import { ROW_LINK } from '../../tables/path-text.tsx'
import { COVERAGE_STATE_WORDS } from '../../words/sources.ts'
import { visibleText } from '../../words/strangers-text.ts'

/** One site: its days with their evidence, and how many requests were observed. Read once it is in view. */
export function SiteRow({ site }: { site: SessionSite }) {
  const row = useRef<HTMLLIElement>(null)
  const is_seen = useSeen(row)
  const performance = useQuery({ ...readQuery('getPerformance', { site: site.id }), enabled: is_seen })
  const coverage = useQuery({ ...readQuery('getCoverage', { site: site.id }), enabled: is_seen })
  const answer = performance.data
  const days = coverage.data === undefined ? null : daysOfCoverage(coverage.data)
  const counts = new Map<string, number>()
  for (const { date, observed_request_count } of answer?.daily ?? []) {
    const before = counts.get(date)
    counts.set(date, before === undefined ? observed_request_count : before + observed_request_count)
  }
  return (
    <li
      ref={row}
      className="relative grid min-h-28 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-12 gap-y-3 border-t border-line px-8 py-5 hover:bg-sunken/50 tablet:grid-cols-[minmax(0,1fr)_180px_200px_110px_70px]"
    >
      <PageLink to="/sites/$site/performance" params={{ site: site.id }} className={`${ROW_LINK} truncate font-medium`}>
        {visibleText(site.root_domain)}
      </PageLink>
      <span className="flex items-center gap-4 text-dense text-ink2 max-tablet:order-3">
        {answer !== undefined && (
          <>
            <EvidenceGlyph state={answer.meta.coverage_state} />
            {COVERAGE_STATE_WORDS[answer.meta.coverage_state]}
          </>
        )}
        {performance.error !== null && answer === undefined && (
          <span className="text-warn">{errorWords(performance.error)}</span>
        )}
      </span>
      <span className="max-tablet:order-4 max-tablet:hidden">
        {days !== null && answer !== undefined && (
          <>
            <Spark
              days={days}
              counts={counts}
              color="var(--color-series)"
              label={`Requests to ${site.root_domain} by day`}
              width={200}
            />
            <span className="mt-2 block">
              <DayTrack days={days} height={5} width={200} />
            </span>
          </>
        )}
      </span>
      <span className="text-right">
        {answer === undefined ? (
          <span className="skeleton inline-block h-8 w-24" />
        ) : (
          <Value value={answer.observed_request_count} />
        )}
      </span>
      <span className="text-right text-dense text-ink3 first-letter:uppercase max-tablet:order-5">{site.role}</span>
    </li>
  )
}

/** True from the first time on that the element is near the window. */
function useSeen(element: React.RefObject<HTMLElement | null>): boolean {
  const [is_seen, setSeen] = useState(false)
  useEffect(() => {
    const seen = element.current
    if (seen === null) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) setSeen(true)
      },
      { rootMargin: '200px' },
    )
    observer.observe(seen)
    return () => observer.disconnect()
  }, [element])
  return is_seen
}
