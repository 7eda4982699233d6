/** Every page about visitors in every state, without a browser: what is unknown is never printed as a number. */
import { describe, expect, test } from 'vitest'
import { AcquisitionPage } from '../../../dashboard/pages/analytics-sources/page.tsx'
import { ConversionPage } from '../../../dashboard/pages/conversions/one-page.tsx'
import { ConversionsPage } from '../../../dashboard/pages/conversions/page.tsx'
import { FunnelPage } from '../../../dashboard/pages/funnel/page.tsx'
import { FunnelsPage } from '../../../dashboard/pages/funnels/page.tsx'
import { JourneysPage } from '../../../dashboard/pages/journeys/page.tsx'
import { OverviewPage } from '../../../dashboard/pages/overview/page.tsx'
import { PagesPage } from '../../../dashboard/pages/pages/page.tsx'
import { RevenuePage } from '../../../dashboard/pages/revenue/page.tsx'
import { HintsPanel } from '../../../dashboard/pages/tracker/hints-panel.tsx'
import { TrackerSetupPage } from '../../../dashboard/pages/tracker/page.tsx'
import type { ReadId } from '../../../dashboard/read/operations.ts'
import { READ_FAILED, SWITCHED_OFF } from '../../../dashboard/words/refusals.ts'
import { REVENUE_CLASSES } from '../../../src/contract/vocabulary.ts'
import { answered, refused, renderOnSite, SITE, textOf } from '../render.tsx'
import * as answers from '../tracker-answers.ts'

const input = { site: SITE, window: '30d' as const }
const slug = answers.funnel('measured').slug
const covered = answered('getTrackerCoverage', input, answers.coverage())

const PAGES: { at: string; page: React.ReactNode; id: ReadId; asked?: object }[] = [
  { at: 'overview', page: <OverviewPage />, id: 'getAnalyticsOverview' },
  { at: 'analytics-sources', page: <AcquisitionPage />, id: 'getAnalyticsSources' },
  { at: 'pages', page: <PagesPage />, id: 'getAnalyticsPages' },
  { at: 'conversions', page: <ConversionsPage />, id: 'getAnalyticsConversions' },
  { at: 'funnels', page: <FunnelsPage />, id: 'getAnalyticsFunnels' },
  { at: `funnels/${slug}`, page: <FunnelPage />, id: 'getAnalyticsFunnel', asked: { funnel: slug } },
  { at: 'journeys', page: <JourneysPage />, id: 'getAnalyticsJourneys' },
  { at: 'revenue', page: <RevenuePage />, id: 'getAnalyticsRevenue' },
]

describe.each(PAGES)('$at', ({ at, page, id, asked }) => {
  const question = { site: SITE, ...asked, window: '30d' } as never
  test('while it is read there is a skeleton and no number', async () => {
    const markup = await renderOnSite(page, { at })
    expect(markup).toContain('aria-busy="true"')
    expect(markup).not.toMatch(/>0</)
  })
  test('a failure says so in its panel, and the evidence of the days stays', async () => {
    const text = textOf(await renderOnSite(page, { at, reads: [covered, refused(id, question, 500)] }))
    expect(text).toContain(READ_FAILED)
    expect(text).toContain('2 of 3 days collected in full')
  })
  test('a closed gate says that the report is switched off', async () => {
    const gate = refused(id, question, 503, { code: 'reader_unavailable', detail: 'Off.', step: 'gate.set' })
    expect(textOf(await renderOnSite(page, { at, reads: [gate] }))).toContain(SWITCHED_OFF)
  })
})

/** Digits that a page may show although nothing is known: windows, days, instants, versions. */
const withoutFrame = (text: string) =>
  text
    .slice(text.indexOf('Evidence'))
    .replace(/\d+ (of \d+ )?days?( not watched)?|\d{1,2} (Oct|Nov|Sep)|\d\d:\d\d|2026-11-21\.1/g, '')

