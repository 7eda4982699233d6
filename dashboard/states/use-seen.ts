import { useQuery } from '@tanstack/react-query'
import type { PickRow } from '../forms/pick-list.tsx'
import { readQuery } from '../read/queries.ts'
import { useSiteId } from '../read/use-report.ts'
import { shortText, visibleText } from '../words/foreign-text.ts'

/** Builders offer what was observed in the last 30 days, whatever window a page shows. */
const WINDOW = '30d'
const MAX_PAGES = 100

export const pageKey = (hostname: string, path: string) => `${hostname}${path}`

/** Events and pages that were observed, with their counts, as rows to pick from. */
export function useSeen() {
  const site = useSiteId()
  const events = useQuery(readQuery('getAnalyticsEvents', { site, window: WINDOW }))
  const pages = useQuery(readQuery('getAnalyticsPages', { site, window: WINDOW, limit: MAX_PAGES }))
  const withheld_events = events.data?.events.withheld_count ?? null
  const exact = pages.data?.pages.filter(({ path_fidelity }) => path_fidelity === 'exact') ?? []
  return {
    events,
    pages,
    event_rows: (events.data?.events.rows ?? []).map(
      ({ name, events: count }): PickRow => ({
        key: name,
        text: name,
        label: visibleText(name),
        count,
        unit: 'events',
      }),
    ),
    page_rows: exact.map(
      ({ hostname, path, pageviews }): PickRow => ({
        key: pageKey(hostname, path),
        text: pageKey(hostname, path),
        label: `${visibleText(hostname)}${shortText(path, 80)}`,
        count: pageviews,
        unit: 'pageviews',
      }),
    ),
    /** Host and path by key. */
    page_of: new Map(exact.map(({ hostname, path }) => [pageKey(hostname, path), { hostname, path }])),
    /** Names that fewer visitors than the privacy floor sent. */
    withheld_events,
    has_more_pages: pages.data?.meta.pagination.truncated ?? false,
    /** Whether everything that was seen is a row, so that other names and pages were not seen. */
    has_all_events: events.data?.events.truncated === false && withheld_events === 0,
    has_all_pages: pages.data?.meta.pagination.truncated === false && pages.data.summary.page_count !== null,
  }
}
