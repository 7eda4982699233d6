import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Meta } from '../../src/contract/site-api/index.ts'

type Metas = readonly (Meta | undefined)[]
/** The same number from different panels; undefined while it is read, null if it is unknown. */
type Totals = readonly (number | null | undefined)[]

/**
 * Panels are read one by one, so that an update between two of them can make them differ. The older ones are read again
 * once; the words say that they differ, null: they agree.
 */
export function useSameEvidence(metas: Metas, totals: Totals): string | null {
  const queries = useQueryClient()
  const was_reread = useRef(false)
  const words = differenceWords(metas, totals)
  useEffect(() => {
    if (words !== null && !was_reread.current) rereadOlder(queries, metas)
    was_reread.current = words !== null
  })
  return words
}

export function differenceWords(metas: Metas, totals: Totals = []): string | null {
  const read = metas.filter((meta) => meta !== undefined)
  const versions = new Set(read.map(({ registry_version }) => registry_version))
  const counts = new Set(totals.filter((total) => total !== undefined))
  if (versions.size < 2 && counts.size < 2) return null
  const times = read.map(({ as_of }) => Date.parse(as_of))
  const seconds = Math.max(1, Math.round((Math.max(...times) - Math.min(...times)) / 1_000))
  return `Panels were read ${seconds} s apart.`
}

/** All but the newest; all of them if they have the same instant. */
export function rereadOlder(queries: QueryClient, metas: Metas): void {
  const read = metas.filter((meta) => meta !== undefined)
  const newest = read
    .map(({ as_of }) => as_of)
    .sort()
    .at(-1)
  const older = read.filter(({ as_of }) => as_of !== newest)
  const reread = new Set<unknown>(older.length === 0 ? read : older)
  const isReread = (data: unknown) => reread.has((data as { meta?: unknown } | undefined)?.meta)
  void queries.refetchQueries({ type: 'active', predicate: ({ state }) => isReread(state.data) })
}
