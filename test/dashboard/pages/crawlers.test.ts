import { describe, expect, test } from 'vitest'
import { errorsByCrawler } from '../../../dashboard/pages/crawlers/errors.tsx'
import { basics, breakdown, SITE } from '../support/answers.ts'
import { renderPage } from '../support/render.ts'

const ADDRESS = `/sites/${SITE}/crawlers`

describe('errors by crawler', () => {
  const { crawler_outcomes } = breakdown()
  test('are its requests that were answered 4xx or 5xx', () => {
    const served = { crawler_id: 'bingbot', outcome: '2xx', observed_request_count: 2 } as const
    const failed = { crawler_id: 'gptbot', outcome: '5xx', observed_request_count: 1 } as const
    const errors = errorsByCrawler(breakdown({ crawler_outcomes: [...crawler_outcomes, served, failed] }))
    expect([...(errors ?? [])]).toEqual([
      ['gptbot', 4],
      ['bingbot', 0],
    ])
  })

  test('are unknown where no source covered the window', () => {
    expect(errorsByCrawler(breakdown({ observed_request_count: null, crawler_outcomes: [] }))).toBeNull()
  })

  test('order the list on request, once they are read', async () => {
    const { text } = await renderPage(`${ADDRESS}?sort=-errors`, basics())
    expect(text).toContain('Errors ↓')
    const { getDailyBreakdown: _unread, ...others } = basics()
    expect((await renderPage(`${ADDRESS}?sort=-errors`, others)).text).not.toContain('Errors')
  })
})

describe('the days of each crawler', () => {
  const SPARK = 'aria-label="Requests of GPTBot by day"'

  test('are drawn once they are read', async () => {
    for (const page of ['crawlers', 'performance']) {
      expect((await renderPage(`/sites/${SITE}/${page}`, basics())).html).toContain(SPARK)
    }
  })

  test('are unknown, not days without a request, where they could not be read', async () => {
    const failed = { ...basics(), getPerformance: { status: 500, body: { code: 'internal_error' } } }
    for (const page of ['crawlers', 'performance']) {
      const { html, text } = await renderPage(`/sites/${SITE}/${page}`, failed)
      expect(html).not.toContain(SPARK)
      expect(text).toMatch(/GPTBot OpenAI .* unknown /)
      expect((await renderPage(`/sites/${SITE}/${page}`, { ...basics(), getPerformance: 'never' })).html).not.toContain(
        SPARK,
      )
    }
  })
})
