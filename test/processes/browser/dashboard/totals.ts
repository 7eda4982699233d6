/** What pages state in figures and tables, and where the API says the same. */
import type { Page } from 'playwright-core'
import type { AnswerList, BrandReport, QuestionList, UrlReport } from '#contract/account-api/index.ts'
import type {
  AnalyticsConversions,
  AnalyticsJourneys,
  AnalyticsOverview,
  AnalyticsPages,
  AnalyticsRevenue,
  AnalyticsSources,
  CrawlerAnswer,
  Crawlers,
  FunnelList,
  Performance,
  TopPages,
} from '#contract/site-api/index.ts'
import { decimal, fullCount, percent, secondsText } from '../../../../dashboard/words/numbers.ts'
import { exactMoney, PROVENANCE_WORDS } from '../../../../dashboard/words/revenue.ts'

/** By label of the figure, or by `caption: head` of a column. */
export type Totals = Record<string, string | readonly string[]>

interface ComparedPage {
  /** The page, and the API's path, both with `$name` of a subject. */
  page: string
  api: string
  /** Its filter: none, any window, those of 30 days at most, windows and purposes, or days of a brand. */
  filter: 'none' | 'windows' | 'short_windows' | 'purposes' | 'days'
  /** What both are asked beside the filter. */
  query?: string
  totals(answer: never): Totals
}

const worded = (count: number | null, format: (count: number) => string = fullCount): string =>
  count === null ? 'unknown' : format(count)
const ofRate = (rate: number | null, of: number | null): string =>
  rate === null && of === 0 ? 'not defined' : worded(rate, percent)
const compared = <Answer>(given: Omit<ComparedPage, 'totals'>, totals: (answer: Answer) => Totals): ComparedPage => ({
  ...given,
  totals,
})

