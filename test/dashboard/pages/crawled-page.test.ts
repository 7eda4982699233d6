import { describe, expect, test } from 'vitest'
import { basics, nothing, page, SITE } from '../support/answers.ts'
import { renderPage } from '../support/render.ts'

const ADDRESS = `/sites/${SITE}/top-pages/one?host=www.example.com&path=/pricing`
const measured = {
  meta: { measurement_state: 'measured', pagination: { truncated: false } },
  summary: { page_count: 1 },
  pages: [{ hostname: 'www.example.com', path: '/pricing', pageviews: 484, sessions: 379, entries: 96, exits: 168 }],
}

describe('one page', () => {
  test('shows its crawlers with their statuses, its outcomes, its issue and its visitors', async () => {
    const { text } = await renderPage(ADDRESS, { ...basics(), getAnalyticsPages: measured })
    expect(text).toContain('Observed requests 9')
    expect(text).toContain('Answered 4xx or 5xx 9 100.0 % of requests')
    expect(text).toContain('GPTBot Training 403 9 9')
    expect(text).toContain('4xx 403 9 9 100.0 %')
    expect(text).toContain('Issues Open GPTBot got 403')
    expect(text).toContain('Pageviews 484')
  })

  test.each([
    [0, 'The tracker recorded no visit to it in this window.'],
    [null, 'Nothing was collected in this window. Visits of this page are unknown.'],
  ])('of %s visited pages in the window, none is this one', async (page_count, words) => {
    const { text } = await renderPage(ADDRESS, {
      ...basics(),
      getAnalyticsPages: { ...measured, summary: { page_count }, pages: [] },
    })
    expect(text).toContain(words)
  })

  test('gives visitors and issues their own states', async () => {
    const { text } = await renderPage(ADDRESS, {
      ...basics(),
      getAnalyticsPages: { meta: { measurement_state: 'uninstalled', pagination: { truncated: false } }, pages: [] },
      listIssues: { status: 500, body: { code: 'internal_error' } },
    })
    expect(text).toContain('The tracker is not installed. Visits of this page are unknown.')
    expect(text).toContain('This could not be read.')
    expect(text).toContain('Observed requests 9')
  })

  test('says unknown where no source covered the window', async () => {
    const uncovered = page({ observed_request_count: null, daily_outcomes: [], http_outcomes: [], crawlers: [] })
    const answers = { ...basics(), getAnalyticsPages: measured, getPage: uncovered, getCoverage: nothing.coverage() }
    const { text } = await renderPage(ADDRESS, answers)
    for (const label of ['Observed requests', 'Crawlers', 'Answered 4xx or 5xx', 'Response unobserved']) {
      expect(text).toContain(`${label} unknown`)
    }
    expect(text).toContain('Which crawlers requested it is unknown: no source covered this window.')
  })

  test('says that no request was observed if the window was covered', async () => {
    const quiet = page({ observed_request_count: 0, daily_outcomes: [], http_outcomes: [], crawlers: [] })
    const { text } = await renderPage(ADDRESS, { ...basics(), getAnalyticsPages: measured, getPage: quiet })
    expect(text).toContain('No request for it was observed in the watched time.')
  })

  test('needs a host and a path, and is not found in the words of the service', async () => {
    expect((await renderPage(`/sites/${SITE}/top-pages/one`, basics())).text).toContain('The address names no page')
    const refused = { status: 404, body: { code: 'not_found', detail: 'No evidence of the site names the page "/x".' } }
    const { text } = await renderPage(ADDRESS, { ...basics(), getPage: refused })
    expect(text).toContain('No evidence of the site names the page "/x".')
  })

  test('shows hostile addresses as text', async () => {
    const path = '/<script>alert(1)</script>\u202e'
    const { html, text } = await renderPage(
      `/sites/${SITE}/top-pages/one?host=www.example.com&path=${encodeURIComponent(path)}`,
      { ...basics(), getAnalyticsPages: measured, getPage: page({ path }) },
    )
    expect(html).not.toContain('<script>alert')
    expect(text).toContain('␣')
  })

  test('shows the outcomes of the selected day', async () => {
    const { text } = await renderPage(`${ADDRESS}&day=2026-11-19`, basics())
    expect(text).toContain('Thu 19 Nov , watched in full: outcomes below show this day')
    expect(text).toContain('4xx 9 100.0 %')
  })
})
