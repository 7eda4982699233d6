import { useEffect } from 'react'
import { useTyped } from '../../controls/use-typed.ts'
import { useReportSearch, useSetSearch } from '../../read/use-report.ts'

const PAUSE_MS = 250

/** Finds sites by a part of their domain, among all sites of the person. Reads after a pause in typing. */
export function SiteFilter() {
  const { q = '' } = useReportSearch()
  const setSearch = useSetSearch()
  const { text, setText, sendText } = useTyped(
    q,
    (typed) => void setSearch({ q: typed, offset: undefined } as never, { replace: true }),
  )
  useEffect(() => {
    if (text.trim() === q) return
    const timer = setTimeout(() => sendText(text.trim()), PAUSE_MS)
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