export const COMPARED_PAGES: readonly ComparedPage[] = [
  compared<Performance>(
    { page: '/sites/$site/performance', api: '/v1/sites/$site/performance', filter: 'purposes' },
    ({ observed_request_count }) => ({ 'Observed requests': worded(observed_request_count) }),
  ),
  compared<Crawlers>(
    { page: '/sites/$site/performance', api: '/v1/sites/$site/crawlers', filter: 'purposes' },
    ({ meta, crawlers }) => ({ Crawlers: meta.coverage_state === 'unknown' ? 'unknown' : fullCount(crawlers.length) }),
  ),
  compared<TopPages>(
    { page: '/sites/$site/performance', api: '/v1/sites/$site/top-pages', filter: 'purposes' },
    ({ total_count }) => ({ Pages: worded(total_count) }),
  ),
  compared<Crawlers>(
    { page: '/sites/$site/crawlers', api: '/v1/sites/$site/crawlers', filter: 'purposes' },
    ({ crawlers }) => ({
      'Crawlers, most requests first: Requests': crawlers.map((row) => worded(row.observed_request_count)),
      'Crawlers, most requests first: Share': crawlers.map((row) => worded(row.observed_share, percent)),
      'Crawlers, most requests first: Impostors': crawlers.map((row) => worded(row.impostor_request_count)),
    }),
  ),
  compared<TopPages>(
    { page: '/sites/$site/top-pages', api: '/v1/sites/$site/top-pages', filter: 'purposes' },
    ({ pages }) => ({
      'Pages, most requests first: Requests': pages.map((row) => worded(row.observed_request_count)),
      'Pages, most requests first: Crawlers': pages.map((row) => worded(row.observed_crawler_count)),
    }),
  ),
  compared<CrawlerAnswer>(
    { page: '/sites/$site/crawlers/$crawler', api: '/v1/sites/$site/crawlers/$crawler', filter: 'windows' },
    ({ observed_request_count, total_count }) => ({
      'Observed requests': worded(observed_request_count),
      Pages: worded(total_count),
    }),
  ),
  compared<{ observed_request_count: number | null; crawlers: readonly object[] }>(
    {
      page: '/sites/$site/top-pages/one',
      api: '/dashboard-api/getPage',
      filter: 'windows',
      query: 'host=$host&path=/pricing',
    },
    ({ observed_request_count, crawlers }) => ({
      'Observed requests': worded(observed_request_count),
      Crawlers: observed_request_count === null ? 'unknown' : fullCount(crawlers.length),
    }),
  ),
  compared<AnalyticsOverview>(
    { page: '/sites/$site/overview', api: '/v1/sites/$site/overview', filter: 'windows' },
    ({ metrics }) => ({
      'Visitor-days': worded(metrics.visitor_days),
      Sessions: worded(metrics.sessions),
      Pageviews: worded(metrics.pageviews),
      'Bounce rate': worded(metrics.bounce_rate, percent),
      'Average session': worded(metrics.average_session_seconds, secondsText),
      'Pages per session': worded(metrics.pages_per_session, decimal),
      Conversions: worded(metrics.conversions),
    }),
  ),
  compared<AnalyticsSources>(
    { page: '/sites/$site/analytics-sources', api: '/v1/sites/$site/analytics-sources', filter: 'windows' },
    ({ acquisition }) => ({
      Channels: worded(acquisition === null ? null : acquisition.reduce((sum, { sessions }) => sum + sessions, 0)),
    }),
  ),
  compared<AnalyticsPages>(
    { page: '/sites/$site/pages', api: '/v1/sites/$site/pages', filter: 'windows' },
    ({ summary, pages }) => ({
      Pageviews: worded(summary.pageviews),
      Sessions: worded(summary.sessions),
      Pages: worded(summary.page_count),
      'Crawler patterns': worded(summary.crawler_pattern_count),
      'Pages, most pageviews first: Pageviews': pages.map((row) => worded(row.pageviews)),
      'Pages, most pageviews first: Entries': pages.map((row) => worded(row.entries)),
      'Pages, most pageviews first: Exits': pages.map((row) => worded(row.exits)),
    }),
  ),
  compared<AnalyticsConversions>(
    { page: '/sites/$site/conversions', api: '/v1/sites/$site/conversions', filter: 'windows' },
    ({ conversions }) => ({
      'Conversions by revision: Sessions': conversions.map(({ metrics }) => worded(metrics.converted_sessions)),
      'Conversions by revision: Events': conversions.map(({ metrics }) => worded(metrics.conversion_events)),
      'Conversions by revision: Rate': conversions.map(({ metrics }) => ofRate(metrics.rate, metrics.sessions)),
    }),
  ),
  compared<AnalyticsConversions>(
    { page: '/sites/$site/conversions/$conversion', api: '/v1/sites/$site/conversions', filter: 'windows' },
    ({ conversions }) => {
      const { metrics } = newestRevision(conversions)
      return {
        'Converted sessions': worded(metrics.converted_sessions),
        Events: worded(metrics.conversion_events),
        Rate: ofRate(metrics.rate, metrics.sessions),
        Sessions: worded(metrics.sessions),
      }
    },
  ),
  compared<AnalyticsRevenue>(
    { page: '/sites/$site/revenue', api: '/v1/sites/$site/revenue', filter: 'short_windows' },
    ({ reported, reconciliation }) => ({
      Reconciliation: worded(reconciliation.total_orders),
      ...Object.fromEntries(
        (reported ?? []).map(({ currency, provenance, exact_amounts_minor: { sales, refunds, net } }) => [
          `Reported revenue in ${currency}: ${PROVENANCE_WORDS[provenance]}`,
          [sales, refunds, net].map((amount) => exactMoney(amount, currency)),
        ]),
      ),
    }),
  ),
  compared<FunnelList>(
    { page: '/sites/$site/funnels', api: '/v1/sites/$site/funnels', filter: 'short_windows' },
    ({ funnels }) => ({
      'Funnels, active ones first: Entered': funnels.map(({ metrics }) => worded(metrics.entered_sessions)),
      'Funnels, active ones first: Completed': funnels.map(({ metrics }) => worded(metrics.completed_sessions)),
      'Funnels, active ones first: Rate': funnels.map(({ metrics }) =>
        ofRate(metrics.completion_rate, metrics.entered_sessions),
      ),
    }),
  ),
  compared<{ funnel: FunnelList['funnels'][number] }>(
    { page: '/sites/$site/funnels/$funnel', api: '/v1/sites/$site/funnels/$funnel', filter: 'short_windows' },
    ({ funnel: { metrics } }) => ({
      Entered: worded(metrics.entered_sessions),
      Completed: worded(metrics.completed_sessions),
      'Completion rate': ofRate(metrics.completion_rate, metrics.entered_sessions),
    }),
  ),
  compared<AnalyticsJourneys>(
    { page: '/sites/$site/journeys', api: '/v1/sites/$site/journeys', filter: 'short_windows' },
    ({ closed_sessions, total_count }) => ({
      'Closed sessions': worded(closed_sessions),
      Sequences: worded(total_count),
    }),
  ),
  compared<BrandReport>(
    { page: '/brands/$brand/report', api: '/api/v1/brands/$brand/report', filter: 'days' },
    ({ metrics: { visibility, share_of_voice, citation_rate, average_position } }) => ({
      Visibility: worded(visibility.value, percent),
      'Share of voice': worded(share_of_voice?.value ?? null, percent),
      'Citation rate': worded(citation_rate.value, percent),
      'Mean position': worded(average_position.value, decimal),
    }),
  ),
  compared<UrlReport & { dimension: 'url' }>(
    { page: '/brands/$brand/urls', api: '/api/v1/brands/$brand/urls', filter: 'days' },
    ({ rows }) => ({
      'Cited URLs: Citing answers': rows.map((row) => worded((row as { answers_citing: number }).answers_citing)),
    }),
  ),
  compared<QuestionList>(
    { page: '/brands/$brand/questions', api: '/api/v1/brands/$brand/questions', filter: 'none' },
    ({ questions, total_count }) => ({
      'Questions, oldest first: Question': questions.map(({ text }) => text),
      'Questions, oldest first: rows': fullCount(total_count),
    }),
  ),
  compared<AnswerList>(
    { page: '/brands/$brand/answers', api: '/api/v1/brands/$brand/answers', filter: 'days' },
    ({ answers }) => ({
      'Answers of engines, newest first: Model': answers.map(({ model }) => model ?? 'unknown'),
    }),
  ),
]

