import type { UseQueryResult } from '@tanstack/react-query'
import type { DailyBreakdown } from '../../../src/contract/dashboard-api/index.ts'
import type { Performance } from '../../../src/contract/site-api/index.ts'
import { PATH_CLASSES, SCOPES } from '../../../src/contract/vocabulary.ts'
import { OutcomesPanel } from '../../charts/outcomes-panel.tsx'
import { PartList } from '../../charts/part-list.tsx'
import { PartsPanel, type PartsPanelProps } from '../../charts/parts-panel.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import type { DayEvidence } from '../../evidence/day.ts'
import { totalOfDay } from '../../evidence/day-rows.ts'
import { trackSummary } from '../../evidence/day-track.tsx'
import { filterOf, searchOfFilter } from '../../read/search.ts'
import { useReportSearch, useSiteId } from '../../read/use-report.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { useCoverage } from '../../states/report-page.tsx'
import { csvOf } from '../../tables/csv.ts'
import { SCOPE_WORDS } from '../../words/identities.ts'
import { isFailure, PATH_CLASS_WORDS } from '../../words/outcomes.ts'

interface OfPerformance {
  performance: UseQueryResult<Performance>
}

interface OutcomesPanelProps extends OfPerformance {
  breakdown: UseQueryResult<DailyBreakdown>
  /** The selected day, if any. */
  day: DayEvidence | null
}

export function OutcomesOfWindow({ performance, breakdown, day }: OutcomesPanelProps) {
  const whole = performance.data
  const rows = breakdown.data?.daily_outcomes.filter(({ date }) => date === day?.date)
  const counted =
    day === null
      ? { outcomes: whole?.http_outcomes, total: whole?.observed_request_count }
      : { outcomes: rows, total: rows && totalOfDay(rows, day) }
  return (
    <OutcomesPanel
      meta={counted.outcomes === undefined ? undefined : whole?.meta}
      outcomes={counted.outcomes ?? []}
      total={counted.total ?? null}
      day={day}
      below={day === null && counted.outcomes?.some(({ outcome }) => isFailure(outcome)) && <ErrorsLink />}
      wrap={(content) => (
        <Async<unknown> query={day === null ? performance : breakdown} skeleton={<SkeletonRows rows={5} />}>
          {() => content}
        </Async>
      )}
    />
  )
}

/** A link to the errors by crawler. */
function ErrorsLink() {
  const site = useSiteId()
  const search = searchOfFilter(filterOf(useReportSearch()))
  return (
    <p className="mt-4 text-dense">
      <PageLink to="/sites/$site/crawlers" params={{ site }} search={{ ...search, sort: '-errors' }}>
        Errors by crawler
      </PageLink>
    </p>
  )
}

export function PathClassPanel({ performance }: OfPerformance) {
  const total = performance.data?.observed_request_count ?? null
  const parts = PATH_CLASSES.map((path_class) => ({
    key: path_class,
    label: PATH_CLASS_WORDS[path_class],
    count: countOf(
      performance.data?.observed_by_path_class.find((row) => row.path_class === path_class),
      total,
    ),
    is_hollow: path_class === 'infrastructure',
  }))
  return (
    <PartsOfWindow
      title="What they requested"
      file_name="requests-by-kind-of-path"
      part={{ head: 'Kind of path', name: 'path_class' }}
      chart={<PartList label="Requests by kind of path" {...{ parts, total }} />}
      {...{ performance, parts, total }}
    />
  )
}

export function ScopePanel({ performance }: OfPerformance) {
  const total = performance.data?.observed_request_count ?? null
  const parts = SCOPES.map((scope) => ({
    key: scope,
    label: SCOPE_WORDS[scope],
    count: countOf(
      performance.data?.observed_by_scope.find((row) => row.scope === scope),
      total,
    ),
  }))
  return (
    <PartsOfWindow
      title="Who they are"
      file_name="requests-by-scope"
      part={{ head: 'Scope', name: 'scope' }}
      chart={<PartList label="Requests by kind of crawler" has_bar={false} {...{ parts, total }} />}
      {...{ performance, parts, total }}
    />
  )
}

type PartsOfWindowProps = OfPerformance &
  Pick<PartsPanelProps, 'title' | 'file_name' | 'part' | 'chart' | 'parts' | 'total'>

/** Parts of all requests of the window. */
function PartsOfWindow({ performance, ...panel }: PartsOfWindowProps) {
  const { days } = useCoverage()
  const { data } = performance
  return (
    <PartsPanel
      {...panel}
      count={{ head: 'Requests', name: 'observed_request_count' }}
      evidence={days === null ? '' : trackSummary(days)}
      csv={data === undefined ? null : (columns, rows) => csvOf(data.meta, columns, rows)}
      wrap={(content) => (
        <Async query={performance} skeleton={<SkeletonRows rows={panel.parts.length} />}>
          {() => content}
        </Async>
      )}
    />
  )
}

/** A missing row means zero, unless the whole list is unknown. */
function countOf(row: { observed_request_count: number } | undefined, total: number | null): number | null {
  if (row !== undefined) return row.observed_request_count
  return total === null ? null : 0
}
