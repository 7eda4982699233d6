import { useReportSearch, useSetSearch } from '../read/use-report.ts'
import { type Sort, sortOf } from './table-types.ts'

/** The order of a table, which is in the address. Sorting replaces the current step of the history. */
export function useSort(): { sort: Sort | null; onSort: (sort: Sort) => void } {
  const { sort } = useReportSearch()
  const setSearch = useSetSearch()
  return {
    sort: sortOf(sort),
    onSort: ({ key, descending }) => setSearch({ sort: `${descending ? '-' : ''}${key}` }, { replace: true }),
  }
}
