import type { UseQueryResult } from '@tanstack/react-query'
import type { DailyBreakdown } from '../../../src/contract/dashboard-api/index.ts'
import type { CrawlerAnswer } from '../../../src/contract/site-api/index.ts'
import { OutcomeDays } from '../../charts/outcome-days.tsx'
import { Async, SkeletonBox } from '../../states/async.tsx'
import { Panel } from '../../states/panel.tsx'

const TITLE = 'Observed requests a day, by outcome'

interface CrawlerDaysProps {
  answer: CrawlerAnswer
  breakdown: UseQueryResult<DailyBreakdown>
}

/** Requests of one crawler by day, and what it got. */
export const CrawlerDays = ({ answer, breakdown }: CrawlerDaysProps) => (
  <Async
    query={breakdown}
    skeleton={
      <Panel title={TITLE}>
        <SkeletonBox height={294} />
      </Panel>
    }
  >
    {({ meta, daily_outcomes }) => (
      <OutcomeDays
        title={TITLE}
        file_name={`${answer.crawler_id}-requests-a-day`}
        meta={meta}
        daily={daily_outcomes}
        note={
          answer.observed_request_count === 0 && <p className="mt-6 text-ink2">Not observed in the watched time.</p>
        }
      />
    )}
  </Async>
)
