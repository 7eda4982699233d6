/** Keys and accessible names of charts. */
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { SmallMultiples } from '../../../dashboard/charts/days/small-multiples.tsx'
import { columnsOf, layOut } from '../../../dashboard/charts/flow/flow-layout.ts'
import { pageSentence } from '../../../dashboard/charts/flow/flow-words.ts'
import JourneyFlow from '../../../dashboard/charts/flow/journey-flow.tsx'
import { type FlowNode, flowOf } from '../../../dashboard/charts/flow/journey-links.ts'
import { FunnelChart } from '../../../dashboard/charts/funnel/funnel-chart.tsx'
import { barsOf, type FunnelBar, stepSentence } from '../../../dashboard/charts/funnel/funnel-steps.ts'
import { hasMark, type MarkAt, type MarkShape, markAfter } from '../../../dashboard/charts/marks.ts'
import { RateCharts } from '../../../dashboard/charts/rates/rate-charts.tsx'
import { pointSentence, type RatePoint } from '../../../dashboard/charts/rates/rate-points.ts'
import type { Series } from '../../../dashboard/charts/series.ts'
import type { DayEvidence } from '../../../dashboard/evidence/day.ts'
import { funnel, journeys } from '../tracker-answers.ts'

const press = (shape: MarkShape, ...keys: string[]) =>
  keys.reduce<MarkAt | null>((at, key) => markAfter(at, key, shape) ?? at, null)

test('arrow keys go along days, which end, and around series, which do not', () => {
  const days: MarkShape = { columns: 3, rows: () => 2, up: 1, has_whole: true }
  expect(press(days, 'ArrowLeft')).toEqual({ column: 2, row: null })
  expect(press(days, 'ArrowRight', 'ArrowLeft')).toEqual({ column: 0, row: null })
  expect(press(days, 'End', 'ArrowRight')).toEqual({ column: 2, row: null })
  expect(press(days, 'Home', 'ArrowUp')).toEqual({ column: 0, row: 0 })
  expect(press(days, 'Home', 'ArrowDown', 'ArrowUp')).toEqual({ column: 0, row: 0 })
  expect(press(days, 'Home', 'ArrowUp', 'ArrowRight')).toEqual({ column: 1, row: 0 })
  expect(markAfter(null, 'Enter', days)).toBeUndefined()
  expect(markAfter(null, 'ArrowLeft', { ...days, columns: 0 })).toBeUndefined()
})

test('down leads to the next row of a list, and a shorter column keeps the row as near as it can', () => {
  const pages: MarkShape = { columns: 2, rows: (column) => (column === 0 ? 3 : 1), up: -1 }
  expect(press(pages, 'ArrowDown')).toEqual({ column: 0, row: 0 })
  expect(press(pages, 'ArrowDown', 'ArrowDown')).toEqual({ column: 0, row: 1 })
  expect(press(pages, 'ArrowDown', 'ArrowUp')).toEqual({ column: 0, row: 2 })
  const steps: MarkShape = { columns: 3, rows: () => 1, up: -1 }
  expect(press(steps, 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp')).toEqual({ column: 1, row: 0 })
  expect(press(pages, 'ArrowDown', 'ArrowUp', 'ArrowRight')).toEqual({ column: 1, row: 0 })
  expect(hasMark({ column: 1, row: 1 }, pages)).toBe(false)
  expect(hasMark({ column: 0, row: 2 }, pages)).toBe(true)
})

const day = (date: string, state: DayEvidence['state']): DayEvidence => ({
  date,
  state,
  minutes: state === 'gap' ? 0 : 1440,
  reasons: [],
  sampling: null,
  elapsed: null,
})
const DAYS = [day('2026-11-19', 'complete'), day('2026-11-20', 'gap')]
const series = (key: string, count: number): Series => ({
  key,
  label: key,
  color: 'var(--color-search)',
  mark: 'square',
  counts: new Map([['2026-11-19', count]]),
})

test('small multiples are one stop for the keyboard, with a name and what keys read', () => {
  const markup = renderToStaticMarkup(
    <SmallMultiples
      name="Observed requests a day by crawler. 7 requests."
      days={DAYS}
      series={[series('GPTBot', 4), series('ClaudeBot', 3)]}
      onSelect={() => {}}
    />,
  )
  expect(markup.match(/tabindex="0"/gi)).toHaveLength(1)
  expect(markup).toContain('role="group" aria-label="Observed requests a day by crawler. 7 requests."')
  expect(markup).toContain('Left and right read the days, up and down the 2 charts.')
  expect(markup).toContain('data-days="2026-11-19 2026-11-20"')
  expect(markup).not.toContain('role="img"')
})

/** The group of a chart: how many stops, its name, and what keys read. */
const groupOf = (markup: string) => ({
  stops: markup.match(/tabindex="0"/gi)?.length,
  name: /role="group" aria-label="([^"]*)"/.exec(markup)?.[1],
  hint: /aria-live="polite">([^<]*)</.exec(markup)?.[1],
})

