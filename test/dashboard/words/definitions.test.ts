import { expect, test } from 'vitest'
import { changeWords, matcherWords, type StepDefinition } from '../../../dashboard/words/definitions.ts'
import { exactMoney } from '../../../dashboard/words/revenue.ts'
import { operationSentence } from '../../../dashboard/words/tracker.ts'

const rule = { event_name: 'signup', property_revision: 1, scalar_kind: 'integer' as const }
const page = (path: string): StepDefinition => ({
  kind: 'page',
  hostname: 'example.com',
  path,
  path_fidelity: 'exact',
  path_transform_version: 'path/v1',
})
const conversion = (revision: number): StepDefinition => ({
  kind: 'conversion',
  conversion_id: '00000000-0000-4000-8000-0000000000c1',
  revision_id: `00000000-0000-4000-8000-00000000000${revision}`,
  revision,
  name: 'Trial started',
  matcher: { kind: 'event', event_name: 'plan_started', property_rules: [] },
})

test('a matcher reads as a sentence, with what strangers typed made visible', () => {
  const rules = [
    { ...rule, property_key: 'plan', operator: 'one_of' as const, comparison: { values: ['pro', 'te\u202eam'] } },
    { ...rule, property_key: 'seats', operator: 'between' as const, comparison: { lower: 10, upper: 99 } },
    { ...rule, property_key: 'paid', operator: 'equals' as const, comparison: { value: true } },
  ]
  expect(matcherWords({ kind: 'event', event_name: 'signup', property_rules: rules })).toBe(
    'signup where plan is pro or te␣am and seats is 10 to 99 and paid is true',
  )
})

test('a revision says what it changed', () => {
  expect(changeWords([page('/a')], null)).toBe('Created')
  expect(changeWords([page('/a'), page('/b')], [page('/a'), page('/c')])).toBe('Step 2 became /b')
  expect(changeWords([page('/a'), page('/b')], [page('/a')])).toBe('Step 2 added: /b')
  expect(changeWords([page('/a')], [page('/a'), page('/b')])).toBe('One step removed')
  expect(changeWords([page('/a')], [page('/a')])).toBe('Renamed')
  expect(changeWords([conversion(2)], [conversion(1)])).toBe('Trial started revised: plan_started')
})

test('money has the digits of its currency, even beyond the range of numbers', () => {
  expect(exactMoney('93600', 'EUR')).toBe('936.00 EUR')
  expect(exactMoney('-5', 'EUR')).toBe('-0.05 EUR')
  expect(exactMoney('1200', 'JPY')).toBe('1,200 JPY')
  expect(exactMoney('90071992547409931234', 'EUR')).toBe('900,719,925,474,099,312.34 EUR')
})

test('a reason without words here is shown as it is', () => {
  expect(operationSentence({ state: 'needs_attention', reason_code: 'new_reason' })).toContain('new_reason')
})
