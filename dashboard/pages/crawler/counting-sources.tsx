import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { DailyBreakdown } from '../../../src/contract/dashboard-api/index.ts'
import { PageLink } from '../../controls/page-link.tsx'
import { Value } from '../../evidence/value.tsx'
import { readQuery } from '../../read/queries.ts'
import { useSiteId } from '../../read/use-report.ts'
import { useKeptSearch } from '../../shell/kept-search.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { shortText } from '../../words/foreign-text.ts'
import { SOURCE_TYPE_WORDS } from '../../words/sources.ts'

/** The sources that counted the requests; each request is counted by one. */
export function CountingSources({ breakdown }: { breakdown: UseQueryResult<DailyBreakdown> }) {
  const site = useSiteId()
  const kept = useKeptSearch()('/sites/$site/sources/$source')
  const named = useQuery(readQuery('source.list', { site })).data?.sources ?? []
  const nameOf = (id: string) => {
    const source = named.find((one) => one.id === id)
    return source === undefined ? id.slice(0, 8) : source.name || SOURCE_TYPE_WORDS[source.source_type]
  }
  return (
    <Panel title="Counted by">
      <Async query={breakdown} skeleton={<SkeletonRows rows={1} />}>
        {({ sources, observed_request_count }) => (
          <PanelBody>
            {sources.length === 0 ? (
              <p className="text-ink2">
                {observed_request_count === null ? 'No source reported in this window.' : 'No request was counted.'}
              </p>
            ) : (
              <ul>
                {sources.map((source) => (
                  <li key={source.source_id} className="flex items-center gap-6 py-3">
                    <PageLink
                      to="/sites/$site/sources/$source"
                      params={{ site, source: source.source_id }}
                      search={kept}
                      className="link mr-auto min-w-0 truncate"
                    >
                      {shortText(nameOf(source.source_id))}
                    </PageLink>
                    <Value value={source.observed_request_count} />
                  </li>
                ))}
              </ul>
            )}
          </PanelBody>
        )}
      </Async>
    </Panel>
  )
}
