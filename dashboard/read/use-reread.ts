import { useQueryClient } from '@tanstack/react-query'
import type { ReadId } from './operations.ts'

/** Repeats reads that other people may have changed. */
export function useReread(...ids: readonly ReadId[]) {
  const queries = useQueryClient()
  return () => {
    for (const id of ids) void queries.invalidateQueries({ queryKey: [id] })
  }
}
