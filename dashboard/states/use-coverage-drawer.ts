import { useRouter } from '@tanstack/react-router'
import { useRef } from 'react'
import { COVERAGE_DRAWER } from '../read/search.ts'
import { useReportSearch, useSetSearch } from '../read/use-report.ts'

/** Evidence at the side of a page. The address holds that it is open: a link shows it, and going back closes it. */
export function useCoverageDrawer() {
  const { drawer } = useReportSearch()
  const setSearch = useSetSearch()
  const { history } = useRouter()
  const was_opened_here = useRef(false)
  return {
    is_open: drawer === COVERAGE_DRAWER,
    onOpen() {
      was_opened_here.current = true
      void setSearch({ drawer: COVERAGE_DRAWER })
    },
    /** Leaves no step in the history. */
    onClose() {
      if (was_opened_here.current) history.back()
      else void setSearch({ drawer: undefined } as never, { replace: true })
      was_opened_here.current = false
    },
  }
}
