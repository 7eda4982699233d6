import { expect, test } from 'vitest'
import { todayOf } from '../../../dashboard/brand/filters.tsx'
import { joinedRuns } from '../../../dashboard/charts/rates/rate-points.ts'
import { BrandLine } from '../../../dashboard/evidence/brand-line.tsx'
import { comparisonWords } from '../../../dashboard/pages/report/changes.ts'
import { BrandReportPage, ReportBlocks } from '../../../dashboard/pages/report/page.tsx'
import { pointsOf } from '../../../dashboard/pages/report/points.ts'
import { reportInput } from '../../../dashboard/pages/report/route.ts'
import { Refusal } from '../../../dashboard/read/refusal.ts'
import type { BrandReport } from '../../../src/contract/account-api/index.ts'
import { metrics, NOTHING, ratio, report, row, runs, unanswered } from '../brand-answers.ts'
import { BRAND, type Held, refused, renderOnBrand, textOf } from '../render.tsx'

const PLAN = {
  engines: [{ engine: 'chatgpt', basis: 'configured' }],
  active_question_limit: 100,
  active_question_count: 48,
}
const plan = (change: object = {}): Held => ['getPlan', {}, { ...PLAN, ...change }]
const blocks = async (answer: BrandReport, reads: Held[] = [plan()], at = 'report') =>
  textOf(await renderOnBrand(<ReportBlocks report={answer} />, { reads, at }))

test('every rate has its interval and its denominator', async () => {
  const shown = await blocks(report())
  expect(shown).toContain('34.2 % 32.2–36.2')
  expect(shown).toContain('1,988 of 5,814 answers')
  expect(shown).toContain('in 1,988 answers naming it')
  expect(shown).toContain('Rivals named, Example not')
  expect(shown).toContain('Rival 118')
  expect(shown).not.toContain('unknown')
})

test('the line reports the results of the runs, and when a model changed', async () => {
  const line = textOf(
    await renderOnBrand(
      <BrandLine
        report={report({ meta: { ...report().meta, runs: runs({ answered: 5814, refused: 41, failed: 145 }) } })}
      />,
    ),
  )
  expect(line).toContain('96.9 % of runs answered')
  expect(line).toMatch(/5,814 of 6,000 runs ?, 41 refused ?, 145 failed/)
  expect(line).toContain('model change 9 Nov, ChatGPT')
  expect(line).toContain('last answer 21 Nov 04:40')
})

test('a report that could not be read says so in its line too', async () => {
  const failed = refused('getBrandReport', reportInput(BRAND, {}), 500)
  expect(textOf(await renderOnBrand(<BrandReportPage />, { reads: [failed] }))).toContain(
    'How complete the evidence is could not be read.',
  )
})

test('nothing answered is unknown and says why, never 0 %', async () => {
  const failed = await blocks(unanswered({ failed: 145 }))
  expect(failed).toContain('No answer in these dates. 145 of 145 runs failed.')
  expect(failed).toContain('Open the failed runs')
  expect(failed).not.toMatch(/\b0(\.0)? %/)
  expect(await blocks(unanswered({}, 0))).toContain('No questions have been added yet.')
  expect(await blocks(unanswered({}), [plan({ engines: [] })])).toContain('No engine has been set up yet.')
  expect(await blocks(unanswered({}))).toContain('Nothing was asked in these dates.')
})

test('what answers cannot have is not defined, not unknown', async () => {
  const unnamed = {
    ...metrics(ratio(0, 40)),
    share_of_voice: NOTHING,
    citation_rate: NOTHING,
    average_position: { value: null, n: 0 },
    net_sentiment: { value: null, positive: 0, neutral: 0, negative: 0, mixed: 0, unknown: 0 },
  }
  const shown = await blocks(report({ metrics: unnamed }))
  expect(shown).toContain('Share of voice not defined no answer to an unbranded question names any')
  expect(shown).toContain('Citation rate unknown citations were not observed')
  expect(shown).toContain('Mean position not defined no answer names it')
  expect(shown).toContain('Net sentiment not defined no answer names it')
  const alone = report({ metrics: { ...unnamed, share_of_voice: null }, competitors: [] })
  expect(await blocks(alone)).toContain('Share of voice not defined no competitor is tracked')
  const named = { ...metrics(ratio(10, 40)), net_sentiment: { ...unnamed.net_sentiment, unknown: 10 } }
  expect(await blocks(report({ metrics: named }))).toContain('Net sentiment unknown no mention was classified')
})

test('the dates of a page that stays open go on after midnight, by the clock of the service', () => {
  const minute = 60_000
  expect(todayOf('2026-11-21T23:58:00.000Z', 0, minute)).toBe('2026-11-21')
  expect(todayOf('2026-11-21T23:58:00.000Z', 0, 3 * minute)).toBe('2026-11-22')
  expect(todayOf(undefined, 0, Date.parse('2026-11-21T08:14:00Z'))).toBe('2026-11-21')
})

