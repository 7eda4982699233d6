import { useQuery } from '@tanstack/react-query'
import { readQuery } from '../read/queries.ts'
import { isRefusal } from '../read/refusal.ts'
import { useSiteId } from '../read/use-report.ts'
import { useTrackerCoverage } from './tracker-page.tsx'

const AWAITING_MS = 3_000
const WATCHING_MS = 15_000

/**
 * The tracker of the site with its snippet, read again and again: every 3 s until its first event. A site whose coverage
 * says that there is none is not asked, because the refusal would stand in the browser's console as an error.
 */
export function useTracker() {
  const site = useSiteId()
  const { query: coverage } = useTrackerCoverage()
  const is_absent = coverage.data?.freshness.limitations.includes('not_installed') === true
  const query = useQuery({
    ...readQuery('tracker.show', { site }),
    enabled: !coverage.isPending && !is_absent,
    refetchInterval: ({ state }) => (state.data?.first_event_at === null ? AWAITING_MS : WATCHING_MS),
  })
  const is_refused = isRefusal(query.error, 404) && query.error.code === 'not_found'
  /** It was never switched on: the service has no tracker to show. */
  return { query, is_never_enabled: is_absent || (is_refused && query.data === undefined) }
}
