/** The report of a site as text: completeness first, then crawlers, outcomes, pages and unregistered agents. */
import type { Crawler, Outcome } from '#contract/site-api/index.ts'
import { DEFAULT_WINDOW, PURPOSES } from '#contract/vocabulary.ts'
import { eachDay } from '#days/windows.ts'
import { countOf, nameSome } from '#quantities.ts'
import type { SiteReport } from '../commands/report.ts'
import { asTypedHere } from '../host/program-name.ts'
import { lines } from '../output.ts'
import {
  andMore,
  type Column,
  columnsText,
  countText,
  cutEnd,
  cutList,
  cutMiddle,
  faint,
  heading,
  LIST_MARK,
  labelled,
  type PageStyle,
  rangeText,
  shareText,
  wrap,
} from '../page-style.ts'
import { chartDays, chartLegend, dayChart, daysInBlock } from './day-chart.ts'
import { coverageText } from './report-coverage-text.ts'
import { eventsText } from './report-events-text.ts'

const MAX_CRAWLERS = 15
const MAX_PAGES = 15
const MAX_AGENTS = 5
const MAX_NAMES = 3
/** A chart of fewer blocks shows nothing. */
const MIN_CHART = 10
const MAX_CHART = 31

/** One part of the report; parts without lines are left out. */
type Section = (style: PageStyle, report: SiteReport, site: string) => string[]

const SECTIONS: readonly Section[] = [totals, crawlers, identity, outcomes, pages, agents, visitors, furtherSteps]

/** @param issue_count issues of today, whatever the window. */
export function siteReportText(report: SiteReport, site: string, style: PageStyle, issue_count = 0): string {
  const parts = [...SECTIONS.map((section) => section(style, report, site)), issuesText(issue_count, site)].filter(
    (part) => part.length > 0,
  )
  return lines(...parts.flatMap((part, at) => (at === 0 ? part : ['', ...part])))
}

function totals(style: PageStyle, { performance, crawlers, top_pages }: SiteReport, site: string): string[] {
  const { meta, observed_request_count, hidden_by_purpose_filter } = performance
  const of =
    observed_request_count === null || observed_request_count === 0
      ? ''
      : ` of ${countOf(crawlers.crawlers.length, 'crawler')}, ${top_pages.total_count === null ? 'an unknown number of pages' : countOf(top_pages.total_count, 'page')}`
  const hidden = hidden_by_purpose_filter.map(
    ({ purpose, observed_request_count }) => `${countText(observed_request_count)} for ${purpose}`,
  )
  return [
    ...coverageText(style, meta, `Crawlers on ${site}`, site),
    ...labelled(style, 'Requests', `${countText(observed_request_count)}${of}`),
    ...labelled(
      style,
      'Purposes',
      meta.purpose_filter.length === PURPOSES.length ? 'all' : meta.purpose_filter.join(', '),
    ),
    ...(hidden.length === 0 ? [] : labelled(style, 'Left out', `${hidden.join(', ')}; --purpose all counts them`)),
  ]
}

function crawlers(style: PageStyle, { performance, crawlers: { crawlers } }: SiteReport): string[] {
  if (crawlers.length === 0) return []
  const { meta, daily } = performance
  const rowsOf = Map.groupBy(daily, ({ crawler_id }) => crawler_id)
  const coverage = { ...meta, is_unknown: meta.coverage_state === 'unknown' }
  const columns: Column<Crawler>[] = [
    { heading: 'Crawler', cell: (row) => cutEnd(nameOf(row), 24) },
    { heading: 'Purpose', cell: (row) => row.purpose },
    { heading: 'Requests', cell: (row) => countText(row.observed_request_count), is_number: true },
    { heading: 'Share', cell: (row) => shareText(row.observed_share), is_number: true },
  ]
  const shown = crawlers.slice(0, MAX_CRAWLERS)
  const plain = columnsText({ ...style, is_coloured: false }, shown, columns)
  const taken = Math.max(...plain.map((line) => line.length))
  const room = Math.min(MAX_CHART, style.width - taken - 2)
  const each = daysInBlock(eachDay(meta.window).length, Math.max(1, room))
  const chart: Column<Crawler> = {
    heading: each === 1 ? 'By day' : `Mean a day, ${each} days a block`,
    cell: (row) => dayChart(chartDays(coverage, rowsOf.get(row.crawler_id) ?? []), room),
  }
  const has_chart = room >= MIN_CHART
  return [
    heading(style, 'Crawlers'),
    ...columnsText(style, shown, has_chart ? [...columns, chart] : columns),
    ...andMore(style, crawlers.length - shown.length, '--json lists all'),
    ...(has_chart ? wrap(chartLegend('a scale per line'), style.width).map((line) => faint(style, line)) : []),
  ]
}

