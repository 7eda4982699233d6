/** Finds pages by name, and pages that served crawlers, to compare inspections with requests (rules 8.1). */
import Type from 'typebox'
import { oneOf } from '#contract/fields.ts'
import { VANTAGES } from '#contract/vocabulary.ts'
import { utcDay } from '#days/utc-day.ts'
import { count, instant, list, rows, sql, text, tuples, uint, uuid } from '#evidence/sql.ts'
import type { OutcomeScope } from './detection-scope.ts'
import { epochMs, fromCountedRollUp, selectOutcomes } from './page-outcomes.sql.ts'

const NamedPage = Type.Object({ page_id: Type.String(), host: Type.String(), path: Type.String() })

/** The pages with these names. */
export const pagesNamed = (site_id: string, names: readonly { host: string; path: string }[]) => rows(NamedPage)`
  SELECT toString(page) AS page_id, any(on_host) AS host, any(at_path) AS path
  FROM (
    SELECT page_id AS page, host AS on_host, path AS at_path
    FROM spoor.pages
    WHERE site_id = ${uuid(site_id)} AND (host, path) IN ${tuples(
      'Tuple(String, String)',
      names.map(({ host, path }) => [host, path]),
    )}
  )
  GROUP BY page
  ORDER BY page_id`

const ServedPage = Type.Object({
  page_id: Type.String(),
  crawler_id: Type.String(),
  vantage: oneOf(VANTAGES),
  successes: count(),
})

/** Pages of a host that answered one of these crawlers with 2xx since a day, the most requested first. */
export const servedPages = (
  detection: OutcomeScope,
  { host, crawlers, from, limit }: { host: string; crawlers: readonly string[]; from: string; limit: number },
) => rows(ServedPage)`
  WITH ${detection.eligible}
  SELECT toString(page) AS page_id, crawler AS crawler_id, seen_from AS vantage, sum(requests) AS successes
  FROM (${selectOutcomes(detection, sql`${fromCountedRollUp(detection, from)} AND status BETWEEN 200 AND 299 AND host = ${text(host)}`)}
  )
  WHERE crawler IN ${list('String', crawlers)} AND harm = ''
  GROUP BY page, crawler, seen_from
  ORDER BY successes DESC, page_id, crawler_id, vantage
  LIMIT ${uint(limit)}`

/** Pages of a host that answered a crawler with 2xx after an instant, with the last such instant, newest first. */
export const pagesServedSince = (
  detection: OutcomeScope,
  { host, crawler_id, vantage, since, limit }: ServedSince,
) => rows(Type.Object({ page_id: Type.String(), last_ms: count() }))`
  WITH ${detection.eligible}
  SELECT toString(page) AS page_id, ${epochMs(sql`max(last_at)`)} AS last_ms
  FROM (${selectOutcomes(detection, sql`${fromCountedRollUp(detection, utcDay(since))} AND status BETWEEN 200 AND 299 AND host = ${text(host)} AND last_at > ${instant(since)}`)}
  )
  WHERE crawler = ${text(crawler_id)} AND seen_from = ${text(vantage)} AND harm = ''
  GROUP BY page
  ORDER BY last_ms DESC, page_id
  LIMIT ${uint(limit)}`

interface ServedSince {
  host: string
  crawler_id: string
  vantage: (typeof VANTAGES)[number]
  /** Epoch milliseconds. */
  since: number
  limit: number
}
