import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AddSite } from '../../connect/add-site.tsx'
import { FirstSteps } from '../../connect/first-steps.tsx'
import { Button } from '../../controls/button.tsx'
import { ModalDialog } from '../../forms/dialog.tsx'
import { readQuery, sessionQuery } from '../../read/queries.ts'
import { PageTitle } from '../../shell/title.tsx'
import { useMay } from '../../shell/use-may.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { Columns } from '../../states/report-page.tsx'
import { footWords } from '../../tables/data-table.tsx'
import { matches } from '../../tables/filter-box.tsx'
import { SiteHead, SiteRow } from './site-row.tsx'

const A_PAGE = 50
const FILTER_FROM = 10

/** How are all my sites? */
export function SitesPage() {
  const { data: session } = useQuery(sessionQuery())
  const may = useMay()
  const [offset, setOffset] = useState(0)
  const [q, setQ] = useState('')
  const [is_adding, setAdding] = useState(false)
  const sites = useQuery({
    ...readQuery('getSitesOverview', { limit: A_PAGE, offset } as never),
    placeholderData: keepPreviousData,
  })
  if (session?.sites.length === 0) {
    return (
      <div className="space-y-8">
        <PageTitle title="Sites">Add your first site</PageTitle>
        <Columns>
          <Panel title="Which site is observed?">
            <PanelBody>
              <AddSite forbidden={may.administer} />
            </PanelBody>
          </Panel>
          <FirstSteps root_domain={null} has_evidence={false} />
        </Columns>
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
        note="Requests of crawlers in 30 days, UTC; training is left out as in reports"
        actions={
          (session?.sites.length ?? 0) >= FILTER_FROM && (
            <input
              type="search"
              aria-label="Filter sites"
              placeholder="Filter"
              data-key="/"
              value={q}
              onChange={(event) => setQ(event.target.value)}
              className="field max-w-100"
            />
          )
        }
      >
        <Async query={sites} skeleton={<SkeletonRows rows={Math.min(8, session?.sites.length ?? 3)} height={57} />}>
          {(answer) => {
            const shown = answer.sites.filter(({ root_domain }) => matches(q === '' ? undefined : q, root_domain))
            return (
              <>
                <SiteHead />
                <ul>
                  {shown.map((site) => (
                    <SiteRow key={site.id} site={site} as_of={answer.as_of} />
                  ))}
                </ul>
                <div className="flex flex-wrap items-center justify-between gap-6 border-t border-line px-8 py-6 text-dense text-ink2 max-tablet:px-6">
                  <span>
                    {footWords(shown.length, answer.total_count, answer.truncated)}
                    {q !== '' && answer.truncated && ' · Filtered among the 50 shown'}
                  </span>
                  <Pages answer={answer} onOffset={setOffset} />
                </div>
              </>
            )
          }}
        </Async>
      </Panel>
      <ModalDialog title="Add a site" is_open={is_adding} onClose={() => setAdding(false)}>
        <AddSite forbidden={may.administer} />
      </ModalDialog>
    </div>
  )
}

interface PagesProps {
  answer: { offset: number; returned_count: number; total_count: number }
  onOffset: (offset: number) => void
}

function Pages({ answer: { offset, returned_count, total_count }, onOffset }: PagesProps) {
  const next = offset + returned_count
  if (offset === 0 && next >= total_count) return null
  return (
    <span className="flex gap-4">
      {offset > 0 && <Button onClick={() => onOffset(Math.max(0, offset - A_PAGE))}>Previous 50</Button>}
      {next < total_count && <Button onClick={() => onOffset(next)}>Next 50</Button>}
    </span>
  )
}
