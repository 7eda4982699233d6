import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Bars } from '../../../dashboard/charts/days/merged-bars.tsx'
import { Gaps } from '../../../dashboard/charts/gaps.tsx'
import { countScale, dayLabels } from '../../../dashboard/charts/scales.ts'
import { isByWeek, slotsOf, weeksOf } from '../../../dashboard/charts/series.ts'
import { Spark } from '../../../dashboard/charts/spark.tsx'
import { type DayEvidence, dayFormWords, evidenceWords, formOf, trackWords } from '../../../dashboard/evidence/day.ts'
import { EvidenceCells } from '../../../dashboard/evidence/day-cell.tsx'
import { trackSummary } from '../../../dashboard/evidence/day-track.tsx'
import { isUpdate } from '../../../dashboard/evidence/evidence-line.tsx'
import { spansText } from '../../../dashboard/words/days.ts'

const day = (over: Partial<DayEvidence> = {}): DayEvidence => ({
  date: '2026-11-08',
  state: 'complete',
  minutes: 1_440,
  reasons: [],
  sampling: null,
  elapsed: null,
  ...over,
})
const series = [{ key: 'a', label: 'A', color: 'red', mark: 'square' as const, counts: new Map([['2026-11-09', 4]]) }]

test('each kind of day has its own form and words', () => {
  const said = [
    day(),
    day({ state: 'partial', minutes: 680 }),
    day({ state: 'gap', minutes: null }),
    day({ reasons: ['backfill'] }),
    day({ state: 'partial', reasons: ['sampled'], sampling: 0.1 }),
    day({ state: 'partial', minutes: 490, elapsed: 0.34 }),
  ].map((one) => [formOf(one), evidenceWords(one)])
  expect(said).toEqual([
    ['complete', 'watched in full'],
    ['partial', 'watched 11 h 20 min of 24 h'],
    ['gap', 'not watched'],
    ['backfill', 'provider’s history'],
    ['sampled', 'watched in part, sampled, 1 in 10'],
    ['today', 'watched 8 h 10 min so far'],
  ])
})

test('legends use the words of the evidence line, for crawlers and for visitors', () => {
  const legendOf = (one: DayEvidence) => dayFormWords(formOf(one), trackWords([one]))
  expect([day(), day({ state: 'gap' })].map(legendOf)).toEqual(['watched in full', 'not watched: unknown, not zero'])
  expect([day({ collector: 'tracker' }), day({ state: 'gap', collector: 'tracker' })].map(legendOf)).toEqual([
    'collected in full',
    'without evidence: unknown, not zero',
  ])
})

test('a day without a row is zero where it was observed, and unknown where it was not', () => {
  const days = [day(), day({ date: '2026-11-09' }), day({ date: '2026-11-10', state: 'gap', minutes: null })]
  expect(slotsOf(days, series).map(({ total }) => total)).toEqual([0, 4, null])
  expect(slotsOf(days, []).map(({ total }) => total)).toEqual([0, 0, null])
  expect(weeksOf(slotsOf(days, [])).map(({ total }) => total)).toEqual([0, 0])
})

test('a week with a gap is partial, and one that was not observed at all is unknown', () => {
  const dates = Array.from({ length: 14 }, (_, index) => `2026-11-${String(9 + index).padStart(2, '0')}`)
  const days = dates.map((date, index) =>
    day({ date, ...(index === 0 || index === 7 ? {} : { state: 'gap', minutes: null }) }),
  )
  days[7] = day({ date: dates[7] as string, state: 'gap', minutes: null })
  const weeks = weeksOf(slotsOf(days, series))
  expect(weeks.map(({ day, total }) => [day.state, evidenceWords(day), total])).toEqual([
    ['partial', '1 of 7 days watched', 4],
    ['gap', 'not watched', null],
  ])
})

test('a summary names days that were not watched by their runs, and only counts them where those are many', () => {
  const gapsOn = (...dates: number[]) =>
    Array.from({ length: 12 }, (_, index) =>
      day({ date: `2026-11-${10 + index}`, ...(dates.includes(10 + index) ? { state: 'gap', minutes: null } : {}) }),
    )
  expect(trackSummary(gapsOn(12, 13, 14, 20))).toBe('8 of 12 days watched in full, 4 not watched: 12–14, 20 Nov')
  expect(trackSummary(gapsOn(11, 13, 15, 17))).toBe('8 of 12 days watched in full, 4 not watched')
})