describe('unknown', () => {
  const nothing = answered('getTrackerCoverage', input, answers.coverage('uninstalled'))
  test.each([
    ['overview', <OverviewPage key="p" />, answered('getAnalyticsOverview', input, answers.unknownOverview())],
    [
      'analytics-sources',
      <AcquisitionPage key="p" />,
      answered('getAnalyticsSources', input, answers.unknownSources()),
    ],
    ['pages', <PagesPage key="p" />, answered('getAnalyticsPages', input, answers.unknownPages())],
    ['journeys', <JourneysPage key="p" />, answered('getAnalyticsJourneys', input, answers.journeys(null))],
    ['revenue', <RevenuePage key="p" />, answered('getAnalyticsRevenue', input, answers.revenue(null))],
  ])('%s prints no zero and says unknown', async (at, page, read) => {
    const text = textOf(await renderOnSite(page, { at, reads: [read, nothing] }))
    expect(text).toContain('Every number is unknown, not zero.')
    expect(text).toContain('unknown')
    expect(withoutFrame(text)).not.toMatch(/(^|\s)0(\s|$)|0\.0 %/)
  })
  test('a site without tracker reads how to install it, and the overview has the button', async () => {
    const reads = [answered('getAnalyticsRevenue', input, answers.revenue(null)), nothing]
    expect(textOf(await renderOnSite(<RevenuePage />, { at: 'revenue', reads }))).toContain('Install the tracker')
    const missing = refused('tracker.show', { site: SITE }, 404, { code: 'not_found', detail: 'None.' })
    const own = [answered('getAnalyticsOverview', input, answers.unknownOverview()), missing]
    expect(textOf(await renderOnSite(<OverviewPage />, { reads: own }))).toContain('Switch the tracker on')
  })
})

describe('overview', () => {
  const reads = [answered('getAnalyticsOverview', input, answers.overview()), covered]
  test('shows the answer, lower bounds marked, and what is not defined', async () => {
    const text = textOf(await renderOnSite(<OverviewPage />, { reads }))
    for (const part of ['1,038', '≥ 1,072', '2,448', '42.2 %', '3 min 58 s', 'of 620 sessions', 'of 1,070 closed']) {
      expect(text).toContain(part)
    }
    expect(text).toContain('not defined no conversion was in force')
    expect(text).toContain('A person on two days counts twice.')
    expect(text).toContain('1 day without evidence , 20 Nov')
    expect(text).toMatch(/4 of the refused ones came from your own pages/)
  })
  test('compares only where the answer does, and names no change across gaps', async () => {
    const before = answers.overview()
    const comparison = {
      from: '2026-11-16',
      to: '2026-11-18',
      measurement: { gaps: [], limitations: [] },
      metrics: before.metrics,
      averaged_sessions: 1,
      closed_sessions: 1,
    }
    const show = async (gaps: { from: string; to: string }[]) => {
      const { meta } = before
      const answer = { ...before, comparison, meta: { ...meta, completeness: { ...meta.completeness, gaps } } }
      return textOf(await renderOnSite(<OverviewPage />, { reads: [answered('getAnalyticsOverview', input, answer)] }))
    }
    expect(await show([])).toContain('1,038 before · 0.0 %')
    expect(await show([{ from: '2026-11-20', to: '2026-11-20' }])).toContain('1,038 before, not comparable')
  })
  test.each([
    [['complete', 'complete', 'partial'], 'No session was observed in the 2 days that were collected in full.'],
    [['gap', 'complete', 'partial'], 'No session was observed in the 1 day that was collected in full.'],
    [['gap', 'gap', 'partial'], 'No session was observed in the collected time.'],
  ] as const)('no session on days that were %s', async (states, words) => {
    const { metrics, ...others } = answers.overview()
    const none = { ...others, metrics: { ...metrics, visitor_days: 0, sessions: 0, pageviews: 0 } }
    const { days, ...coverage } = answers.coverage()
    const judged = days.map((day, at) => ({ ...day, state: states[at] as (typeof states)[number], limitation: null }))
    const reads = [
      answered('getAnalyticsOverview', input, none),
      answered('getTrackerCoverage', input, { ...coverage, days: judged }),
    ]
    expect(textOf(await renderOnSite(<OverviewPage />, { reads }))).toContain(words)
  })
  test.each([
    [0, 'not defined no session has closed yet'],
    [3, 'not defined no closed session has two events'],
  ])('an average of %s closed sessions says why it is not defined', async (closed_sessions, words) => {
    const { metrics, ...others } = answers.overview()
    const open = {
      ...others,
      closed_sessions,
      averaged_sessions: 0,
      metrics: { ...metrics, average_session_seconds: null },
    }
    const reads = [answered('getAnalyticsOverview', input, open), covered]
    expect(textOf(await renderOnSite(<OverviewPage />, { reads }))).toContain(`Average session ${words}`)
  })
  test('a conversion day without one in force is unknown, not zero', async () => {
    const markup = await renderOnSite(<OverviewPage />, { at: 'overview?group=conversions&view=table', reads })
    expect(textOf(markup)).toContain('no conversion was in force')
  })
})

