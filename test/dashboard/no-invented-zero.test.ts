/** No page shows a zero that its answers do not hold: what is null is unknown, wherever it stands. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Coverage, PageDetail } from '#contract/dashboard-api/index.ts'
import type { Performance } from '#contract/site-api/index.ts'
import { OUTCOMES, PATH_CLASSES, SCOPES } from '#contract/vocabulary.ts'
import { basics, coverage, crawlers, page, performance, SITE, topPages } from './support/answers.ts'
import { renderPage } from './support/render.ts'
import { zerosOf } from './support/zeros.ts'

const positive = fc.integer({ min: 1, max: 9 })
/** Null as often as a number, and never zero. */
const known = fc.boolean()

const outcomesOf = (count: number) =>
  OUTCOMES.map((outcome) => ({ outcome, observed_request_count: count, statuses: [] })) as Performance['http_outcomes']

/** Every row exists where the total is known, so that no zero may be concluded from a missing one. */
const performanceOf = (count: number, is_known: boolean) =>
  performance(
    is_known
      ? {
          observed_request_count: count * 6,
          http_outcomes: outcomesOf(count),
          observed_by_scope: SCOPES.map((scope) => ({ scope, observed_request_count: count })),
          observed_by_path_class: PATH_CLASSES.map((path_class) => ({ path_class, observed_request_count: count })),
        }
      : {
          observed_request_count: null,
          daily: [],
          http_outcomes: [],
          observed_by_scope: [],
          observed_by_path_class: [],
        },
  )

const pageOf = (count: number, is_known: boolean): PageDetail =>
  page(
    is_known
      ? { observed_request_count: count * 6, http_outcomes: outcomesOf(count) }
      : { observed_request_count: null, daily_outcomes: [], http_outcomes: [], crawlers: [] },
  )

/** No day was observed, so that a day without a row is unknown as well. */
const gaps = (): Coverage => {
  const days = coverage().days.map((day) => ({ ...day, state: 'gap' as const, minutes: null }))
  return { ...coverage(), days }
}

test('the search for zeros finds those that are there', async () => {
  const { html } = await renderPage(`/sites/${SITE}/performance`, basics())
  expect(zerosOf(html)).not.toEqual([])
})

test('the overview and the page of a path invent none', async () => {
  await fc.assert(
    fc.asyncProperty(positive, known, known, known, known, async (count, is_total, is_pages, is_crawlers, is_page) => {
      const unknown = { ...crawlers().meta, coverage_state: 'unknown' as const }
      const answers = {
        ...basics(),
        getCoverage: gaps(),
        getPerformance: performanceOf(count, is_total),
        getTopPages: is_pages
          ? topPages()
          : topPages({ pages: [], total_count: null, returned_count: 0, meta: { ...unknown } }),
        getCrawlers: is_crawlers ? crawlers() : crawlers({ crawlers: [], meta: unknown }),
        getPage: pageOf(count, is_page),
        getAnalyticsPages: {
          meta: { measurement_state: 'unavailable', pagination: { truncated: false } },
          pages: [],
        },
      }
      const overview = await renderPage(`/sites/${SITE}/performance`, answers)
      expect(zerosOf(overview.html)).toEqual([])
      const one = await renderPage(`/sites/${SITE}/top-pages/one?host=www.example.com&path=/pricing`, answers)
      expect(zerosOf(one.html)).toEqual([])
      const table = await renderPage(`/sites/${SITE}/performance?view=table`, answers)
      expect(zerosOf(table.html)).toEqual([])
    }),
    { numRuns: 12 },
  )
})
