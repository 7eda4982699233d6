import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { STILL_READING } from '../words/refusals.ts'
import { ErrorPanel } from './error-panel.tsx'

interface AsyncProps<Answer> {
  query: Pick<UseQueryResult<Answer, Error>, 'data' | 'error' | 'refetch' | 'isFetching'>
  /** As high as what will be shown, so that nothing moves. */
  skeleton: ReactNode
  children: (answer: Answer) => ReactNode
}

/**
 * The states of every panel, once: a skeleton after 150 ms, words after five seconds, what went wrong, and the answer. A
 * refetch keeps the old numbers; one that fails keeps them as well and says so.
 */
export function Async<Answer>({ query, skeleton, children }: AsyncProps<Answer>) {
  const { data, error, refetch, isFetching } = query
  if (data !== undefined) {
    return (
      <>
        {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} has_older />}
        {children(data)}
      </>
    )
  }
  if (error !== null && !isFetching) return <ErrorPanel error={error} onRetry={() => void refetch()} />
  return <Loading>{skeleton}</Loading>
}

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

/** In place of a chart. */
export const SkeletonBox = ({ height }: { height: number }) => (
  <div aria-hidden="true" className="px-8 pb-8">
    <span className="skeleton block" style={{ height }} />
  </div>
)