const POINT: RatePoint = {
  from: '2026-11-08',
  to: '2026-11-08',
  k: 412,
  n: 1004,
  rate: 0.41,
  low: 0.382,
  high: 0.438,
}

test('rates are one stop for the keyboard, and each point is read with its interval and its answers', () => {
  const rows = ['ChatGPT', 'Claude'].map((label) => ({ key: label, label, points: [POINT] }))
  const markup = renderToStaticMarkup(
    <RateCharts name="Visibility. 97 % of runs answered." rows_name="engines" rows={rows} largest={0.5} />,
  )
  expect(groupOf(markup)).toEqual({
    stops: 1,
    name: 'Visibility. 97 % of runs answered.',
    hint: 'Left and right read the points, up and down the engines.',
  })
  expect(pointSentence('ChatGPT', POINT)).toBe('8 November, ChatGPT 41.0 % (38.2–43.8), 412 of 1,004 answers')
  expect(pointSentence('Claude', { ...POINT, n: 4, k: 2, so_far: true, break: 'model changed' })).toBe(
    '8 November, Claude 41.0 % (38.2–43.8), 2 of 4 answers, fewer than 10 answers, so far, model changed',
  )
  const unknown = { ...POINT, rate: null, low: null, high: null, k: 0, n: 0 }
  expect(pointSentence('Claude', unknown)).toBe('8 November, Claude unknown, no answered run')
  expect(pointSentence('Claude', { ...unknown, not_asked: true })).toBe('8 November, Claude not asked')
  // The first hours of a day, before its scan.
  expect(pointSentence('Claude', { ...unknown, not_asked: true, so_far: true })).toBe(
    '8 November, Claude no answer yet, so far',
  )
})

test('a funnel is one stop for the keyboard, and each step is read with its numbers', () => {
  const markup = renderToStaticMarkup(<FunnelChart title="Sessions" funnel={funnel('partial')} />)
  expect(groupOf(markup)).toEqual({
    stops: 1,
    name: 'Sessions. Sessions that entered: at least 4,182; that reached the last step: at least 391.',
    hint: 'Arrow keys read the steps.',
  })
  const [first, second] = barsOf(funnel('partial')) as [FunnelBar, FunnelBar]
  expect(stepSentence(first)).toMatch(/^step 1, .+, at least 4,182$/)
  expect(stepSentence(second)).toMatch(
    /^step 2, .+, at least 1,629, 39\.0 % of the previous step, 2,553 not seen going on$/,
  )
  expect(stepSentence(barsOf(funnel('suppressed'))[1] as FunnelBar)).toMatch(/withheld$/)
  expect(stepSentence(barsOf(funnel('unknown'))[1] as FunnelBar)).toMatch(/unknown$/)
})

test('a flow is one stop for the keyboard, and each page is read with those before and after it', () => {
  const markup = renderToStaticMarkup(<JourneyFlow title="Ways" answer={journeys()} />)
  const { stops, name, hint } = groupOf(markup)
  expect([stops, hint]).toEqual([1, 'Left and right read the columns, up and down their pages.'])
  expect(name).toMatch(/^Ways\. [\d,]+ closed sessions?\. All pages of each sequence\.$/)
  const flow = flowOf(journeys().journeys, 5)
  const pages = columnsOf(layOut(flow, 500, 5))
  expect(pages.map((own) => own.map(({ path }) => path))).toEqual([['/', '/docs'], ['/pricing'], ['/']])
  expect(pageSentence(flow, flow.nodes[1] as FlowNode)).toBe(
    'Page 2, example.com/pricing, 60 sessions; from / 60; to / 60',
  )
})