test('a year costs few elements, in a chart and in the row of a table', () => {
  const days = Array.from({ length: 365 }, (_, index) =>
    day({
      date: new Date(Date.parse('2025-11-21') + index * 86_400_000).toISOString().slice(0, 10),
      ...(index < 60 ? { state: 'gap' } : {}),
    }),
  )
  const place = (index: number) => ({ x: index, width: 1, bottom: 100 })
  const scale = countScale(10, 80)
  const counts = new Map([['2026-11-09', 4]])
  for (const element of [
    createElement(EvidenceCells, { days, place, y: 0, height: 8 }),
    createElement(Bars, { slots: slotsOf(days, series), series, scale, place }),
    createElement(Spark, { days, counts, color: 'red', label: 'a' }),
  ]) {
    expect(renderToStaticMarkup(element).match(/<\w+/g)?.length).toBeLessThan(8)
  }
})

test('days are drawn by week only where they are too narrow to be seen', () => {
  expect([isByWeek(1_176, 365), isByWeek(576, 180), isByWeek(340, 365)]).toEqual([false, false, true])
})

test('the reasons of crawler days speak of no tracker', () => {
  const words = evidenceWords(day({ state: 'partial', minutes: 356, reasons: ['no_signal'] }))
  expect(words).toBe('watched 5 h 56 min of 24 h, no evidence for the rest')
})

test('spans of one month name it once', () => {
  const one = (date: string) => ({ from: date, to: date })
  expect(spansText([one('2026-11-01'), one('2026-11-12'), { from: '2026-11-20', to: '2026-11-23' }])).toBe(
    '1, 12, 20–23 Nov',
  )
  expect(spansText([one('2026-10-31'), one('2026-11-02')])).toBe('31 Oct, 2 Nov')
  expect(spansText([{ from: '2026-10-31', to: '2026-11-02' }, one('2026-11-12')])).toBe('31 Oct – 2 Nov, 12 Nov')
})

test('a window that was not watched is reported in days, even if it is drawn by week', () => {
  const days = Array.from({ length: 14 }, (_, index) => day({ date: `2026-11-${index + 2}`.replace(/-(\d)$/, '-0$1') }))
  const gaps = days.map((one): DayEvidence => ({ ...one, state: 'gap', minutes: null }))
  const place = { left: 0, slot_width: 50, top: 0, height: 200 }
  const slots = weeksOf(slotsOf(gaps, series.slice(0, 0)))
  expect(slots).toHaveLength(2)
  const html = renderToStaticMarkup(createElement(Gaps, { slots, ...place }))
  expect(html).toContain('14 days not watched: unknown, not zero')
})

test('a low chart has few lines, so that their numbers do not touch', () => {
  expect(countScale(97, 200).ticks).toEqual([20, 40, 60, 80, 100])
  expect(countScale(97, 56).ticks).toEqual([50, 100])
})

test('the axis of a year by week names months, and none touches the next', () => {
  const monday = Date.parse('2025-11-24')
  const weeks = Array.from({ length: 53 }, (_, index) => ({
    date: new Date(monday + index * 7 * 86_400_000).toISOString().slice(0, 10),
    elapsed: null,
  }))
  expect(dayLabels(weeks, 4).map(({ text }) => text)).toEqual(['Dec', 'Mar', 'Jun', 'Sep'])
})

test('the first label of a short window leaves room for the second', () => {
  const days = Array.from({ length: 30 }, (_, index) => ({
    date: new Date(Date.parse('2026-10-26') + index * 86_400_000).toISOString().slice(0, 10),
    elapsed: null,
  }))
  expect(dayLabels(days, 8).map(({ text }) => text)).toEqual(['26 Oct', '9 Nov', '16 Nov', '23 Nov'])
  expect(dayLabels(days, 10).map(({ text }) => text)).toEqual(['26 Oct', '2 Nov', '9 Nov', '16 Nov', '23 Nov'])
})

test('numbers are called updated once they were read again, not when further answers of the page come', () => {
  const first = '2026-11-21T08:14:00.000Z'
  expect([undefined, first].map((before) => isUpdate(before, first))).toEqual([false, false])
  expect(isUpdate(first, '2026-11-21T08:14:04.000Z')).toBe(false)
  expect(isUpdate(first, '2026-11-21T08:14:30.000Z')).toBe(true)
})
