import type { UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { DailyBreakdown } from '../../../src/contract/dashboard-api/index.ts'
import type { Crawler, DailyRow, Performance } from '../../../src/contract/site-api/index.ts'
import { identityParts } from '../../charts/identity-bar.tsx'
import { PURPOSE_MARKS } from '../../charts/mark.tsx'
import type { Series } from '../../charts/series.ts'
import { IDENTITY_ORDER } from '../../words/identities.ts'
import { PURPOSE_COLORS, PURPOSE_STACK, PURPOSE_WORDS } from '../../words/purposes.ts'

const MAX_CHARTS = 8

/** Rows added up by day. */
function byDay(rows: readonly DailyRow[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { date, observed_request_count } of rows) {
    const before = counts.get(date)
    counts.set(date, before === undefined ? observed_request_count : before + observed_request_count)
  }
  return counts
}

/** One series for each purpose that occurs, in stacking order. */
export function seriesByPurpose(daily: readonly DailyRow[], crawlers: readonly Crawler[]): Series[] {
  const purposes = new Map(crawlers.map(({ crawler_id, purpose }) => [crawler_id, purpose]))
  return PURPOSE_STACK.flatMap((purpose) => {
    const rows = daily.filter(({ crawler_id }) => purposes.get(crawler_id) === purpose)
    if (rows.length === 0) return []
    const look = { color: PURPOSE_COLORS[purpose], mark: PURPOSE_MARKS[purpose] }
    return [{ key: purpose, label: PURPOSE_WORDS[purpose], ...look, counts: byDay(rows) }]
  })
}

/** The crawlers with the most requests, each in the colour of its purpose, and all others together. */
export function seriesByCrawler(daily: readonly DailyRow[], crawlers: readonly Crawler[]): Series[] {
  const rows = Map.groupBy(daily, ({ crawler_id }) => crawler_id)
  const shown = crawlers.slice(0, MAX_CHARTS).map(
    (crawler): Series => ({
      key: crawler.crawler_id,
      label: crawler.display_name ?? crawler.crawler_id,
      color: PURPOSE_COLORS[crawler.purpose],
      mark: PURPOSE_MARKS[crawler.purpose],
      counts: byDay(rows.get(crawler.crawler_id) ?? []),
    }),
  )
  const others = crawlers.slice(MAX_CHARTS)
  if (others.length === 0) return shown
  const counts = byDay(others.flatMap(({ crawler_id }) => rows.get(crawler_id) ?? []))
  const look = { color: 'var(--color-undeclared)', mark: 'hollow' as const }
  return [
    ...shown,
    { key: 'others', label: others.length === 1 ? '1 other' : `${others.length} others`, ...look, counts },
  ]
}

type DaysByCrawler = ReadonlyMap<string, ReadonlyMap<string, number>>

/** Days of each crawler, for the small charts of table rows. */
export const daysByCrawler = (daily: readonly DailyRow[]): DaysByCrawler =>
  new Map([...Map.groupBy(daily, ({ crawler_id }) => crawler_id)].map(([id, rows]) => [id, byDay(rows)]))

/** The same of a read: undefined while it is read, null if it failed. */
export function useDaysByCrawler({
  data,
  isError,
}: Pick<UseQueryResult<Performance>, 'data' | 'isError'>): DaysByCrawler | null | undefined {
  const days = useMemo(() => data && daysByCrawler(data.daily), [data])
  return days ?? (isError ? null : undefined)
}

/** One series for each identity that occurs, the strongest at the baseline; `unknown` means a refuted claim here. */
export function seriesByIdentity(daily: DailyBreakdown['daily_identities']): Series[] {
  const looks = new Map(
    identityParts({
      identities: { network_verified: 1, provider_verified: 1, ua_identified: 1, unknown: 1 },
      impostor_request_count: 1,
    }).map((part) => [part.key, part]),
  )
  const rows = Map.groupBy(daily, ({ identity }) => identity)
  return IDENTITY_ORDER.flatMap((identity) => {
    const of_identity = rows.get(identity)
    const look = looks.get(identity === 'unknown' ? 'impostor' : identity)
    if (of_identity === undefined || look === undefined) return []
    const { label, color, pattern, outline } = look
    return [
      {
        key: identity,
        label,
        color,
        mark: 'square' as const,
        ...(pattern === undefined ? {} : { pattern }),
        ...(outline === undefined ? {} : { outline }),
        counts: new Map(of_identity.map(({ date, observed_request_count }) => [date, observed_request_count])),
      },
    ]
  })
}
