import { useQueryClient } from '@tanstack/react-query'
import type { ReadId } from './operations.ts'

/** Reads again what somebody else may have changed. */
export function useReread(...ids: readonly ReadId[]) {
  const queries = useQueryClient()
  return () => {
    for (const id of ids) void queries.invalidateQueries({ queryKey: [id] })
  }
}
