import { useReportSearch, useSetSearch } from '../read/use-report.ts'
import { type Sort, sortOf } from './table-types.ts'

/** The order of a table as the address holds it; another order replaces the address instead of adding a step. */
export function useSort(): { sort: Sort | null; onSort: (sort: Sort) => void } {
  const { sort } = useReportSearch()
  const setSearch = useSetSearch()
  return {
    sort: sortOf(sort),
    onSort: ({ key, descending }) => setSearch({ sort: `${descending ? '-' : ''}${key}` }, { replace: true }),
  }
}
