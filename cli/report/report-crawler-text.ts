/** The report of one crawler as a page of text. */
import type { CrawlerAnswer } from '#contract/site-api/index.ts'
import { lines } from '../output.ts'
import {
  andMore,
  columnsText,
  countText,
  cutMiddle,
  faint,
  heading,
  LIST_MARK,
  labelled,
  monthText,
  type PageStyle,
  shareText,
  shortDay,
  wrap,
} from '../page-style.ts'
import { type ChartDay, chartDays, chartLegend, dayChart, peakOf } from './day-chart.ts'
import { coverageText } from './report-coverage-text.ts'
import { outcomesText } from './report-text.ts'

const MAX_PAGES = 30

/** The report about one crawler. */
export function crawlerReportText(answer: CrawlerAnswer, site: string, style: PageStyle): string {
  const { meta, display_name, platform, purpose, observed_request_count } = answer
  const title = `${display_name}${platform === null ? '' : ` (${platform})`} on ${site}`
  const sections = [
    [
      ...coverageText(style, meta, title, site),
      ...labelled(style, 'Purpose', purpose === 'unknown' ? 'unknown: the vendor declares none' : purpose),
      ...labelled(style, 'Requests', countText(observed_request_count)),
      ...identityText(style, answer),
    ],
    daysText(style, answer),
    answer.http_outcomes.length === 0
      ? []
      : [heading(style, 'Outcomes'), ...outcomesText(style, answer.http_outcomes, observed_request_count)],
    pagesText(style, answer),
  ].filter((section) => section.length > 0)
  return lines(...sections.flatMap((section, at) => (at === 0 ? section : ['', ...section])))
}

const IDENTITY_NAMES: Readonly<Record<CrawlerAnswer['identities'][number]['identity'], string>> = {
  unknown: 'refuted by address (impostors)',
  ua_identified: 'named by user agent only',
  provider_verified: 'verified by a provider',
  network_verified: 'verified by address',
}

const ADDRESS_LISTS: Readonly<Record<CrawlerAnswer['address_list'], string | null>> = {
  held: null,
  not_published: 'The vendor publishes no list of addresses.',
  not_held:
    'No address list is loaded, so no address proves or refutes a request. To load the lists: spoor registry lists ' +
    'update; under --clock or without internet: spoor registry lists import FILE --list ID',
}

function identityText(style: PageStyle, { identities, address_list }: CrawlerAnswer): string[] {
  const said = identities.map(
    ({ identity, observed_request_count }) => `${countText(observed_request_count)} ${IDENTITY_NAMES[identity]}`,
  )
  const list = ADDRESS_LISTS[address_list]
  return [
    ...(said.length === 0 ? [] : labelled(style, 'Identity', said.join(', '))),
    ...(list === null ? [] : labelled(style, said.length === 0 ? 'Identity' : '', list)),
  ]
}

/** One line of blocks per month, aligned by day of the month, all on the same scale. */
function daysText(style: PageStyle, { meta, daily }: CrawlerAnswer): string[] {
  const days = chartDays({ ...meta, is_unknown: meta.coverage_state === 'unknown' }, daily)
  const peak = peakOf(days)
  if (peak === null) return []
  const months = [...Map.groupBy(days, ({ day }) => day.slice(0, 7)).values()]
  const scale = `The highest is ${countText(peak.count)} on ${shortDay(peak.day)}.`
  return [
    heading(style, 'Requests by day'),
    ...months.map((month) => monthLine(month, peak.count)),
    ...wrap(`${chartLegend('one scale')}. ${scale}`, style.width).map((line) => faint(style, line)),
  ]
}

const MONTH_WIDTH = 31

function monthLine(days: readonly ChartDay[], peak: number): string {
  const { day } = days[0] as ChartDay
  const before = ' '.repeat(Number(day.slice(8, 10)) - 1)
  const known = days.flatMap(({ count }) => (count === null ? [] : [count]))
  const total = known.length === 0 ? 'unknown' : countText(known.reduce((sum, count) => sum + count, 0))
  return `${monthText(day)}  ${`${before}${dayChart(days, MONTH_WIDTH, peak)}`.padEnd(MONTH_WIDTH)}  ${total.padStart(9)}`
}

function pagesText(style: PageStyle, { pages, total_count, limit }: CrawlerAnswer): string[] {
  if (pages.length === 0) return []
  const shown = pages.slice(0, MAX_PAGES)
  const has_hosts = new Set(pages.map(({ host }) => host)).size > 1
  return [
    heading(style, 'Pages and their statuses'),
    ...columnsText(style, shown, [
      { heading: 'Page', cell: ({ host, path }) => (has_hosts ? `${host}${path}` : path), fills: cutMiddle },
      { heading: 'Requests', cell: (row) => countText(row.observed_request_count), is_number: true },
      { heading: 'Share', cell: (row) => shareText(row.observed_share), is_number: true },
      { heading: 'Statuses', cell: (row) => pageStatuses(row.statuses), wraps: STATUSES_WIDTH },
    ]),
    ...andMore(style, (total_count ?? shown.length) - shown.length, `--json lists the first ${limit}`),
  ]
}

/** At least two statuses with their counts. */
const STATUSES_WIDTH = 24

function pageStatuses(statuses: CrawlerAnswer['pages'][number]['statuses']): string {
  return statuses
    .toSorted((a, b) => b.observed_request_count - a.observed_request_count)
    .map(
      ({ http_status, observed_request_count }) =>
        `${http_status ?? 'not observed'}: ${countText(observed_request_count)}`,
    )
    .join(LIST_MARK)
}
