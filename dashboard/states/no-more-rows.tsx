import { PageLink } from '../controls/page-link.tsx'
import type { Search } from '../read/search.ts'
import { useReportSearch } from '../read/use-report.ts'

/** Whether a page of a list begins behind its last row: the address is old, or the rows of the page have gone since. */
export const isBehindLast = ({ offset, total_count }: { offset: number; total_count: number }): boolean =>
  total_count > 0 && offset >= total_count

/** In place of the rows of such a page. The list itself is not empty, so nothing may say that it is. */
export function NoMoreRows({ what }: { what: string }) {
  const { offset: _offset, ...search } = useReportSearch() as Search & { offset?: string }
  return (
    <span className="flex flex-wrap items-center gap-x-8 gap-y-4">
      There are no more {what}.
      <PageLink to="." search={search} className="control">
        Show the first
      </PageLink>
    </span>
  )
}
