/** The report as a flat table for spreadsheets: a row per observation, its kind first, empty where unknown. */
import type { AnalyticsEvents, CrawlerAnswer, Outcome } from '#contract/site-api/index.ts'
import { eachDay } from '#days/windows.ts'
import { type Cells, writeCsv } from '#surfaces/csv/write-cells.ts'
import type { SiteReport } from '../commands/report.ts'

const COLUMNS = [
  'record',
  'date',
  'coverage',
  'crawler_id',
  'crawler',
  'purpose',
  'identity',
  'address_list',
  'host',
  'path',
  'outcome',
  'http_status',
  'agent',
  'event',
  'property',
  'value',
  'first_seen',
  'last_seen',
  'requests',
  'events',
  'sum',
  'visitor_days',
  'share',
] as const
type Column = (typeof COLUMNS)[number]
type Row = { record: string } & { readonly [Name in Exclude<Column, 'record'>]?: string | number | null | undefined }

/** Rows `total`, `gap_day`, `crawler`, `crawler_day`, `outcome`, `page` and `unregistered_agent`. */
export function siteCsv({ performance, crawlers, top_pages, unregistered_agents, events }: SiteReport): string {
  return writeRows([
    { record: 'total', coverage: performance.meta.coverage_state, requests: performance.observed_request_count },
    ...gapDays(performance.meta),
    ...crawlers.crawlers.map((row) => ({
      record: 'crawler',
      crawler_id: row.crawler_id,
      crawler: row.display_name,
      purpose: row.purpose,
      identity: row.identity,
      address_list: row.address_list,
      requests: row.observed_request_count,
      share: row.observed_share,
    })),
    ...performance.daily.map(({ date, crawler_id, observed_request_count }) => ({
      record: 'crawler_day',
      date,
      crawler_id,
      requests: observed_request_count,
    })),
    ...outcomeRows(performance.http_outcomes),
    ...top_pages.pages.map(({ host, path, observed_request_count, observed_share }) => ({
      record: 'page',
      host,
      path,
      requests: observed_request_count,
      share: observed_share,
    })),
    ...unregistered_agents.agents.map(({ agent, first_seen, last_seen, observed_request_count }) => ({
      record: 'unregistered_agent',
      agent,
      first_seen,
      last_seen,
      requests: observed_request_count,
    })),
    ...(events === undefined ? [] : eventRows(events)),
  ])
}

/** Rows `crawler`, `gap_day`, `identity`, `crawler_day`, `outcome` and `page`, one for each status of a page. */
export function crawlerCsv(answer: CrawlerAnswer): string {
  const { crawler_id } = answer
  return writeRows([
    {
      record: 'crawler',
      coverage: answer.meta.coverage_state,
      crawler_id,
      crawler: answer.display_name,
      purpose: answer.purpose,
      identity: answer.identity,
      address_list: answer.address_list,
      requests: answer.observed_request_count,
    },
    ...gapDays(answer.meta),
    ...answer.identities.map(({ identity, observed_request_count }) => ({
      record: 'identity',
      crawler_id,
      identity,
      requests: observed_request_count,
    })),
    ...answer.daily.map(({ date, observed_request_count }) => ({
      record: 'crawler_day',
      date,
      crawler_id,
      requests: observed_request_count,
    })),
    ...outcomeRows(answer.http_outcomes, crawler_id),
    ...answer.pages.flatMap(({ host, path, statuses }) =>
      statuses.map(({ http_status, observed_request_count }) => ({
        record: 'page',
        crawler_id,
        host,
        path,
        requests: observed_request_count,
        http_status,
        ...(http_status === null ? { outcome: 'response_unobserved' } : {}),
      })),
    ),
  ])
}

/** Rows `event`, `event_property`, `event_value`, `outbound_host` and `download`; withheld values are empty cells. */
function eventRows({ events, outbound_hosts, downloads }: AnalyticsEvents): Row[] {
  return [
    ...events.rows.flatMap(({ name: event, events, visitor_days, properties }): Row[] => [
      { record: 'event', event, events, visitor_days },
      ...properties.flatMap(({ key: property, events, sum, values }): Row[] => [
        { record: 'event_property', event, property, events, sum },
        ...(values ?? []).map((row) => ({ record: 'event_value', event, property, ...row })),
      ]),
    ]),
    ...outbound_hosts.rows.map((row) => ({ record: 'outbound_host', ...row })),
    ...downloads.rows.map(({ file_name, ...row }) => ({ record: 'download', path: file_name, ...row })),
  ]
}

/** Days without evidence: their requests are unknown, so their cell is empty. */
function gapDays({ gaps }: SiteReport['performance']['meta']): Row[] {
  return gaps.flatMap(eachDay).map((date) => ({ record: 'gap_day', date, coverage: 'unknown' }))
}

function outcomeRows(outcomes: readonly Outcome[], crawler_id?: string): Row[] {
  return outcomes.flatMap(({ outcome, statuses }) =>
    statuses.map(({ http_status, observed_request_count }) => ({
      record: 'outcome',
      crawler_id,
      outcome,
      http_status,
      requests: observed_request_count,
    })),
  )
}

function writeRows(rows: readonly Row[]): string {
  return writeCsv(COLUMNS, rows.map(cellsOf))
}

function cellsOf(row: Row): Cells {
  const known = Object.entries(row).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(
    known.map(([name, value]) => [name, typeof value === 'string' ? asText(value) : String(value)]),
  )
}

/** A spreadsheet must not evaluate foreign text as a formula (OWASP, CSV injection). */
const asText = (text: string) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)
