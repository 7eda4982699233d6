/** What the control store keeps of a site, for an export: definitions, sources, coverage, issues; no secret. */
import { sql } from 'kysely'
import type { ControlDb, ControlStore } from '#control/store.ts'
import type { ControlTables } from '#control/tables.ts'

type Table = keyof ControlTables
/** Rows of the table whose `column` is the id of a row of `of`, which has the site. */
interface Through {
  of: 'sources' | 'issues'
  column: string
}
interface Exported {
  /** What the rows are ordered by: with the site, their primary key. */
  key: readonly string[]
  through?: Through
  /** Columns that are left out, because they are secrets or lead to them. */
  without?: readonly string[]
}

const by_id = { key: ['id'] }
const of_source = { of: 'sources', column: 'source_id' } as const
const of_issue = { of: 'issues', column: 'issue_id' } as const

/** By table; what is derived from these and from evidence is left out. */
export const CONTROL_RECORDS: Partial<Record<Table, Exported>> = {
  site_aliases: { key: ['root_domain'] },
  members: { key: ['user_id'] },
  gates: { key: ['name'] },
  sources: by_id,
  senders: { key: ['source_id', 'name'], through: of_source },
  sender_records: { key: ['source_id', 'sender', 'day'], through: of_source },
  forgotten_watches: { key: ['source_id', 'sender', 'host'], through: of_source },
  zones: { key: ['source_id'], through: of_source, without: ['sealed_token'] },
  hour_readings: { key: ['source_id', 'hour'], through: of_source },
  failed_hours: { key: ['source_id', 'hour'], through: of_source },
  deliveries: by_id,
  coverage_intervals: by_id,
  import_receipts: by_id,
  contract_revisions: by_id,
  authority_assignments: by_id,
  authority_interruptions: by_id,
  trackers: { key: ['site_id'], without: ['sealed_order_key'] },
  tracker_keys: { key: ['id'], without: ['secret_sha256'] },
  tracker_pauses: { key: ['from_at'] },
  tracker_settings: { key: ['site_id'] },
  development_origins: { key: ['origin'] },
  collection_counts: { key: ['day', 'outcome', 'reason'] },
  development_counts: { key: ['day', 'outcome', 'reason'] },
  refused_evidence: { key: ['day', 'kind', 'name'], without: ['visitor_hashes'] },
  snippet_proofs: { key: ['day', 'proof'] },
  properties: by_id,
  conversions: by_id,
  conversion_revisions: by_id,
  funnels: by_id,
  funnel_revisions: by_id,
  issues: by_id,
  issue_evidence: { key: ['issue_id', 'position'], through: of_issue },
  issue_members: { key: ['issue_id', 'page_id', 'crawler_id'], through: of_issue },
  issue_changes: by_id,
  intended_marks: by_id,
  impostor_refusals: { key: ['host', 'path', 'crawler_id'] },
  inspections: by_id,
  robots_snapshots: by_id,
  robots_bodies: { key: ['sha256'] },
  access_checks: by_id,
  alert_receivers: {
    key: ['id'],
    without: [
      'sealed_url',
      'sealed_secret',
      'sealed_previous_secret',
      'previous_secret_until',
      'confirm_sha256',
      'confirm_until',
      'unsubscribe_sha256',
      'sealed_unsubscribe_token',
    ],
  },
  alerts: by_id,
}

const PAGE = 1_000

/** Every record of a site, table by table; at most 1,000 of them are held at a time. */
export async function* controlRecords(
  { db }: ControlStore,
  site_id: string,
): AsyncGenerator<{ record: string; fields: Record<string, unknown> }> {
  for (const [record, exported] of Object.entries(CONTROL_RECORDS) as [Table, Exported][]) {
    let last: Row | undefined
    do {
      const found = await readPage(db, { ...exported, table: record, site_id, last })
      for (const row of found) yield { record, fields: withoutColumns(row, exported.without ?? []) }
      last = found.length < PAGE ? undefined : found.at(-1)
    } while (last !== undefined)
  }
}

type Row = Record<string, unknown>

interface Page extends Exported {
  table: Table
  site_id: string
  /** The last row of the page before; undefined for the first page. */
  last: Row | undefined
}

/**
 * Pages are continued after the key of a row: with a number of rows to skip, a row that is deleted meanwhile would hide
 * another one.
 */
async function readPage(db: ControlDb, { table, site_id, key, through, last }: Page): Promise<Row[]> {
  const of_site =
    through === undefined
      ? sql`site_id = ${site_id}`
      : sql`${sql.ref(through.column)} IN (SELECT id FROM ${sql.table(through.of)} WHERE site_id = ${site_id})`
  const columns = sql.join(key.map((column) => sql.ref(column)))
  const after = last === undefined ? sql`` : sql`AND (${columns}) > (${sql.join(key.map((column) => last[column]))})`
  const { rows } = await sql<Row>`
    SELECT * FROM ${sql.table(table)} WHERE ${of_site} ${after} ORDER BY ${columns} LIMIT ${PAGE}
  `.execute(db)
  return rows
}

const withoutColumns = (row: Row, without: readonly string[]) =>
  Object.fromEntries(Object.entries(row).filter(([column]) => !without.includes(column)))
