import { expect, test } from 'vitest'
import { planEvaluation } from '#tracker/definitions/evaluated-days.ts'

const DAYS = ['2026-03-07', '2026-03-08', '2026-03-09']
const scope = {
  site_id: 's',
  builds: DAYS.map((day, at) => ({ day, build: at + 1 })),
  fact_days: ['2026-03-10'],
  cutoff: 0,
}
const from = (id: string, effective_from: string, effective_to: string | null = null) => ({
  id,
  effective_from: Date.parse(effective_from),
  effective_to: effective_to === null ? null : Date.parse(effective_to),
})
const stored = (part: string, ...days: string[]) =>
  days.map((day) => ({ site_id: 's', kind: 'definitions' as const, part, day, build: 9 }))

const EDITED = '2026-03-09T15:00:00Z'
const before = from('first', '2026-03-01T00:00:00Z', EDITED)
const since = from('second', EDITED)

test('an edit makes no day wait for a look at its sessions on which the new revision was not yet in force', () => {
  const { missing } = planEvaluation(
    scope,
    [before, since],
    [...stored('first', ...DAYS), ...stored('second', '2026-03-09')],
  )
  expect(missing).toEqual({ definition_ids: [], builds: [] })
  const today = from('third', '2026-03-10T09:00:00Z')
  expect(planEvaluation(scope, [today], []).missing).toEqual({ definition_ids: [], builds: [] })
})

test('a day on which it was in force, and without stored sums, is evaluated', () => {
  const { missing } = planEvaluation(scope, [before, since], stored('first', '2026-03-07', '2026-03-09'))
  expect(missing).toEqual({
    definition_ids: ['first', 'second'],
    builds: [
      { day: '2026-03-08', build: 2 },
      { day: '2026-03-09', build: 3 },
    ],
  })
})
