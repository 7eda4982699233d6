import { useQuery } from '@tanstack/react-query'
import type { ReadOutput } from '../../read/operations.ts'
import { readQuery } from '../../read/queries.ts'
import { useSiteId } from '../../read/use-report.ts'
import type { ShownIssue } from './page.tsx'

type Summary = ReadOutput<'inspection.list'>['inspections'][number]

const MAX_INSPECTIONS = 500

const BEHIND_MS = 2_000

/**
 * The page and status of each recent inspection of the site, by its id; older ones are absent. They are read again as
 * long as one has not ended in them that has in the issue.
 */
export function useInspections({ inspections: shown }: Pick<ShownIssue, 'inspections'>): ReadonlyMap<string, Summary> {
  const site = useSiteId()
  const ended = new Set(shown.flatMap(({ id, ended_at }) => (ended_at === null ? [] : [id])))
  const { data } = useQuery({
    ...readQuery('inspection.list', { site, limit: MAX_INSPECTIONS }),
    refetchInterval: ({ state }) =>
      state.data?.inspections.some(({ id, ended_at }) => ended_at === null && ended.has(id)) ? BEHIND_MS : false,
  })
  return new Map(data?.inspections.map((inspection) => [inspection.id, inspection]))
}
