import { expect, test } from 'vitest'
import { describeCompleteness } from '#surfaces/mcp/completeness.ts'

test('an answer that names its limitations points to them, and claims no wholeness', () => {
  expect(describeCompleteness({ scope: 'current_state_only', limitations: ['asked_as_spoor_only'] })).toBe(
    'This is the current state. The limitations name what is missing.',
  )
  expect(describeCompleteness({ limitations: [] })).toBe('This is the current state. Nothing is left out.')
})

test.each([
  [
    'requests that the purpose filter hides',
    {
      meta: { coverage_state: 'complete' },
      hidden_by_purpose_filter: [{ purpose: 'training', observed_request_count: 12 }],
    },
    'The evidence of the window is complete. The purpose filter leaves out 12 observed requests: see hidden_by_purpose_filter.',
  ],
  [
    'the same beside a list',
    {
      meta: { coverage_state: 'complete' },
      returned_count: 2,
      total_count: 2,
      truncated: false,
      hidden_by_purpose_filter: [{ purpose: 'training', observed_request_count: 1 }],
    },
    'The evidence of the window is complete. 2 of 2 items; none follow. The purpose filter leaves out 1 observed request: see hidden_by_purpose_filter.',
  ],
  [
    'questions beyond the first 20, and names that changed',
    {
      meta: { completeness: { state: 'complete', limitations: ['names_changed'] } },
      missed: ['a', 'b'],
      missed_total: 5,
    },
    'The evidence of the window is complete. The limitations name what is missing. missed has 2 of 5 questions.',
  ],
  [
    'a text that is cut',
    { id: 'x', text: 'abc', text_truncated: true },
    'This is the current state. Lists and texts are cut where truncated, or a member that ends with _truncated, is true.',
  ],
  [
    'a list within it that is cut',
    { meta: { coverage_state: 'complete' }, utm: { source: { truncated: true, rows: [] } } },
    'The evidence of the window is complete. Lists and texts are cut where truncated, or a member that ends with _truncated, is true.',
  ],
  [
    'shadows beyond those that are listed',
    { meta: { coverage_state: 'complete', authority: { shadow_diagnostics: [], shadow_diagnostics_truncated: true } } },
    'The evidence of the window is complete. Lists and texts are cut where truncated, or a member that ends with _truncated, is true.',
  ],
  [
    'orders that are not compared',
    {
      meta: { completeness: { state: 'partial', limitations: [] } },
      reconciliation: { compared_orders: 100_000, total_orders: 130_000, capped: true },
    },
    'The evidence of the window is partial: numbers are what was observed, and null means unknown, never zero. reconciliation compares 100000 of 130000 orders.',
  ],
  [
    'a list whose length stands in the meta, which its own sentence names',
    { meta: { coverage_state: 'complete', pagination: { returned_count: 1, total_count: 2, truncated: true } } },
    'The evidence of the window is complete. 1 of 2 items; the others are not shown: narrow the question or raise limit.',
  ],
])('an answer that leaves something out says so: %s', (_name, output, sentence) => {
  expect(describeCompleteness(output)).toBe(sentence)
})

test('an answer whose evidence is not complete names its gaps, and does not say that nothing is left out', () => {
  const partial =
    'The evidence of the window is partial: numbers are what was observed, and null means unknown, never zero.'
  const gaps = [{ from: '2026-11-01', to: '2026-11-02' }]
  expect(describeCompleteness({ meta: { coverage_state: 'partial', gaps: [] } })).toBe(partial)
  expect(describeCompleteness({ meta: { coverage_state: 'partial', gaps } })).toBe(
    `${partial} The gaps name the days without evidence.`,
  )
  expect(describeCompleteness({ meta: { completeness: { state: 'partial', gaps, limitations: ['x'] } } })).toBe(
    `${partial} The gaps name the days without evidence. The limitations name what is missing.`,
  )
  expect(describeCompleteness({ meta: { coverage_state: 'unknown', gaps: [] } })).toBe(
    'The evidence of the window is unknown: null means unknown, never zero.',
  )
})

test('an answer that leaves nothing out says so', () => {
  const whole = { meta: { coverage_state: 'complete' }, hidden_by_purpose_filter: [], text_truncated: false }
  expect(describeCompleteness(whole)).toBe('The evidence of the window is complete. Nothing is left out.')
  expect(describeCompleteness({ ...whole, missed: ['a'], missed_total: 1 })).toMatch(/Nothing is left out/)
})
