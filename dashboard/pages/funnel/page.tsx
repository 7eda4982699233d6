import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { SingleFunnel } from '../../../src/contract/site-api/index.ts'
import { SHORT_WINDOWS, type ShortWindow } from '../../../src/contract/vocabulary.ts'
import { Button } from '../../controls/button.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import { ReportExport } from '../../controls/report-export.tsx'
import { WindowPicker } from '../../controls/window-picker.tsx'
import { readQuery } from '../../read/queries.ts'
import { filterOf, searchOfFilter } from '../../read/search.ts'
import { useReportSearch, useSiteId } from '../../read/use-report.ts'
import { useSite } from '../../shell/use-site.ts'
import { Async, SkeletonBox } from '../../states/async.tsx'
import { Panel } from '../../states/panel.tsx'
import { PanelColumn, PanelColumns } from '../../states/report-page.tsx'
import { TrackerPage } from '../../states/tracker-page.tsx'
import { dayText } from '../../words/days.ts'
import { shortText } from '../../words/foreign-text.ts'
import { editorsOnly } from '../../words/refusals.ts'
import { FUNNEL_STATE_WORDS } from '../../words/tracker.ts'
import { ArchiveFunnel } from './archive.tsx'
import { ChartPanelOfFunnel } from './chart-panel.tsx'
import { EvaluationPanel, WhyAtLeast } from './evaluation.tsx'
import { FunnelFigures } from './figures.tsx'
import { funnelInput } from './input.ts'
import { FunnelRevisions } from './revisions.tsx'
import { StepsPanel } from './steps-panel.tsx'

/** How far did sessions get, and how certain is that? */
export function FunnelPage() {
  const site = useSiteId()
  const role = useSite()?.role
  const { funnel: slug } = useParams({ strict: false }) as { funnel: string }
  const search = useReportSearch() as ReturnType<typeof useReportSearch> & { revision?: string }
  const filter = filterOf(search)
  const input = funnelInput(site, slug, filter.window as ShortWindow, search.revision)
  const query = useQuery(readQuery('getAnalyticsFunnel', input))
  const [is_archiving, setArchiving] = useState(false)
  const funnel = query.data?.funnel
  const forbidden = editorsOnly(role)
  const kept = searchOfFilter(filter)
  return (
    <TrackerPage
      title={funnel === undefined ? 'Funnel' : shortText(funnel.name)}
      above={
        <PageLink to="/sites/$site/funnels" params={{ site }} search={kept} className="hover:underline">
          Funnels
        </PageLink>
      }
      meta={query.data?.meta}
      evidence_name={funnel === undefined ? undefined : FUNNEL_STATE_WORDS[funnel.evidence_state]}
      note={funnel === undefined ? '\u00a0' : aboutFunnel(funnel)}
      controls={
        <>
          <WindowPicker allowed={SHORT_WINDOWS} />
          <ReportExport id="getAnalyticsFunnel" input={input} />
          {funnel?.definition_state === 'active' &&
            (forbidden === undefined ? (
              <PageLink
                to="/sites/$site/funnels/$funnel/edit"
                params={{ site, funnel: slug }}
                search={kept}
                className="control"
              >
                Edit
              </PageLink>
            ) : (
              <Button forbidden={forbidden}>Edit</Button>
            ))}
          {funnel?.definition_state === 'active' && (
            <Button forbidden={forbidden} onClick={() => setArchiving(true)}>
              Archive
            </Button>
          )}
        </>
      }
    >
      {is_archiving && funnel !== undefined && (
        <ArchiveFunnel slug={slug} name={funnel.name} onClose={() => setArchiving(false)} />
      )}
      <Async
        query={query}
        skeleton={
          <Panel title="Sessions that reached each step">
            <SkeletonBox height={320} />
          </Panel>
        }
      >
        {(answer) => <FunnelReport answer={answer} slug={slug} />}
      </Async>
    </TrackerPage>
  )
}

export const FunnelReport = ({ answer: { funnel, meta }, slug }: { answer: SingleFunnel; slug: string }) => (
  <>
    <FunnelFigures funnel={funnel} />
    <ChartPanelOfFunnel funnel={funnel} meta={meta} />
    <PanelColumns>
      <PanelColumn>
        <StepsPanel funnel={funnel} />
        <FunnelRevisions slug={slug} shown={funnel.revision} />
      </PanelColumn>
      <PanelColumn>
        {funnel.metrics.entered_quality === 'observed_lower_bound' && <WhyAtLeast funnel={funnel} />}
        <EvaluationPanel coverage={funnel.evaluation_coverage} />
      </PanelColumn>
    </PanelColumns>
  </>
)

function aboutFunnel({ revision, effective_from, effective_to }: SingleFunnel['funnel']): string {
  const day = (instant: string) => dayText(instant.slice(0, 10))
  const force =
    effective_to === null
      ? `in force since ${day(effective_from)}`
      : `in force ${day(effective_from)} to ${day(effective_to)}`
  return `Revision ${revision}, ${force}. A step counts if it follows the previous step in the same session.`
}
