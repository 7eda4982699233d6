import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SitesOverview } from '../../../src/contract/dashboard-api/index.ts'
import { AddSite } from '../../connect/add-site.tsx'
import { FirstSteps } from '../../connect/first-steps.tsx'
import { Button } from '../../controls/button.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import { ModalDialog } from '../../forms/dialog.tsx'
import { readQuery, sessionQuery } from '../../read/queries.ts'
import { useReportSearch } from '../../read/use-report.ts'
import { PageTitle } from '../../shell/title.tsx'
import { useMay } from '../../shell/use-may.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { isBehindLast, NoMoreRows } from '../../states/no-more-rows.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { PanelColumns } from '../../states/report-page.tsx'
import { footWords } from '../../tables/data-table.tsx'
import { instantText } from '../../words/days.ts'
import { visibleText } from '../../words/foreign-text.ts'
import { SITES_A_PAGE, sitesInput } from './route.ts'
import { SiteFilter } from './site-filter.tsx'
import { SiteHead, SiteRow } from './site-row.tsx'

const FILTER_FROM = 10

/** How are my sites doing? */
export function SitesPage() {
  const { data: session } = useQuery(sessionQuery())
  const may = useMay()
  const search = useReportSearch()
  const [is_adding, setAdding] = useState(false)
  const sites = useQuery({
    ...readQuery('getSitesOverview', sitesInput(search) as never),
    placeholderData: keepPreviousData,
  })
  const site_count = session?.sites.length ?? 3
  if (site_count === 0) {
    return (
      <div className="space-y-8">
        <PageTitle title="Sites">Add your first site</PageTitle>
        <PanelColumns>
          <Panel title="Which site do you want to observe?">
            <PanelBody>
              <AddSite forbidden={may.administer} />
            </PanelBody>
          </Panel>
          <FirstSteps root_domain={null} has_evidence={false} />
        </PanelColumns>
      </div>
    )
  }
  return (
    <div className="space-y-8">
      <PageTitle
        title="Sites"
        controls={
          <Button kind="primary" forbidden={may.administer} onClick={() => setAdding(true)}>
            Add a site
          </Button>
        }
      >
        Sites
      </PageTitle>
      <Panel
        title="All sites"
        note="Crawler requests in 30 days, UTC; training is left out, as in reports"
        actions={(site_count >= FILTER_FROM || search.q !== undefined) && <SiteFilter />}
      >
        <Async query={sites} skeleton={<SkeletonRows rows={Math.min(8, site_count)} height={57} />}>
          {(answer) => <SiteList answer={answer} q={search.q} />}
        </Async>
      </Panel>
      <ModalDialog title="Add a site" is_open={is_adding} onClose={() => setAdding(false)}>
        <AddSite forbidden={may.administer} />
      </ModalDialog>
    </div>
  )
}

export const SiteList = ({ answer, q }: { answer: SitesOverview; q: string | undefined }) => (
  <>
    {answer.sites.length === 0 ? (
      <p className="px-8 pb-8 text-ink2 max-tablet:px-6">
        {q === undefined || isBehindLast(answer) ? (
          <NoMoreRows what="sites" />
        ) : (
          `None of your domains contains “${visibleText(q)}”.`
        )}
      </p>
    ) : (
      <>
        <p className="px-8 pb-4 text-small text-ink3 max-tablet:px-6">As of {instantText(answer.as_of)} UTC.</p>
        <SiteHead />
        <ul>
          {answer.sites.map((site) => (
            <SiteRow key={site.id} site={site} as_of={answer.as_of} />
          ))}
        </ul>
      </>
    )}
    <div className="flex flex-wrap items-center justify-between gap-6 border-t border-line px-8 py-6 text-dense text-ink2 max-tablet:px-6">
      <span>
        {answer.offset > 0 && answer.returned_count > 0
          ? `Showing ${answer.offset + 1} to ${answer.offset + answer.returned_count} of ${answer.total_count}`
          : footWords(answer.returned_count, answer.total_count, answer.truncated)}
      </span>
      <Pages answer={answer} q={q} />
    </div>
  </>
)

function Pages({
  answer: { offset, returned_count, total_count },
  q,
}: {
  answer: SitesOverview
  q: string | undefined
}) {
  const next = offset + returned_count
  const filter = q === undefined ? {} : { q }
  const from = (start: number) => (start <= 0 ? filter : { ...filter, offset: String(start) })
  return (
    <span className="flex gap-4">
      {offset > 0 && (
        <PageLink to="." search={from(offset - SITES_A_PAGE)} className="control">
          Previous {SITES_A_PAGE}
        </PageLink>
      )}
      {next < total_count && (
        <PageLink to="." search={from(next)} className="control">
          Next {SITES_A_PAGE}
        </PageLink>
      )}
    </span>
  )
}
