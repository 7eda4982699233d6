import { useQuery } from '@tanstack/react-query'
import { readQuery } from '../read/queries.ts'
import { isRefusal } from '../read/refusal.ts'
import { useSiteId } from '../read/use-report.ts'

const AWAITING_MS = 3_000
const WATCHING_MS = 15_000

/** The tracker of the site with its snippet, read again and again: every 3 s until its first event. */
export function useTracker() {
  const site = useSiteId()
  const query = useQuery({
    ...readQuery('tracker.show', { site }),
    refetchInterval: ({ state }) => (state.data?.first_event_at === null ? AWAITING_MS : WATCHING_MS),
  })
  /** It was never switched on: the service has no tracker to show. */
  return { query, is_never_enabled: isRefusal(query.error, 404) && query.error.code === 'not_found' }
}
