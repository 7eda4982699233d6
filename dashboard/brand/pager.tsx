import { PageLink } from '../controls/page-link.tsx'
import { useBrandSearch } from '../read/brand-search.ts'

interface PagerProps {
  offset: number
  limit: number
  total: number
}

/** Links to the previous and the next rows; nothing if all rows are shown. */
export function Pager({ offset, limit, total }: PagerProps) {
  const { offset: _offset, ...search } = useBrandSearch()
  const before = Math.max(0, offset - limit)
  return (
    <span className="flex gap-4">
      {offset > 0 && (
        <PageLink to="." search={before === 0 ? search : { ...search, offset: String(before) }} className="control">
          Previous
        </PageLink>
      )}
      {offset + limit < total && (
        <PageLink to="." search={{ ...search, offset: String(offset + limit) }} className="control">
          Next
        </PageLink>
      )}
    </span>
  )
}
