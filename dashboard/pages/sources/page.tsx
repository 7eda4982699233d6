import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CoverageCalendar } from '../../charts/days/coverage-calendar.tsx'
import { ConnectChoices } from '../../connect/connect-choices.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import { WindowPicker } from '../../controls/window-picker.tsx'
import { readQuery } from '../../read/queries.ts'
import { useSiteId } from '../../read/use-report.ts'
import { useKeptSearch } from '../../shell/kept-search.ts'
import { useMay } from '../../shell/use-may.ts'
import { useSite } from '../../shell/use-site.ts'
import { Async, SkeletonBox, SkeletonRows } from '../../states/async.tsx'
import { Panel } from '../../states/panel.tsx'
import { ReportPage, useCoverage } from '../../states/report-page.tsx'
import { AuthorityPanels } from './authority-panels.tsx'
import { ReceiptsPanel } from './receipts-panel.tsx'
import { SourcesTable } from './sources-table.tsx'

/** Where does the evidence come from? */
export function SourcesPage() {
  const site = useSiteId()
  const keptFor = useKeptSearch()
  const sources = useQuery(readQuery('getSources', { site }))
  const named = useQuery(readQuery('source.list', { site }))
  const receipts = useQuery(readQuery('getReceipts', { site }))
  const { query: coverage } = useCoverage()
  return (
    <ReportPage
      title="Evidence sources"
      controls={
        <>
          <WindowPicker />
          <PageLink
            to="/sites/$site/sources/new"
            params={{ site }}
            search={keptFor('/sites/$site/sources/new')}
            className="control border-ink bg-ink text-panel hover:bg-ink2"
          >
            Add a source
          </PageLink>
        </>
      }
      metas={[coverage.data?.meta]}
      can_save={false}
    >
      <FirstSource is_empty={sources.data?.sources.length === 0} />
      {sources.data?.sources.length !== 0 && (
        <Panel title="Sources" note="Their state now">
          <Async query={sources} skeleton={<SkeletonRows rows={3} />}>
            {(answer) => <SourcesTable sources={answer.sources} names={named.data?.sources} site={site} />}
          </Async>
        </Panel>
      )}
      <Panel title="Coverage" note="Hosts by UTC days">
        <Async query={coverage} skeleton={<SkeletonBox height={120} />}>
          {(answer) => <CoverageCalendar coverage={answer} />}
        </Async>
      </Panel>
      {sources.data?.authority !== undefined && <AuthorityPanels authority={sources.data.authority} />}
      <ReceiptsPanel receipts={receipts} />
    </ReportPage>
  )
}

/** The three ways to add evidence, while there is none. They stay with their receipt once there is some. */
function FirstSource({ is_empty }: { is_empty: boolean }) {
  const site = useSite()
  const may = useMay()
  const [was_empty, setWasEmpty] = useState(false)
  if (is_empty && !was_empty) setWasEmpty(true)
  if (site === undefined || !was_empty) return null
  return (
    <ConnectChoices
      site={site}
      may={may}
      after={
        <PageLink to="/sites/$site/performance" params={{ site: site.id }} className="control">
          Open the overview
        </PageLink>
      }
    />
  )
}
