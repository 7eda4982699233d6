import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { isRefusal } from '../read/refusal.ts'
import { STILL_READING } from '../words/refusals.ts'
import { ErrorPanel } from './error-panel.tsx'

interface AsyncProps<Answer> {
  query: Pick<UseQueryResult<Answer, Error>, 'data' | 'error' | 'refetch' | 'isFetching'>
  /** As high as the content, so that nothing moves. */
  skeleton: ReactNode
  children: (answer: Answer) => ReactNode
}

/**
 * The states of every panel: a skeleton after 150 ms, a text after five seconds, an error, or the answer. A refetch
 * keeps the old numbers; one that fails also keeps them and shows the error. Panels are drawn after the rest of the
 * page: on a slow processor the head and the figures are visible while tables are still drawn.
 */
export function Async<Answer>({ query, skeleton, children }: AsyncProps<Answer>) {
  const { error, refetch, isFetching } = query
  const read = useMemo(() => ({ data: query.data, refetch }), [query.data, refetch])
  const drawn = useDeferredValue(read)
  // If the panel gets another query, the deferred answer still belongs to the previous one. Each hook has its own
  // `refetch`, which does not change.
  const data = drawn.refetch === refetch ? drawn.data : query.data
  if (data !== undefined) {
    return (
      <>
        {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} has_older />}
        {children(data)}
      </>
    )
  }
  // A temporary refusal is repeated; its message stays meanwhile.
  const is_failed = error !== null && (!isFetching || isRefusal(error, 503))
  if (is_failed && query.data === undefined) return <ErrorPanel error={error} onRetry={() => void refetch()} />
  return <Loading>{skeleton}</Loading>
}

/** Whether there is nothing to show. Figures above a panel with an error are then hidden. */
export const hasFailed = ({ data, error }: Pick<UseQueryResult, 'data' | 'error'>): boolean =>
  error !== null && data === undefined

const SLOW_MS = 5_000

export function Loading({ children }: { children: ReactNode }) {
  const [is_slow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div aria-busy="true" className="appear-late">
      {is_slow && <p className="px-8 py-4 text-dense text-ink2">{STILL_READING}</p>}
      {children}
    </div>
  )
}

/** Grey bars in place of lines of a table or list. */
export const SkeletonRows = ({ rows, height = 38 }: { rows: number; height?: number }) => (
  <div aria-hidden="true">
    {Array.from({ length: rows }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: bars are all alike
      <div key={index} className="flex items-center border-t border-line px-8" style={{ height }}>
        <span className="skeleton h-6" style={{ width: `${64 - ((index * 17) % 40)}%` }} />
      </div>
    ))}
  </div>
)

/** In place of a chart by day and its legend, inside of a `ChartPanel`. */
export const SkeletonChart = () => <span aria-hidden="true" className="skeleton block h-147 max-tablet:h-132" />

/** In place of a block of a panel. */
export const SkeletonBox = ({ height }: { height: number }) => (
  <div aria-hidden="true" className="px-8 pb-8">
    <span className="skeleton block" style={{ height }} />
  </div>
)
