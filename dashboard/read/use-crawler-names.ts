import { useQuery } from '@tanstack/react-query'
import { PURPOSES } from '../../src/contract/vocabulary.ts'
import { readQuery } from './queries.ts'
import { filterOf } from './search.ts'
import { useReportSearch, useSiteId } from './use-report.ts'

/** The names of the crawlers that were observed in the window, of any purpose; without one it is the id. */
export function useCrawlerNames(): (crawler_id: string) => string {
  const site = useSiteId()
  const { window } = filterOf(useReportSearch())
  const { data } = useQuery(readQuery('getCrawlers', { site, window, purpose: [...PURPOSES] }))
  const names = new Map(data?.crawlers.map(({ crawler_id, display_name }) => [crawler_id, display_name]))
  return (crawler_id) => names.get(crawler_id) ?? crawler_id
}
