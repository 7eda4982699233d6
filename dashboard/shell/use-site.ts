import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { SessionSite } from '../read/operations.ts'
import { sessionQuery } from '../read/queries.ts'

/** The site of the page that is shown; undefined outside of a site. */
export function useSite(): SessionSite | undefined {
  const { data } = useQuery(sessionQuery())
  const { site } = useParams({ strict: false }) as { site?: string }
  return data?.sites.find(({ id }) => id === site)
}
