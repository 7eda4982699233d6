import Type from 'typebox'
import { oneOf } from '#contract/fields.ts'
import { IDENTITIES, PATH_CLASSES, PATH_FIDELITIES, PURPOSES } from '#contract/vocabulary.ts'
import { and, count, rows, sql, text, uuid } from '#evidence/sql.ts'
import { type CrawlerScope, countedPageDays, labels } from './scope.sql.ts'

const PageName = Type.Object({
  path_fidelity: oneOf(PATH_FIDELITIES),
  path_class: oneOf(PATH_CLASSES),
})

export interface PageAddress {
  site_id: string
  host: string
  path: string
}

const isNamed = ({ site_id, host, path }: PageAddress) =>
  and([sql`site_id = ${uuid(site_id)}`, sql`host = ${text(host)}`, sql`path = ${text(path)}`])

/** Fidelity and class of the pages with this name; at most one of each fidelity. */
export const namedPage = (page: PageAddress) =>
  rows(PageName)`
  SELECT toString(path_fidelity) AS path_fidelity, toString(path_class) AS path_class
  FROM spoor.pages FINAL
  WHERE ${isNamed(page)}
  ORDER BY path_fidelity
  LIMIT 1`

/** A row of one grouping. Columns of the other one have their type's default value. */
const PageDetailCount = Type.Object({
  part: oneOf(['daily', 'crawler']),
  date: Type.String(),
  status: Type.Integer(),
  crawler_id: Type.String(),
  purpose: Type.Union([oneOf(PURPOSES), Type.Literal('')]),
  identity: Type.Union([oneOf(IDENTITIES), Type.Literal('')]),
  requests: count(),
})

/** Requests of a page by day and status, and by crawler, identity and status: of one crawler, or of all. */
export const pageDetails = (scope: CrawlerScope, page: PageAddress, crawler_id: string | null = null) =>
  rows(PageDetailCount)`
  WITH ${countedPageDays(scope)},${labels(scope)}
  SELECT if(grouping(day) = 0, 'daily', 'crawler') AS part, toString(day) AS date, status, crawler_id,
    toString(purpose) AS purpose, toString(identity) AS identity, sum(requests) AS requests
  FROM counted
  INNER JOIN labels USING (agent_key)
  WHERE ${and([
    sql`page_id IN (SELECT page_id FROM spoor.pages WHERE ${isNamed(page)})`,
    ...(crawler_id === null ? [] : [sql`crawler_id = ${text(crawler_id)}`]),
  ])}
  GROUP BY GROUPING SETS ((day, status), (crawler_id, purpose, identity, status))
  ORDER BY part, date, crawler_id, identity, status`
