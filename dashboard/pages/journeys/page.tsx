import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import type { AnalyticsJourneys } from '../../../src/contract/site-api/index.ts'
import { SHORT_WINDOWS, type ShortWindow } from '../../../src/contract/vocabulary.ts'
import { ChartPanel } from '../../charts/chart-panel.tsx'
import { groupOf, sequencesOf } from '../../charts/flow/journey-links.ts'
import { ReportExport } from '../../controls/report-export.tsx'
import { WindowPicker } from '../../controls/window-picker.tsx'
import { trackerSentences } from '../../evidence/tracker-sentences.ts'
import { readQuery } from '../../read/queries.ts'
import { filterOf, limitOf } from '../../read/search.ts'
import { useReportSearch, useSiteId } from '../../read/use-report.ts'
import { Async, hasFailed, SkeletonBox } from '../../states/async.tsx'
import { Figure, Figures } from '../../states/figures.tsx'
import { Panel } from '../../states/panel.tsx'
import { TrackerPage } from '../../states/tracker-page.tsx'
import { csvOfTracker } from '../../tables/csv.ts'
import { percent } from '../../words/numbers.ts'
import { emptyWords, JOURNEY_COLUMNS, JourneyTable } from './list.tsx'

/** The layout of flows is loaded when one is shown. */
const JourneyFlow = lazy(() => import('../../charts/flow/journey-flow.tsx'))

const TITLE = 'Paths of sessions'

/** Which paths do sessions take? */
export function JourneysPage() {
  const site = useSiteId()
  const search = useReportSearch()
  const input = { site, window: filterOf(search).window as ShortWindow, ...limitOf(search) }
  const query = useQuery(readQuery('getAnalyticsJourneys', input))
  return (
    <TrackerPage
      title="Journeys"
      meta={query.data?.meta}
      note="Pages of closed sessions in the order in which they were viewed. Sequences of few people are never shown."
      controls={
        <>
          <WindowPicker allowed={SHORT_WINDOWS} />
          <ReportExport id="getAnalyticsJourneys" input={input} />
        </>
      }
    >
      {!hasFailed(query) && <JourneyFigures answer={query.data} />}
      <Async
        query={query}
        skeleton={
          <Panel title={TITLE}>
            <SkeletonBox height={460} />
          </Panel>
        }
      >
        {(answer) => <JourneyPanel answer={answer} />}
      </Async>
    </TrackerPage>
  )
}

export function JourneyFigures({ answer }: { answer: AnalyticsJourneys | undefined }) {
  const group = answer === undefined ? undefined : groupOf(answer.journeys)
  const grouped = group?.sessions ?? null
  return (
    <Figures label="Figures">
      <Figure label="Closed sessions" value={answer?.closed_sessions} note="the denominator of every share" />
      <Figure
        label="Sequences"
        value={answer?.total_count}
        note={answer === undefined ? undefined : `of at least ${answer.grouping_threshold} sessions`}
      />
      <Figure
        label="Grouped sessions"
        value={answer === undefined ? undefined : grouped}
        note={group?.share == null ? undefined : `${percent(group.share)} of closed sessions`}
      />
    </Figures>
  )
}

function JourneyPanel({ answer }: { answer: AnalyticsJourneys }) {
  const sequences = sequencesOf(answer.journeys)
  const words = trackerSentences(answer.meta, null)
  return (
    <ChartPanel
      title={TITLE}
      file_name="journeys"
      evidence={`${words.name} · ${words.as_of}`}
      csv={() => csvOfTracker(answer.meta, JOURNEY_COLUMNS, sequences)}
      chart={
        sequences.length === 0 ? (
          <p className="text-ink2">{emptyWords(answer)}</p>
        ) : (
          <Suspense fallback={<SkeletonBox height={460} />}>
            <JourneyFlow title={TITLE} answer={answer} />
          </Suspense>
        )
      }
      table={<JourneyTable answer={answer} />}
    />
  )
}