test('acquisition: rows of one assistant are one row, with its evidence', async () => {
  const text = textOf(
    await renderOnSite(<AcquisitionPage />, {
      at: 'x',
      reads: [answered('getAnalyticsSources', input, answers.sources())],
    }),
  )
  expect(text).toContain('ChatGPT referrer 60 · both 20')
  expect(text).toContain('≥ 80')
  expect(text).toContain('Of 222 sessions whose first page carried a source.')
  expect(text).toContain('46.8 %')
  expect(text).toContain('Clicks on AI answers in search results count as search.')
})

test('pages: where no source covered the window, crawler cells are unknown', async () => {
  const reads = [answered('getAnalyticsPages', input, answers.pages())]
  const text = textOf(await renderOnSite(<PagesPage />, { at: 'pages', reads }))
  expect(text).toContain('No source covered crawlers in this window: their columns are unknown.')
  expect(text).toMatch(/467 368 110 196 unknown unknown crawler requests unknown unknown/)
})

describe('conversions', () => {
  const show = async (answer: ReturnType<typeof answers.conversions>) =>
    textOf(
      await renderOnSite(<ConversionsPage />, { at: 'c', reads: [answered('getAnalyticsConversions', input, answer)] }),
    )
  test('a row shows what counts, and the quality of its numbers', async () => {
    const text = await show(answers.conversions())
    expect(text).toContain('signup where plan is pro or team')
    expect(text).toMatch(/≥ 24 ≥ 24 2\.2 % at least/)
  })
  test('null is unknown', async () => {
    expect(await show(answers.conversions(null))).toMatch(/unknown unknown unknown unknown unknown/)
  })
  test('without any, the page leads to the builder', async () => {
    expect(await show(answers.noConversions())).toContain('No conversion is defined yet. Create one')
  })
})

describe('a conversion', () => {
  const [row] = answers.conversions().conversions
  const listed = {
    id: row?.conversion_id ?? '',
    name: 'Signed up',
    definition_state: 'archived' as const,
    revision_id: SITE,
    revision: 1,
    effective_from: '2026-09-14T00:00:00.000Z',
    effective_to: '2026-09-20T00:00:00.000Z',
    created_at: '2026-09-14T00:00:00.000Z',
    archived_at: '2026-09-20T00:00:00.000Z',
    matcher: { kind: 'event' as const, event_name: 'signup', property_rules: [] },
  }
  const show = async (conversion: string) => {
    const reads = [
      answered('getAnalyticsConversions', input, answers.noConversions()),
      answered('conversion.list', { site: SITE }, { conversions: [listed] }),
    ]
    return textOf(await renderOnSite(<ConversionPage />, { at: `conversions/${conversion}`, reads }))
  }
  test('that was in force at no time of the window is not called missing', async () => {
    expect(await show(listed.id)).toContain('No revision of Signed up was in force in this window.')
  })
  test('that the site does not have is called missing', async () => {
    expect(await show('00000000-0000-4000-8000-00000000dead')).toContain('The site has no such conversion.')
  })
})

