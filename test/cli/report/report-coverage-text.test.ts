import { expect, test } from 'vitest'
import type { Meta } from '#contract/meta.ts'
import { coverageText } from '../../../cli/report/report-coverage-text.ts'

const window = { from: '2026-03-04', to: '2026-03-10', timezone: 'UTC' } as const
const emptyWindow = (data_through: string): Meta => ({
  as_of: '2026-03-10T12:00:00.000Z',
  window,
  coverage_state: 'partial',
  purpose_filter: [],
  registry_version: '2026-03-01.1',
  sources: [],
  data_through,
  gaps: [window],
})
const textOf = (meta: Meta) =>
  coverageText({ width: 200, is_coloured: false }, meta, 'Crawlers', 'example.com').join('\n')

test.each([
  ['2026-03-03T23:59:00.000Z', /To see it, add --window 30d$/],
  ['2025-10-01T08:00:00.000Z', /To see it, add --window 180d$/],
  ['2025-03-11T08:00:00.000Z', /To see it, add --window 365d$/],
  ['2025-03-10T08:00:00.000Z', /earlier clock: npx spoor serve --clock 2025-03-11T00:00:00Z$/],
])('evidence that ends on %s, before the window, can be reached', (data_through, advice) => {
  const text = textOf(emptyWindow(data_through))
  expect(text).toContain('no evidence for any of these 7 days')
  expect(text).toMatch(advice)
})

test('days without evidence that ends within them get no advice', () => {
  expect(textOf(emptyWindow('2026-03-05T00:00:00.000Z'))).not.toMatch(/--window|--clock/)
})
