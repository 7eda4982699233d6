import { useEffect, useState } from 'react'
import { useReportSearch, useSetSearch } from '../../read/use-report.ts'

const PAUSE_MS = 250

/** Finds sites by a part of their domain, among all sites of the person. Reads after a pause in typing. */
export function SiteFilter() {
  const { q = '' } = useReportSearch()
  const setSearch = useSetSearch()
  const [text, setText] = useState(q)
  useEffect(() => setText(q), [q])
  useEffect(() => {
    if (text.trim() === q) return
    const timer = setTimeout(() => {
      void setSearch({ q: text.trim(), offset: undefined } as never, { replace: true })
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  })
  return (
    <input
      type="search"
      aria-label="Find sites by domain"
      placeholder="Filter by domain"
      maxLength={253}
      data-key="/"
      value={text}
      onChange={(event) => setText(event.target.value)}
      className="field max-w-100 max-tablet:max-w-none"
    />
  )
}
