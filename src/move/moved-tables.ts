/** The tables of evidence that a move copies, and how it divides their rows into pieces (decisions 8.2). */
import { Fragment } from '#evidence/fragment.ts'
import { type Fragment as Sql, sql } from '#evidence/sql.ts'

/** A part of the key of a piece: an expression over a row, and the type of its values in lists. */
export interface PieceKey {
  expression: Sql
  type: 'UUID' | 'Date' | 'UInt64' | 'String'
}

export interface MovedTable {
  name: string
  table: Sql
  keys: readonly PieceKey[]
  /** Rows with the same key count once, so a repeated insert changes nothing. */
  is_replacing: boolean
  /** A whole number of 0 or more in each row; its sum is compared, too. */
  sum: Sql
}

const SITE: PieceKey = { expression: sql`site_id`, type: 'UUID' }
const BRAND: PieceKey = { expression: sql`brand_id`, type: 'UUID' }
const DAY: PieceKey = { expression: sql`day`, type: 'Date' }
const BUILD: PieceKey = { expression: sql`build`, type: 'UInt64' }
/** For tables without days: a 64th of the rows, so that no piece is too large for one statement. */
const share = (hash: Sql): PieceKey => ({ expression: sql`toUInt64(${hash} % 64)`, type: 'UInt64' })
const ALL: PieceKey = { expression: sql`toUInt64(0)`, type: 'UInt64' }

const table = (
  name: string,
  keys: readonly PieceKey[],
  more: { is_replacing?: boolean; sum?: Sql } = {},
): MovedTable => ({
  name,
  keys,
  is_replacing: more.is_replacing ?? false,
  sum: more.sum ?? sql`toUInt64(0)`,
  table: new Fragment([`spoor.${name}`]),
})
const facts = (name: string, keys: readonly PieceKey[], sum?: Sql) =>
  table(name, keys, { is_replacing: true, ...(sum === undefined ? {} : { sum }) })
const rollUp = (name: string, sum: Sql) => table(name, [SITE, DAY, BUILD], { sum })

/**
 * In the order of copying: names before the rows that refer to them. Staged lines, layout and identity are not copied.
 */
export const MOVED_TABLES: readonly MovedTable[] = [
  facts('agents', [ALL, share(sql`agent_key`)]),
  facts('agent_labels', [{ expression: sql`registry_version`, type: 'String' }, share(sql`agent_key`)]),
  facts('address_proofs', [ALL, share(sql`cityHash64(id)`)]),
  facts('pages', [SITE, share(sql`page_id`)]),
  facts('requests', [SITE, DAY], sql`requests`),
  facts('events', [SITE, DAY], sql`amount_minor`),
  rollUp('crawler_daily', sql`requests`),
  rollUp('page_outcomes_daily', sql`requests`),
  table('page_monthly', [SITE, { ...DAY, expression: sql`month` }, BUILD], { sum: sql`requests` }),
  rollUp('sessions', sql`events + pageviews`),
  rollUp('tracker_daily', sql`sessions + pageviews`),
  rollUp('source_daily', sql`sessions + pageviews`),
  rollUp('tracker_page_daily', sql`sessions + pageviews`),
  rollUp('journey_daily', sql`sessions`),
  rollUp('definition_daily', sql`sessions + events`),
  facts('answers', [BRAND, DAY], sql`ifNull(cost_micros, 0)`),
  facts('answer_citations', [BRAND, DAY], sql`span_count`),
  facts('answer_mentions', [BRAND, DAY], sql`occurrences`),
  facts('counted_answers', [BRAND, DAY], sql`length(cited_urls)`),
  facts('search_rows', [BRAND, DAY], sql`clicks + impressions`),
  facts(
    'search_ai_rows',
    [BRAND, { ...DAY, expression: sql`to_day` }],
    sql`ifNull(citations, 0) + ifNull(impressions, 0)`,
  ),
]

/** The expression of a table's day; null: it has no days. */
export const dayOf = ({ keys }: MovedTable): Sql | null => keys.find(({ type }) => type === 'Date')?.expression ?? null
