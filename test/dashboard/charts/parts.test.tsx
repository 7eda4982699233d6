import { expect, test } from 'vitest'
import { outcomeParts } from '../../../dashboard/charts/outcomes-panel.tsx'
import { partColumns } from '../../../dashboard/charts/parts-panel.tsx'
import { wrapped } from '../../../dashboard/charts/png/png-lines.ts'
import { ChannelsPanel, channelParts } from '../../../dashboard/pages/analytics-sources/channels-panel.tsx'
import { ConversionSources } from '../../../dashboard/pages/conversions/sources.tsx'
import { written } from '../../../dashboard/tables/csv.ts'
import { renderOnSite, textOf } from '../render.tsx'
import { basics, SITE } from '../support/answers.ts'
import { renderPage } from '../support/render.ts'
import { conversions, sources } from '../tracker-answers.ts'

const columnsFor = (total: number | null) =>
  partColumns({
    part: { head: 'Response', name: 'outcome' },
    count: { head: 'Requests', name: 'observed_request_count' },
    total,
    evidence: '28 of 30 days watched in full',
  })

test('outcomes as CSV have every class, with its share and the evidence; without a row it is zero', () => {
  const parts = outcomeParts([{ outcome: '4xx', observed_request_count: 3 }], 12)
  expect(written([], columnsFor(12), parts)).toBe(
    [
      'outcome,observed_request_count,share,evidence',
      '2xx,0,0,28 of 30 days watched in full',
      '3xx,0,0,28 of 30 days watched in full',
      '4xx,3,0.25,28 of 30 days watched in full',
      '5xx,0,0,28 of 30 days watched in full',
      'other,0,0,28 of 30 days watched in full',
      'response_unobserved,0,0,28 of 30 days watched in full',
      '',
    ].join('\r\n'),
  )
})

test('where nothing is known every class is unknown, not zero', () => {
  const lines = written([], columnsFor(null), outcomeParts([], null)).split('\r\n')
  expect(lines[1]).toBe('2xx,null,null,28 of 30 days watched in full')
})

test('a chart of parts has a table with a column of evidence, and can be saved', async () => {
  const drawn = await renderOnSite(<ChannelsPanel answer={sources()} />)
  expect(drawn).toContain('aria-label="Show as table"')
  expect(drawn).toContain('aria-label="Save as PNG"')
  const table = await renderOnSite(<ChannelsPanel answer={sources()} />, { at: 'overview?view=table' })
  expect(table).toContain('aria-label="Save as CSV"')
  expect(textOf(table)).toMatch(/Channel Sessions Share Pageviews Evidence/)
})

test('sources of a conversion have a table with a column of evidence, and can be saved', async () => {
  const { conversions: rows, meta } = conversions()
  const row = rows.find((one) => one.sources.length > 0) ?? expect.fail()
  const panel = <ConversionSources row={row} meta={meta} />
  const drawn = await renderOnSite(panel)
  expect(drawn).toContain('aria-label="Show as table"')
  expect(drawn).toContain('aria-label="Save as PNG"')
  const table = await renderOnSite(panel, { at: 'overview?view=table' })
  expect(table).toContain('aria-label="Save as CSV"')
  expect(textOf(table)).toMatch(/Source Kind Converted sessions Share Evidence AI assistant Channel 9 .* at least/)
})

test('pageviews of channels are numbers in the CSV, and text with separators only in the table', async () => {
  const acquisition = [{ channel: 'direct' as const, sessions: 1_000, pageviews: 2_500 }]
  const columns = partColumns({
    part: { head: 'Channel', name: 'channel' },
    count: { head: 'Sessions', name: 'sessions' },
    detail: { head: 'Pageviews', name: 'pageviews', is_number: true },
    total: 1_000,
    evidence: 'Tracker evidence',
  })
  const csv = written([], columns, channelParts(acquisition))
  expect(csv.split('\r\n')[1]).toBe('direct,1000,1,2500,Tracker evidence')
  const table = await renderOnSite(<ChannelsPanel answer={{ ...sources(), acquisition }} />, {
    at: 'overview?view=table',
  })
  expect(textOf(table)).toContain('2,500')
})

test.each([
  [null, 'Where sessions came from is unknown.', 'unknown'],
  [[], 'No session was observed in the collected time.', 'Showing all 0'],
])('a table of channels without rows says why: %s', async (acquisition, words, foot) => {
  const answer = { ...sources(), acquisition }
  const text = textOf(await renderOnSite(<ChannelsPanel answer={answer} />, { at: 'overview?view=table' }))
  expect(text).toContain(words)
  expect(text).toContain(foot)
  expect(text.includes('Showing all 0')).toBe(acquisition !== null)
})

test('kinds of crawlers and kinds of paths are tables too', async () => {
  const { html } = await renderPage(`/sites/${SITE}/performance?view=table`, basics())
  expect(textOf(html)).toMatch(/Scope Requests Share Evidence/)
  expect(textOf(html)).toMatch(/Kind of path Requests Share Evidence/)
})

test('a picture breaks its lines between words, and an address where it ends', () => {
  const measureText = (text: string) => ({ width: text.length }) as TextMetrics
  expect(wrapped({ measureText }, 'as of 08:14 UTC', 8)).toEqual(['as of', '08:14', 'UTC'])
  expect(wrapped({ measureText }, 'at example.com/sites', 8)).toEqual(['at', 'example.', 'com/site', 's'])
})
