import { useQuery } from '@tanstack/react-query'
import { Value } from '../../evidence/value.tsx'
import { readQuery } from '../../read/queries.ts'
import { filterOf } from '../../read/search.ts'
import { useReportSearch, useSiteId } from '../../read/use-report.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'

const FIELDS = [
  ['Pageviews', 'pageviews'],
  ['Sessions', 'sessions'],
  ['Entries', 'entries'],
  ['Exits', 'exits'],
] as const

const NOT_MEASURED = {
  uninstalled: 'The tracker is not installed.',
  awaiting_first_evidence: 'The tracker waits for the first event.',
  unavailable: 'The tracker’s evidence cannot be read now.',
} as const

/** Visits to the same page, from the tracker. They are another kind of evidence, and are never added to requests. */
export function VisitorsOfPage({ host, path }: { host: string; path: string }) {
  const site = useSiteId()
  const { window } = filterOf(useReportSearch())
  const query = useQuery(readQuery('getAnalyticsPages', { site, window, limit: 100 }))
  return (
    <Panel title="Visitors">
      <Async query={query} skeleton={<SkeletonRows rows={4} />}>
        {({ meta, pages, summary }) => {
          const row = pages.find((page) => page.hostname === host && page.path === path)
          if (meta.measurement_state !== 'measured') {
            return <Words>{NOT_MEASURED[meta.measurement_state]} Visits of this page are unknown.</Words>
          }
          if (summary.page_count === null) {
            return <Words>Nothing was collected in this window. Visits of this page are unknown.</Words>
          }
          if (row === undefined) {
            return (
              <Words>
                {meta.pagination.truncated
                  ? `It is not among the ${pages.length} pages with the most pageviews.`
                  : 'The tracker recorded no visit to it in this window.'}
              </Words>
            )
          }
          return (
            <PanelBody>
              <ul>
                {FIELDS.map(([label, field]) => (
                  <li key={field} className="flex justify-between gap-8 py-3">
                    <span>{label}</span>
                    <Value value={row[field]} />
                  </li>
                ))}
              </ul>
            </PanelBody>
          )
        }}
      </Async>
    </Panel>
  )
}

const Words = ({ children }: { children: React.ReactNode }) => (
  <PanelBody>
    <p className="text-ink2">{children}</p>
  </PanelBody>
)
