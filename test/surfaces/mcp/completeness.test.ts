import { expect, test } from 'vitest'
import { describeCompleteness } from '#surfaces/mcp/completeness.ts'

test('an answer that names its limitations points to them, and claims no wholeness', () => {
  expect(describeCompleteness({ scope: 'current_state_only', limitations: ['asked_as_spoor_only'] })).toBe(
    'This is the current state. The limitations name what is missing.',
  )
  expect(describeCompleteness({ limitations: [] })).toBe('This is the current state. Nothing is left out.')
})
