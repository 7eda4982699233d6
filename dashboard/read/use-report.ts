import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { filterOf, type ReportFilter, type Search, searchOfFilter } from './search.ts'

/** Search parameters of the page that is shown. */
export const useReportSearch = (): Search => useSearch({ strict: false }) as Search

/** The site of the page that is shown. */
export const useSiteId = (): string => String((useParams({ strict: false }) as { site?: string }).site)

/** Input that every report of the site takes, as the address says. */
export function useReportInput() {
  const { window, purposes } = filterOf(useReportSearch())
  return { site: useSiteId(), window, purpose: [...purposes] }
}

/** Sets search parameters. A filter adds a step to the history; sorting and the like replace the current one. */
export function useSetSearch() {
  const navigate = useNavigate()
  return (change: Partial<Search>, options: { replace?: boolean } = {}) =>
    navigate({
      to: '.',
      search: ((before: Search) => clean({ ...before, ...change })) as never,
      replace: options.replace ?? false,
      resetScroll: false,
    })
}

/** The address of the same page with another filter, for links. */
export function useFilterSearch() {
  const search = useReportSearch()
  const filter = filterOf(search)
  return (change: Partial<ReportFilter>): Search => {
    const { window: _window, purpose: _purpose, day: _day, ...others } = search
    return { ...others, ...searchOfFilter({ ...filter, ...change }) }
  }
}

const clean = (search: Partial<Search>): Search =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== ''))