/** The page of the first conversion shows its newest revision. */
function newestRevision(all: AnalyticsConversions['conversions']): AnalyticsConversions['conversions'][number] {
  const [newest] = all
    .filter(({ conversion_id }) => conversion_id === all[0]?.conversion_id)
    .toSorted((one, other) => other.revision - one.revision)
  if (newest === undefined) throw new Error('the demo has no conversion')
  return newest
}

/** All figures and columns of the page as they are shown, the first line and token of each. */
export const readTotals = (page: Page): Promise<Totals> =>
  page.evaluate(() => {
    const textOf = (element: Element | null | undefined) => (element as HTMLElement | null | undefined)?.innerText ?? ''
    const first = (text: string) => {
      const [line = ''] = text.trim().replace(/^≥\s*/, '').split('\n')
      return (
        /^(?:unknown|withheld|not defined|[<>]? ?-?[\d.,]+(?: %| min(?: \d+ s)?| s| [A-Z]{3}\b)?)/.exec(line)?.[0] ??
        line
      )
    }
    const totals: Record<string, string | string[]> = {}
    for (const figure of document.querySelectorAll('main dl > div')) {
      totals[textOf(figure.querySelector('dt'))] = first(textOf(figure.querySelector('dd > span:first-child')))
    }
    for (const panel of document.querySelectorAll('main section')) {
      const note = /^([\d,]+|unknown) (?:sessions|orders with an id)$/.exec(
        textOf(panel.querySelector('h2')?.nextElementSibling).trim(),
      )
      if (note !== null) totals[textOf(panel.querySelector('h2'))] = note[1] as string
    }
    for (const table of document.querySelectorAll('main table')) {
      const caption = table.querySelector('caption')?.textContent
      const heads = [...table.querySelectorAll('thead tr > *')].map((head) => textOf(head).replace(/[\s↑↓]+$/, ''))
      for (const [index, head] of heads.entries()) {
        const cells = [...table.querySelectorAll(`tbody tr > :nth-child(${index + 1})`)]
        totals[`${caption}: ${head}`] = cells.map((cell) => first(textOf(cell)))
      }
      const foot = /^Showing (?:all|.* of) ([\d,]+|unknown)/.exec(
        textOf(table.closest('.overflow-x-auto')?.nextElementSibling),
      )
      if (foot !== null) totals[`${caption}: rows`] = foot[1] as string
    }
    return totals
  })