/** How the names of crawlers are known, and how more of them could be verified. */
function identity(style: PageStyle, { crawlers: { crawlers } }: SiteReport): string[] {
  if (crawlers.length === 0) return []
  const sum = (field: keyof Crawler['identities']) => crawlers.reduce((all, row) => all + row.identities[field], 0)
  const kinds = [
    [sum('network_verified'), 'verified by address'],
    [sum('provider_verified'), 'verified by a provider'],
    [sum('ua_identified'), 'named by user agent only'],
    [sum('unknown'), 'refuted by address (impostors)'],
  ] as const
  const said = kinds.filter(([count]) => count > 0).map(([count, what]) => `${countText(count)} ${what}`)
  const missing = crawlers.filter(({ address_list }) => address_list === 'not_held').map(nameOf)
  const names = nameSome(missing, MAX_NAMES)
  return [
    ...labelled(style, 'Identity', said.join(', ')),
    ...(missing.length === 0
      ? []
      : labelled(
          style,
          '',
          `No address list is loaded for ${names}, so no address proves or refutes them. To load the lists: spoor registry lists update; under --clock or without internet: spoor registry lists import FILE --list ID`,
        )),
  ]
}

function outcomes(style: PageStyle, { performance: { http_outcomes, observed_request_count } }: SiteReport): string[] {
  return http_outcomes.length === 0
    ? []
    : [heading(style, 'Outcomes'), ...outcomesText(style, http_outcomes, observed_request_count)]
}

/** Outcome classes with their share, and their statuses by count. */
export function outcomesText(style: PageStyle, rows: readonly Outcome[], total: number | null): string[] {
  const columns: Column<Outcome>[] = [
    { heading: 'Outcome', cell: ({ outcome }) => (outcome === 'response_unobserved' ? 'not observed' : outcome) },
    { heading: 'Requests', cell: (row) => countText(row.observed_request_count), is_number: true },
    {
      heading: 'Share',
      cell: (row) => (total === null || total === 0 ? '' : shareText(row.observed_request_count / total)),
      is_number: true,
    },
    { heading: 'Statuses', cell: statusesText, fills: cutList },
  ]
  return columnsText(style, rows, columns)
}

function statusesText({ statuses }: Outcome): string {
  const known = statuses.flatMap(({ http_status, observed_request_count }) =>
    http_status === null ? [] : [{ http_status, observed_request_count }],
  )
  return known
    .toSorted((a, b) => b.observed_request_count - a.observed_request_count)
    .map(({ http_status, observed_request_count }) => `${http_status}: ${countText(observed_request_count)}`)
    .join(LIST_MARK)
}

function pages(style: PageStyle, { top_pages }: SiteReport): string[] {
  if (top_pages.pages.length === 0) return []
  const shown = top_pages.pages.slice(0, MAX_PAGES)
  const total = top_pages.total_count ?? shown.length
  const has_hosts = new Set(top_pages.pages.map(({ host }) => host)).size > 1
  const columns: Column<(typeof shown)[number]>[] = [
    { heading: 'Page', cell: ({ host, path }) => (has_hosts ? `${host}${path}` : path), fills: cutMiddle },
    { heading: 'Requests', cell: (row) => countText(row.observed_request_count), is_number: true },
    { heading: 'Share', cell: (row) => shareText(row.observed_share), is_number: true },
    { heading: 'Crawlers', cell: (row) => countText(row.observed_crawler_count), is_number: true },
  ]
  return [
    heading(style, 'Pages'),
    ...columnsText(style, shown, columns),
    ...andMore(style, total - shown.length, `--json lists the first ${top_pages.limit}`),
  ]
}

function agents(
  style: PageStyle,
  { unregistered_agents: { agents, total_count, observed_request_count } }: SiteReport,
): string[] {
  if (agents.length === 0 || total_count === null) return []
  const shown = agents.slice(0, MAX_AGENTS)
  return [
    heading(style, 'Automated agents that the registry does not know'),
    ...wrap(
      `${countOf(total_count, 'agent')} with ${countText(observed_request_count)} requests, which no number above counts`,
      style.width,
    ),
    ...columnsText(style, shown, [
      { heading: 'Agent', cell: ({ agent }) => agent, fills: cutEnd },
      { heading: 'Requests', cell: (row) => countText(row.observed_request_count), is_number: true },
      {
        heading: 'Seen',
        cell: (row) => rangeText({ from: row.first_seen.slice(0, 10), to: row.last_seen.slice(0, 10) }),
      },
    ]),
    ...andMore(style, total_count - shown.length, '--json lists the first 100'),
  ]
}

function visitors(style: PageStyle, { events }: SiteReport, site: string): string[] {
  return events === undefined ? [] : eventsText(style, events, site)
}

function furtherSteps(_style: PageStyle, { crawlers: { meta, crawlers } }: SiteReport, site: string): string[] {
  const [first] = crawlers
  if (first === undefined) return []
  const days = eachDay(meta.window).length
  const window = `${days}d` === DEFAULT_WINDOW ? '' : ` --window ${days}d`
  return [
    `The pages of one crawler with their statuses:`,
    asTypedHere(`  spoor report ${site} --crawler ${first.crawler_id}${window}`),
  ]
}

const issuesText = (count: number, site: string): string[] =>
  count === 0 ? [] : [`${countOf(count, 'issue')} of crawlers on this site:`, asTypedHere(`  spoor issue list ${site}`)]

const nameOf = ({ display_name, crawler_id }: Crawler) => display_name ?? crawler_id
