import { PageLink } from '../../controls/page-link.tsx'
import { useSiteId } from '../../read/use-report.ts'
import { useKeptSearch } from '../../shell/kept-search.ts'
import { Panel } from '../../states/panel.tsx'
import { footWords } from '../../tables/data-table.tsx'
import { PathText } from '../../tables/path-text.tsx'
import { counted } from '../../words/numbers.ts'
import type { ShownIssue } from './page.tsx'

/** The paths that the issue gathers. */
export function HarmedPaths({ shown: { issue, paths, path_count } }: { shown: ShownIssue }) {
  const site = useSiteId()
  const kept = useKeptSearch()('/sites/$site/top-pages/one')
  const { host } = issue
  return (
    <Panel title="Harmed paths" note={counted(path_count, 'path')}>
      <ul>
        {paths.map((path) => (
          <li key={path} className="border-t border-line px-8 py-4 max-tablet:px-6">
            {host === undefined ? (
              <PathText host="" path={path} />
            ) : (
              <PageLink to="/sites/$site/top-pages/one" params={{ site }} search={{ ...kept, host, path }}>
                <PathText host={host} path={path} />
              </PageLink>
            )}
          </li>
        ))}
      </ul>
      <p className="border-t border-line px-8 py-6 text-dense text-ink2 max-tablet:px-6">
        {footWords(paths.length, path_count, paths.length < path_count)}
      </p>
    </Panel>
  )
}
