import type { UseQueryResult } from '@tanstack/react-query'
import type { DailyBreakdown } from '../../../src/contract/dashboard-api/index.ts'
import type { Performance } from '../../../src/contract/site-api/index.ts'
import { PATH_CLASSES, SCOPES } from '../../../src/contract/vocabulary.ts'
import { OutcomeList } from '../../charts/outcome-list.tsx'
import { PartList } from '../../charts/part-list.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import type { DayEvidence } from '../../evidence/day.ts'
import { totalOfDay } from '../../evidence/day-rows.ts'
import { filterOf, searchOfFilter } from '../../read/search.ts'
import { useReportSearch, useSiteId } from '../../read/use-report.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { weekdayText } from '../../words/days.ts'
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

export const OutcomesPanel = ({ performance, breakdown, day }: OutcomesPanelProps) =>
  day === null ? (
    <Panel title="Outcomes">
      <Async query={performance} skeleton={<SkeletonRows rows={5} />}>
        {({ http_outcomes, observed_request_count }) => (
          <PanelBody>
            <OutcomeList outcomes={http_outcomes} total={observed_request_count} />
            {http_outcomes.some(({ outcome }) => isFailure(outcome)) && <ErrorsLink />}
          </PanelBody>
        )}
      </Async>
    </Panel>
  ) : (
    <Panel title="Outcomes" note={weekdayText(day.date)}>
      <Async query={breakdown} skeleton={<SkeletonRows rows={5} />}>
        {({ daily_outcomes }) => {
          const rows = daily_outcomes.filter(({ date }) => date === day.date)
          return (
            <PanelBody>
              <OutcomeList outcomes={rows} total={totalOfDay(rows, day)} />
            </PanelBody>
          )
        }}
      </Async>
    </Panel>
  )

/** Who got the errors; where is one more click away. */
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

export const PathClassPanel = ({ performance }: OfPerformance) => (
  <Panel title="What they asked for">
    <Async query={performance} skeleton={<SkeletonRows rows={2} />}>
      {({ observed_by_path_class, observed_request_count: total }) => (
        <PanelBody>
          <PartList
            label="Requests by kind of path"
            total={total}
            parts={PATH_CLASSES.map((path_class) => ({
              key: path_class,
              label: PATH_CLASS_WORDS[path_class],
              count: countOf(
                observed_by_path_class.find((row) => row.path_class === path_class),
                total,
              ),
              is_hollow: path_class === 'infrastructure',
            }))}
          />
        </PanelBody>
      )}
    </Async>
  </Panel>
)

export const ScopePanel = ({ performance }: OfPerformance) => (
  <Panel title="Who they are">
    <Async query={performance} skeleton={<SkeletonRows rows={4} />}>
      {({ observed_by_scope, observed_request_count: total }) => (
        <PanelBody>
          <PartList
            label="Requests by what the crawler is"
            total={total}
            has_bar={false}
            parts={SCOPES.map((scope) => ({
              key: scope,
              label: SCOPE_WORDS[scope],
              count: countOf(
                observed_by_scope.find((row) => row.scope === scope),
                total,
              ),
            }))}
          />
        </PanelBody>
      )}
    </Async>
  </Panel>
)

/** A list of what was observed has no row of zero: without a row the count is zero, unless all of it is unknown. */
const countOf = (row: { observed_request_count: number } | undefined, total: number | null) =>
  row !== undefined ? row.observed_request_count : total === null ? null : 0
