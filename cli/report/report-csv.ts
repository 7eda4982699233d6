/** The report as a flat table for spreadsheets: a row per observation, its kind first, empty where unknown. */
import type { AnalyticsEvents, CrawlerAnswer, Outcome, TopPages } from '#contract/site-api/index.ts'
import { type DayRange, eachDay } from '#days/windows.ts'
import { countOf, formatCount } from '#quantities.ts'
import { type Cells, writeCsv } from '#surfaces/csv/write-cells.ts'
import type { SiteReport } from '../commands/report.ts'
import { countText } from '../page-style.ts'

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

/**
 * Rows `total`, `gap_day`, `crawler`, `crawler_day`, `outcome`, `page` and `unregistered_agent`, then those of events.
 */
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

/** What the table of a site leaves out, one sentence each. */
export function leftOutOfSite({ performance, top_pages, unregistered_agents, events }: SiteReport): string[] {
  return [
    ...performance.hidden_by_purpose_filter.map(
      ({ purpose, observed_request_count }) =>
        `The table leaves out ${countOf(observed_request_count, 'request')} for ${purpose}: --purpose all counts them.`,
    ),
    ...cut('pages', top_pages),
    ...cut('agents that the registry does not know', unregistered_agents),
    ...(events === undefined ? [] : leftOutOfEvents(events)),
  ]
}

/** What the table of a crawler leaves out. */
export const leftOutOfCrawler = (answer: CrawlerAnswer): string[] => cut('pages', answer)

function leftOutOfEvents({ privacy_floor, events, outbound_hosts, downloads }: AnalyticsEvents): string[] {
  const lists = { 'names of events': events, 'outbound hosts': outbound_hosts, downloads }
  return Object.entries(lists).flatMap(([what, { withheld_count, ...list }]) => [
    ...cut(what, list, 'events'),
    ...(withheld_count === null || withheld_count === 0
      ? []
      : [
          `The table leaves out ${formatCount(withheld_count)} ${what}, which fewer than ${formatCount(privacy_floor)} visitors sent.`,
        ]),
  ])
}

type CutList = Pick<TopPages, 'truncated' | 'returned_count' | 'total_count'>

function cut(what: string, { truncated, returned_count, total_count }: CutList, by = 'requests'): string[] {
  if (!truncated) return []
  return [
    `The table holds ${formatCount(returned_count)} of ${countText(total_count)} ${what}, those with the most ${by}.`,
  ]
}

/**
 * Rows `event_total`, `event_gap_day`, `event`, `event_property`, `event_value`, `outbound_host` and `download`;
 * unknown and withheld values are empty cells.
 */
function eventRows({ meta, event_count, events, outbound_hosts, downloads }: AnalyticsEvents): Row[] {
  return [
    { record: 'event_total', coverage: meta.completeness.state, events: event_count },
    ...gapDays(meta.completeness, 'event_gap_day'),
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

/** Days without evidence: their requests or events are unknown, so their cell is empty. */
function gapDays({ gaps }: { gaps: readonly DayRange[] }, record = 'gap_day'): Row[] {
  return gaps.flatMap(eachDay).map((date) => ({ record, date, coverage: 'unknown' }))
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
