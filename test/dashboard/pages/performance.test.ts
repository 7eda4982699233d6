import { describe, expect, test } from 'vitest'
import { READ_FAILED } from '../../../dashboard/words/refusals.ts'
import { basics, coverage, crawlers, nothing, performance, SITE, topPages } from '../support/answers.ts'
import { renderPage } from '../support/render.ts'

const ADDRESS = `/sites/${SITE}/performance`

describe('the crawler overview', () => {
  test('shows what was observed and how much of the window was covered', async () => {
    const { text, html } = await renderPage(ADDRESS, basics())
    expect(text).toContain('Partial evidence')
    expect(text).toContain('1 of 3 days watched in full , 1 in part')
    expect(text).toContain('Observed requests 12 in the time that was watched')
    expect(html).toContain('not watched')
  })

  test('says unknown, and draws no number, where no source ever covered anything', async () => {
    const { text } = await renderPage(ADDRESS, {
      ...basics(),
      getCoverage: nothing.coverage(),
      getPerformance: performance({
        meta: nothing.meta,
        observed_request_count: null,
        daily: [],
        http_outcomes: [],
        observed_by_scope: [],
        observed_by_path_class: [],
      }),
      getCrawlers: crawlers({ meta: nothing.meta, crawlers: [] }),
      getTopPages: topPages({ meta: nothing.meta, pages: [], total_count: null, returned_count: 0 }),
    })
    expect(text).toContain('No source has reported yet. Every number of this site is unknown, not zero.')
    for (const label of [
      'Observed requests',
      'Crawlers',
      'Pages',
      'Response unobserved',
      'Infrastructure',
      'Impostors',
    ]) {
      expect(text).toContain(`${label} unknown`)
    }
  })

  test('says 0, with a baseline tick, on a covered day without a request', async () => {
    const answers = {
      ...basics(),
      getPerformance: performance({ observed_request_count: 0, daily: [] }),
      getCrawlers: crawlers({ crawlers: [] }),
    }
    const { text } = await renderPage(`${ADDRESS}?view=table`, answers)
    expect(text).toContain('Thu 19 Nov 0 watched in full')
    expect(text).toContain('Fri 20 Nov unknown not watched')
  })

  test('under assigned sources, says unknown where the evidence does not prove zero', async () => {
    const assigned = { meta: { ...performance().meta, authority: { hosts: [] } as never } }
    const days = ['2026-11-19', '2026-11-20'].map((date, index) => ({
      date,
      minutes: index === 0 ? 356 : 1_440,
      sampling: null,
      source_id: null,
      reasons: [],
      state: index === 0 ? ('partial' as const) : ('complete' as const),
    }))
    const answers = {
      ...basics(),
      getCoverage: { ...coverage(), ...assigned, days },
      getPerformance: performance({
        ...assigned,
        observed_request_count: null,
        daily: [],
        http_outcomes: [],
        observed_by_scope: [],
        observed_by_path_class: [],
      }),
      getCrawlers: crawlers({ ...assigned, crawlers: [] }),
      getTopPages: topPages({ ...assigned, pages: [], total_count: null, returned_count: 0 }),
    }
    const { text } = await renderPage(ADDRESS, answers)
    for (const label of ['Crawlers', 'Impostors', 'Search', 'Undeclared']) expect(text).toContain(`${label} unknown`)
    expect(text).toContain('Which crawlers came is unknown: this window is not watched in full. unknown')
    const table = await renderPage(`${ADDRESS}?view=table`, answers)
    expect(table.text).toContain('Thu 19 Nov unknown watched 5 h 56 min of 24 h')
    expect(table.text).toContain('Fri 20 Nov 0 watched in full')
    const day = await renderPage(`${ADDRESS}?day=2026-11-19`, answers)
    expect(day.text).toContain('Which crawlers came is unknown: this day is not watched in full.')
  })

  test('marks the numbers of days that were watched in part in the table', async () => {
    const { html } = await renderPage(`${ADDRESS}?view=table`, {
      ...basics(),
      getCoverage: { ...coverage(), days: coverage().days.map((day) => ({ ...day, state: 'partial' as const })) },
    })
    expect(html).toContain('7<svg role="img" aria-label=", watched in part"')
    expect(html).toMatch(/5<span[^>]*> so far/)
  })

  test('without requests, names the days that were watched in full, and what the filter hides', async () => {
    const { text } = await renderPage(ADDRESS, {
      ...basics(),
      getPerformance: performance({
        ...{
          observed_request_count: 0,
          daily: [],
          http_outcomes: [],
          observed_by_scope: [],
          observed_by_path_class: [],
        },
        hidden_by_purpose_filter: [{ purpose: 'training', observed_request_count: 40 }],
      }),
      getCrawlers: crawlers({ crawlers: [] }),
      getTopPages: topPages({ pages: [], total_count: 0, returned_count: 0 }),
    })
    expect(text).toContain('No crawler was observed in the 1 day that was watched in full.')
    expect(text).toContain('The purpose filter hides 40 of Training.')
    expect(text).toContain('Show all purposes')
  })

  test('without requests and a day that was watched in full, does not count days', async () => {
    const { text } = await renderPage(ADDRESS, {
      ...basics(),
      getCoverage: { ...coverage(), days: coverage().days.map((day) => ({ ...day, state: 'partial' as const })) },
      getPerformance: performance({ observed_request_count: 0, daily: [] }),
      getCrawlers: crawlers({ crawlers: [] }),
    })
    expect(text).toContain('No crawler was observed in the time that was watched.')
  })

  test('keeps the other panels when one fails', async () => {
    const { text } = await renderPage(ADDRESS, {
      ...basics(),
      getCrawlers: { status: 500, body: { code: 'internal_error', title: 'Internal error' } },
    })
    expect(text).toContain('This could not be read. It is unknown for now. Nothing was lost.')
    expect(text).toContain('Request req-1')
    expect(text).toContain('Observed requests 12')
  })

  test('numbers and charts whose own read failed are unknown, and do not look as if they were still read', async () => {
    const failed = { status: 500, body: { code: 'internal_error', title: 'Internal error' } }
    const { text, html } = await renderPage(ADDRESS, { ...basics(), getCrawlers: failed, getTopPages: failed })
    for (const label of ['Crawlers', 'Pages', 'Impostors']) expect(text).toContain(`${label} unknown could not be read`)
    // The chart, the crawlers and the pages.
    expect(text.split(READ_FAILED).length - 1).toBe(3)
    expect(html).not.toContain('aria-busy="true"')
  })

  test('the line of evidence says that nothing could be read', async () => {
    const failed = { status: 500, body: { code: 'internal_error', title: 'Internal error' } }
    const unread = { getCoverage: failed, getPerformance: failed, getCrawlers: failed, getTopPages: failed }
    const { text } = await renderPage(ADDRESS, { ...basics(), ...unread })
    expect(text).toContain('How complete the evidence is could not be read.')
  })

  test('says that evidence is being rebuilt', async () => {
    const { text } = await renderPage(ADDRESS, {
      ...basics(),
      getPerformance: { status: 503, body: { code: 'reader_unavailable', title: 'Not now' } },
    })
    expect(text).toContain('Evidence is being rebuilt. No number is shown until it is complete.')
  })

  test('shows skeletons while it reads', async () => {
    const { html } = await renderPage(ADDRESS, { ...basics(), getPerformance: 'never' })
    expect(html).toContain('aria-busy="true"')
  })

  test('refuses a window that the API refuses, and offers the default', async () => {
    const { text } = await renderPage(`${ADDRESS}?window=5d`, basics())
    expect(text).toContain('window is "5d"; allowed is one of 3d, 7d, 30d, 90d, 180d, 365d.')
    expect(text).toContain('Show 30 days')
  })

  test('offers the default of a refused value with everything else that the address names', async () => {
    const page = `/sites/${SITE}/top-pages/one`
    const of_page = await renderPage(`${page}?window=5d&host=a.example&path=%2Fpricing`, basics())
    expect(of_page.html).toContain(`href="${page}?path=/pricing&amp;host=a.example"`)
    const funnel = `/sites/${SITE}/funnels/checkout`
    const of_funnel = await renderPage(`${funnel}?revision=2&window=90d`, basics())
    expect(of_funnel.html).toContain(`href="${funnel}?revision=2"`)
  })

  test('says when evidence is old, and leads to the source that is behind', async () => {
    const { text, html } = await renderPage(ADDRESS, {
      ...basics(),
      getPerformance: performance({ meta: { ...performance().meta, data_through: '2026-11-20T23:10:00.000Z' } }),
    })
    expect(text).toContain('data through 20 Nov 23:10, 9 h ago')
    expect(html).toMatch(/<a [^>]*href="[^"]*\/sources"[^>]*>(?:(?!<\/a>).)*9 h ago/)
  })

  test('says when panels were read with different registries', async () => {
    const { text } = await renderPage(ADDRESS, {
      ...basics(),
      getCrawlers: crawlers({
        meta: { ...crawlers().meta, registry_version: '2026-11-19.1', as_of: '2026-11-21T08:14:03.000Z' },
      }),
    })
    expect(text).toContain('Panels were read 3 s apart.')
  })

  test('groups days by identity', async () => {
    const { text, asked } = await renderPage(`${ADDRESS}?group=identity`, basics())
    expect(asked.some((path) => path.startsWith('getDailyBreakdown?'))).toBe(true)
    expect(text).toContain('user agent only')
  })

  test('filters crawlers and outcomes by the selected day', async () => {
    const { text } = await renderPage(`${ADDRESS}?day=2026-11-19`, basics())
    expect(text).toContain('Thu 19 Nov , watched in full: crawlers and outcomes below show this day')
    expect(text).toContain('GPTBot Search 7 100.0 %')
  })

  test('shows a selected day that was not watched as unknown', async () => {
    const { text } = await renderPage(`${ADDRESS}?day=2026-11-20`, basics())
    expect(text).toContain('Which crawlers came is unknown: no source covered this day.')
  })

  test('keeps the place of the Export menu until there is something to save; pages without any have none', async () => {
    expect((await renderPage(ADDRESS, basics())).text).toContain('Export . Nothing can be saved yet.')
    expect((await renderPage(`/sites/${SITE}/issues`, basics())).text).not.toContain('Export')
  })
})