describe('funnels', () => {
  test('the list says lower bound, withheld, and not defined', async () => {
    const rows = [answers.funnel('partial'), answers.funnel('suppressed'), answers.funnel('measured', [0, 0, 0])]
    const listed = answers.funnels(rows.map((row, at) => ({ ...row, slug: `${row.slug.slice(0, -1)}${at}` })))
    const text = textOf(
      await renderOnSite(<FunnelsPage />, { at: 'funnels', reads: [answered('getAnalyticsFunnels', input, listed)] }),
    )
    expect(text).toMatch(/3 ≥ 4,182 ≥ 391 9\.3 % Lower bound/)
    expect(text).toMatch(/withheld withheld withheld Withheld/)
    expect(text).toMatch(/0 0 not defined Tracker evidence/)
  })
  test('without any, the page leads to the builder', async () => {
    const reads = [answered('getAnalyticsFunnels', input, answers.funnels([]))]
    expect(textOf(await renderOnSite(<FunnelsPage />, { at: 'funnels', reads }))).toContain(
      'Build one from visited pages',
    )
  })
  const one = async (answer: ReturnType<typeof answers.singleFunnel>) => {
    const reads = [answered('getAnalyticsFunnel', { ...input, funnel: slug }, answer), covered]
    return textOf(await renderOnSite(<FunnelPage />, { at: `funnels/${slug}`, reads }))
  }
  test('a lower bound names why', async () => {
    const text = await one(answers.singleFunnel('partial'))
    expect(text).toContain('Lower bound')
    expect(text).toContain('Why “at least”')
    expect(text).toContain('No event from a browser arrived, and the snippet was not found on the home page.')
    expect(text).toContain('Events that arrived together have no certain order.')
    expect(text).toContain('2,553 not seen going on')
    expect(text).toContain('24.0 % from step 2 to step 3')
  })
  test('of many incomplete days the first are named, and the others counted', async () => {
    const { days, ...coverage } = answers.coverage()
    const gap = { date: '2026-11-01', state: 'gap' as const, limitation: 'no_signal' }
    const gaps = Array.from({ length: 7 }, (_, at) => ({ ...gap, date: `2026-11-0${at + 1}` }))
    const reads = [
      answered('getAnalyticsFunnel', { ...input, funnel: slug }, answers.singleFunnel('partial')),
      answered('getTrackerCoverage', input, { ...coverage, days: [...gaps, days[0] as (typeof days)[number]] }),
    ]
    expect(textOf(await renderOnSite(<FunnelPage />, { at: `funnels/${slug}`, reads }))).toContain('And 1 more day.')
  })
  test('a suppressed one shows no number', async () => {
    const text = await one(answers.singleFunnel('suppressed'))
    expect(text).toContain('Withheld: fewer sessions entered than the privacy floor')
    expect(text).not.toContain('4,182')
  })
  test('one that was not in force says so', async () => {
    expect(await one(answers.singleFunnel('not_effective'))).toContain('was not in force in the window')
  })
  test('an unknown one says so of its own days, since the window may have others', async () => {
    expect(await one(answers.singleFunnel('unknown'))).toContain(
      'Nothing was collected while this revision was in force',
    )
  })
})

describe('journeys and revenue', () => {
  test('the list has every sequence, and the grouped ones below', async () => {
    const reads = [answered('getAnalyticsJourneys', input, answers.journeys())]
    const text = textOf(await renderOnSite(<JourneysPage />, { at: 'journeys?view=table', reads }))
    expect(text).toMatch(/\/ → \/pricing → \/ 60 60\.0 %/)
    expect(text).toContain('Sequences of fewer than 5 sessions are grouped: 10 sessions.')
  })
  test('the list says why it has no sequence: nothing is known, or too few sessions took each', async () => {
    const show = async (answer: ReturnType<typeof answers.journeys>) => {
      const reads = [answered('getAnalyticsJourneys', input, answer)]
      return textOf(await renderOnSite(<JourneysPage />, { at: 'journeys?view=table', reads }))
    }
    expect(await show(answers.journeys(null))).toContain('Which sequences sessions took is unknown.')
    const { journeys: _rows, ...others } = answers.journeys()
    const one = { kind: 'grouped' as const, sessions: 1, share: 1 }
    const text = await show({ ...others, closed_sessions: 1, total_count: 0, journeys: [one] })
    expect(text).toContain('Sequences of fewer than 5 sessions are grouped: 1 session. No sequence has more.')
  })
  test('currencies are separate, pages are beside servers, and orders that were not compared are reported', async () => {
    const amounts = { sales: '93600', refunds: '0', net: '93600' }
    const reported = {
      currency: 'EUR',
      provenance: 'browser' as const,
      sales_count: 24,
      refunds_count: 0,
      sales_amount_minor: 93_600,
      refunds_amount_minor: 0,
      net_amount_minor: 93_600,
      exact_amounts_minor: amounts,
    }
    const answer = answers.revenue([reported, { ...reported, currency: 'JPY' }])
    const reads = [answered('getAnalyticsRevenue', input, answer)]
    const text = textOf(await renderOnSite(<RevenuePage />, { at: 'revenue', reads }))
    expect(text).toContain('Not verified with a payment provider.')
    expect(text).toContain('936.00 EUR')
    expect(text).toContain('93,600 JPY')
    expect(text).toContain('none reported')
    expect(text).toContain('Compared 100,000 orders')
    expect(text).toContain('> 99.9 %')
  })
  test('sales without an order id have no share of the compared orders', async () => {
    const answer = answers.revenue([])
    const counts: Record<string, number> = { unkeyed: 3, matched: 1, server_only: 1 }
    const reconciliation = {
      ...answer.reconciliation,
      compared_orders: 2,
      total_orders: 2,
      capped: false,
      classes: REVENUE_CLASSES.map((name) => ({ class: name, orders: counts[name] ?? 0 })),
    }
    const reads = [answered('getAnalyticsRevenue', input, { ...answer, reconciliation })]
    const text = textOf(await renderOnSite(<RevenuePage />, { at: 'revenue', reads }))
    expect(text).toContain('2 orders with an id')
    expect(text).toContain('Both agree 1 50.0 %')
    expect(text).toMatch(/Without an order id 3$/)
  })
})