test('the line leads to the runs without an answer, with the filters of the report', async () => {
  const line = await renderOnBrand(<BrandLine report={report()} />, { at: 'report?engines=chatgpt&interval=week' })
  expect(line).toContain(`href="/brands/${BRAND}/answers?engines=chatgpt&amp;status=failed"`)
  expect(line).toContain(`href="/brands/${BRAND}/answers?engines=chatgpt&amp;status=refused"`)
})

test('the share of voice has a table with its intervals, which the chart also reads out', async () => {
  const markup = await renderOnBrand(<ReportBlocks report={report()} />, { reads: [plan()] })
  expect(markup).toMatch(/aria-label="Share of voice of Example, 95 % interval \d+\.\d–\d+\.\d"/)
  const table = await blocks(report(), [plan()], 'report?view=table')
  expect(table).toMatch(
    /Brand Share Mentions Evidence Example \d+\.\d % \d+\.\d–\d+\.\d [\d,]+ [\d.]+ % of runs answered/,
  )
})

test('a link to failed runs keeps the dates and filters of the report', async () => {
  const markup = await renderOnBrand(<ReportBlocks report={unanswered({ failed: 145 })} />, {
    reads: [plan()],
    at: 'report?from=2026-03-01&to=2026-03-10&engines=chatgpt',
  })
  expect(markup).toMatch(/answers\?from=2026-03-01&amp;to=2026-03-10&amp;engines=chatgpt&amp;status=failed"/)
})

test('without a competitor there is no comparison', async () => {
  const lone = report({ competitors: [], metrics: { ...report().metrics, share_of_voice: null } })
  expect(await blocks(lone)).toContain('There is no competitor to compare with. Add competitors')
})

test('a change of model ends the line, a day that was not asked does not', () => {
  const gap = { metrics: metrics(NOTHING), models: [], surfaces: [] }
  const asked = pointsOf([row('2026-11-01'), row('2026-11-02', { ...gap, state: 'not_asked' }), row('2026-11-03')])
  expect(joinedRuns(asked)).toEqual([[0, 2]])
  const missing = pointsOf([row('2026-11-01'), row('2026-11-02', { ...gap, state: 'gap' }), row('2026-11-03')])
  expect(joinedRuns(missing)).toEqual([])
  const changed = pointsOf([row('2026-11-01'), row('2026-11-02'), row('2026-11-03', { models: ['m2'] })])
  expect(joinedRuns(changed)).toEqual([[0, 1]])
  expect(changed[2]?.break).toBe('model changed')
})

test('changes are claimed only where the service compares', () => {
  const now = metrics(ratio(24, 100))
  const compared = (verdict: 'higher' | 'within_noise' | 'not_comparable', reason: 'model_changed' | null = null) => ({
    window: { from: '2026-09-23', to: '2026-10-22' },
    metrics: metrics(ratio(18, 100)),
    verdicts: { visibility: verdict, share_of_voice: verdict, citation_rate: verdict, citation_share: verdict },
    reason,
  })
  expect(comparisonWords(now, null, 'visibility')).toBeNull()
  expect(comparisonWords(now, compared('higher'), 'visibility')).toBe('+6.0 points')
  expect(comparisonWords(now, compared('within_noise'), 'visibility')).toBe('within noise')
  expect(comparisonWords(now, compared('not_comparable', 'model_changed'), 'visibility')).toBe(
    'not comparable: model changed',
  )
})

test('gaps are hatched in the chart, and the table says so', async () => {
  const gap = row('2026-11-21', { state: 'gap', metrics: metrics(NOTHING), models: [], surfaces: [] })
  const answer = report({ series: [row('2026-11-20'), gap] })
  expect(await renderOnBrand(<ReportBlocks report={answer} />, { reads: [plan()] })).toContain('url(#pattern-gap)')
  expect(await blocks(answer)).toContain('no answered run: unknown, not zero')
  expect(await blocks(answer, [plan()], 'report?view=table')).toContain('21 Nov ChatGPT unknown')
})

test('loading, failed, and refused reads of the page', async () => {
  const input = { brandId: BRAND, interval: 'week' }
  const page = async (held: Held[], at = 'report') =>
    textOf(await renderOnBrand(<BrandReportPage />, { reads: [plan(), ...held], at }))
  expect(await page([])).toContain('Brand report')
  const failed = new Refusal({ status: 500, request_id: 'r1', body: null })
  expect(await page([['getBrandReport', input, failed]])).toContain('This could not be read.')
  const body = { code: 'invalid_request', detail: 'x', errors: [{ field: 'to', detail: '2031-01-01 is after today.' }] }
  const refused = new Refusal({ status: 400, request_id: null, body })
  const shown = await page([['getBrandReport', { ...input, to: '2031-01-01' }, refused]], 'report?to=2031-01-01')
  expect(shown).toContain('2031-01-01 is after today.')
  expect(shown).toContain('Use the defaults')
})
