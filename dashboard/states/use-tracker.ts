import { useQuery } from '@tanstack/react-query'
import { readQuery } from '../read/queries.ts'
import { isRefusal } from '../read/refusal.ts'
import { useSiteId } from '../read/use-report.ts'
import { useTrackerCoverage } from './tracker-page.tsx'

const AWAITING_MS = 3_000
const COLLECTING_MS = 15_000

/**
 * The tracker of the site with its snippet, read repeatedly: every 3 s until its first event. It is not read for a site
 * without a tracker, because the browser would log the refusal as an error.
 */
export function useTracker() {
  const site = useSiteId()
  const { query: coverage } = useTrackerCoverage()
  const is_absent = coverage.data?.freshness.limitations.includes('not_installed') === true
  const query = useQuery({
    ...readQuery('tracker.show', { site }),
    enabled: !coverage.isPending && !is_absent,
    refetchInterval: ({ state }) => (state.data?.first_event_at === null ? AWAITING_MS : COLLECTING_MS),
  })
  const is_refused = isRefusal(query.error, 404) && query.error.code === 'not_found'
  /** The tracker was never switched on. */
  return { query, is_never_enabled: is_absent || (is_refused && query.data === undefined) }
}