describe('tracker', () => {
  const tracker = {
    site_id: SITE,
    root_domain: 'example.com',
    state: 'enabled' as const,
    disabled_at: null,
    enabled_at: '2026-11-21T08:00:00.000Z',
    first_event_at: null,
    last_event_at: null,
    public_id: 'spoor_pub_a',
    snippet: '<script defer src="https://spoor.example/spoor.js?site=spoor_pub_a" data-site="spoor_pub_a"></script>',
    keys: [],
  }
  test('waits for the first event, and says what a content policy needs', async () => {
    const reads = [
      answered('tracker.show', { site: SITE }, tracker),
      answered('getTrackerCoverage', input, answers.coverage('awaiting_first_evidence')),
    ]
    const text = textOf(await renderOnSite(<TrackerSetupPage />, { at: 'tracker', reads }))
    expect(text).toContain('Waiting for the first event. Open a page of your site and it appears here.')
    expect(text).toContain('script-src https://spoor.example; connect-src https://spoor.example')
  })
  test('one that was switched off before its first event waits for nothing', async () => {
    const { operational, ...rest } = answers.meta('awaiting_first_evidence')
    const meta = { operational: { ...operational, state: 'disabled' as const, reason_code: 'disabled_by_owner' } }
    const ofMeta = <Answer extends { meta: object }>(answer: Answer) => ({
      ...answer,
      meta: { ...answer.meta, ...rest, ...meta },
    })
    const off = { ...tracker, state: 'disabled' as const, disabled_at: '2026-11-21T08:10:00.000Z' }
    const reads = [
      answered('getTrackerCoverage', input, { ...answers.coverage('awaiting_first_evidence'), ...meta }),
      answered('tracker.show', { site: SITE }, off),
      answered('getAnalyticsRevenue', input, ofMeta(answers.revenue(null))),
      answered('getAnalyticsOverview', input, ofMeta(answers.unknownOverview())),
    ]
    const shown = async (at: string, page: React.ReactNode) => textOf(await renderOnSite(page, { at, reads }))
    const revenue = await shown('revenue', <RevenuePage />)
    const overview = await shown('overview', <OverviewPage />)
    const setup = await shown('tracker', <TrackerSetupPage />)
    expect(revenue).toContain('The tracker was switched off before its first event')
    for (const text of [overview, setup]) expect(text).toContain('Switch it on again')
    for (const text of [revenue, overview, setup]) {
      expect(text).not.toMatch(
        /Waiting for the first event|Put this line|in the head of every page|Install the tracker/,
      )
    }
  })
  test.each([
    ['https', 2],
    ['http', 0],
  ])('a proxy before %s names the server to it in %s places', async (scheme, places) => {
    const own = { ...tracker, snippet: tracker.snippet.replaceAll('https:', `${scheme}:`) }
    const text = textOf(await renderOnSite(<HintsPanel tracker={own} />))
    expect(text.split('proxy_ssl_server_name on;').length - 1).toBe(places)
    expect(text).toContain(`proxy_pass ${scheme}://spoor.example/collect;`)
  })
})
