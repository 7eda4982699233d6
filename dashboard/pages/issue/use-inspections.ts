import { useQuery } from '@tanstack/react-query'
import type { ReadOutput } from '../../read/operations.ts'
import { readQuery } from '../../read/queries.ts'
import { useSiteId } from '../../read/use-report.ts'

type Summary = ReadOutput<'inspection.list'>['inspections'][number]

const MAX_INSPECTIONS = 500

/** The page and status of each recent inspection of the site, by its id; older ones are absent. */
export function useInspections(): ReadonlyMap<string, Summary> {
  const site = useSiteId()
  const { data } = useQuery(readQuery('inspection.list', { site, limit: MAX_INSPECTIONS }))
  return new Map(data?.inspections.map((inspection) => [inspection.id, inspection]))
}
