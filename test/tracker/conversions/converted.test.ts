import { expect, test } from 'vitest'
import { planConverted } from '#tracker/conversions/converted.ts'
import type { ConversionRevision } from '#tracker/definitions/definitions.ts'

const scope = {
  site_id: 's',
  builds: [{ day: '2026-03-09', build: 1 }],
  fact_days: ['2026-03-10'],
  cutoff: Date.parse('2026-03-10T12:00:00Z'),
}
const complete = { state: 'complete' as const, limitation: null, is_proven: true, is_counted: true }
const days = new Map(['2026-03-09', '2026-03-10'].map((day) => [day, complete]))

const revision = (event_name: string, from: string, to: string | null): ConversionRevision => ({
  id: event_name,
  site_id: 's',
  conversion_id: 'c',
  revision: 1,
  name: 'C',
  created_at: 0,
  archived_at: null,
  effective_from: Date.parse(from),
  effective_to: to === null ? null : Date.parse(to),
  matcher: { kind: 'event', event_name, property_rules: [] },
})
const names = (batch: { matchers: { kind: string }[] } | null | undefined) =>
  batch?.matchers.map((matcher) => ('event_name' in matcher ? matcher.event_name : ''))

test('events are compared only with the revisions that count on their days', () => {
  const plan = planConverted(
    { days, scope },
    {
      revisions: [
        revision('first', '2026-03-01T00:00:00Z', '2026-03-05T00:00:00Z'),
        revision('second', '2026-03-05T00:00:00Z', '2026-03-10T00:00:00Z'),
        revision('third', '2026-03-10T00:00:00Z', null),
      ],
      builds: [],
    },
  )
  expect({ closed: names(plan?.closed), facts: names(plan?.facts) }).toEqual({ closed: ['second'], facts: ['third'] })
  // They count on all of their days, so that no event's instant need be looked at.
  expect([plan?.closed?.in_force, plan?.facts?.in_force]).toEqual([null, null])
})

test('facts are not read for conversions that have all ended before', () => {
  const ended = revision('first', '2026-03-01T00:00:00Z', '2026-03-10T00:00:00Z')
  expect(planConverted({ days, scope }, { revisions: [ended], builds: [] })).toMatchObject({
    measured_days: ['2026-03-09'],
    facts: null,
  })
})
