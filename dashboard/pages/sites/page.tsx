import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SessionSite } from '../../read/operations.ts'
import { sessionQuery } from '../../read/queries.ts'
import { PageTitle } from '../../shell/title.tsx'
import { Panel } from '../../states/panel.tsx'
import { footWords } from '../../tables/data-table.tsx'
import { matches } from '../../tables/filter-box.tsx'
import { SiteRow } from './site-row.tsx'

const A_PAGE = 50

/** How are all my sites? Rows fill in one after the other, as they come into view. */
export function SitesPage() {
  const { data: session } = useQuery(sessionQuery())
  const [q, setQ] = useState('')
  const [limit, setLimit] = useState(A_PAGE)
  const sites: readonly SessionSite[] = session?.sites ?? []
  const found = sites.filter(({ root_domain }) => matches(q === '' ? undefined : q, root_domain))
  const shown = found.slice(0, limit)
  return (
    <div className="space-y-8">
      <PageTitle title="Sites">Sites</PageTitle>
      {sites.length === 0 ? (
        <Panel title="Add your first site">
          <p className="px-8 pb-8 text-ink2">
            No site is yours to see. An operator adds one with{' '}
            <code className="font-mono text-code">npx spoor site add DOMAIN</code>
          </p>
        </Panel>
      ) : (
        <Panel
          title="All sites"
          note="Observed requests in 30 days, UTC"
          actions={
            sites.length >= 10 && (
              <input
                type="search"
                aria-label="Filter sites"
                placeholder="Filter"
                value={q}
                onChange={(event) => setQ(event.target.value)}
                className="field max-w-100"
              />
            )
          }
        >
          <ul>
            {shown.map((site) => (
              <SiteRow key={site.id} site={site} />
            ))}
          </ul>
          <p className="flex items-center justify-between border-t border-line px-8 py-6 text-dense text-ink2">
            {footWords(shown.length, found.length, false)}
            {shown.length < found.length && (
              <button type="button" className="link" onClick={() => setLimit(limit + A_PAGE)}>
                Show more
              </button>
            )}
          </p>
        </Panel>
      )}
    </div>
  )
}
