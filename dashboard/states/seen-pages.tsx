import { PickList } from '../forms/pick-list.tsx'
import { useSeen } from './use-seen.ts'

interface SeenPagesProps {
  /** Keys of the chosen pages. */
  picked: ReadonlySet<string>
  onPick: (page: { hostname: string; path: string }) => void
}

/** The most visited pages of the last 30 days, to pick from. */
export function SeenPages({ picked, onPick }: SeenPagesProps) {
  const { page_rows, page_of, pages, has_more_pages } = useSeen()
  const none = pages.data?.summary.page_count === 0 ? 'No page was visited.' : 'Visited pages are unknown.'
  return (
    <div>
      <p className="mb-3 text-dense font-medium">Pages seen in the last 30 days</p>
      <PickList
        label="Pages"
        rows={page_rows}
        picked={picked}
        onPick={(key) => {
          const page = page_of.get(key)
          if (page !== undefined) onPick(page)
        }}
        empty={pages.isPending ? 'Reading…' : none}
        note={has_more_pages ? 'These are the 100 most visited; type any other.' : undefined}
      />
    </div>
  )
}
