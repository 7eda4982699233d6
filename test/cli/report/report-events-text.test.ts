import { expect, test } from 'vitest'
import type { AnalyticsEvents } from '#contract/site-api/index.ts'
import examples from '#surfaces/http/reference/examples.json' with { type: 'json' }
import { eventsText } from '../../../cli/report/report-events-text.ts'

/** A real answer, into which each test writes its case. */
const recorded = examples.getAnalyticsEvents.answer as unknown as AnalyticsEvents
const style = { width: 80, is_coloured: false }
const list = { returned_count: 0, total_count: 0, withheld_count: 0, truncated: false }
const answer: AnalyticsEvents = {
  ...recorded,
  event_count: 1_234,
  privacy_floor: 5,
  quality: 'exact',
  events: {
    ...list,
    total_count: 1,
    withheld_count: 2,
    rows: [
      {
        name: 'signup',
        events: 1_234,
        server_events: 0,
        visitor_days: 40,
        properties: [
          ...[{ key: 'plan', scalar_kind: 'enum' as const, events: 9, sum: null, withheld: false }].map((property) => ({
            ...property,
            values: ['a', 'b', 'c', 'd', 'e', 'f'].map((value) => ({ value, events: 1 })),
          })),
          { key: 'seats', scalar_kind: 'integer', events: 3, values: null, sum: 1_200, withheld: false },
          { key: 'team', scalar_kind: 'boolean', events: null, values: null, sum: null, withheld: true },
        ],
      },
    ],
  },
  outbound_hosts: { ...list, total_count: 1, rows: [{ host: 'partner.example', events: 3, visitor_days: null }] },
  downloads: { ...list, rows: [] },
}

test('events, their declared properties, links and what the privacy floor leaves out', () => {
  const text = eventsText(style, answer, 'example.com').join('\n')
  expect(text).toContain('signup     1,234            40')
  expect(text).toContain('  signup.plan: a 1, b 1, c 1, d 1, e 1 and 1 more')
  expect(text).toContain('  signup.seats: sum 1,200')
  expect(text).toContain('  signup.team: withheld: too few visitors')
  expect(text).toContain('2 rows left out: fewer than 5 visitors sent them')
  expect(text).toMatch(/partner\.example +3 +unknown/)
  expect(text).not.toContain('Download')
})

test('a lower bound says so', () => {
  expect(eventsText(style, { ...answer, quality: 'observed_lower_bound' }, 'example.com').join('\n')).toContain(
    'Events        1,234 at least',
  )
})

test.each([
  ['uninstalled', 'the tracker is not installed. To begin: npx spoor tracker enable example.com'],
  ['awaiting_first_evidence', 'has not sent an event yet'],
  ['unavailable', 'does not answer'],
] as const)('%s is unknown, with its reason, and no number', (measurement_state, reason) => {
  const nothing = { ...list, total_count: null, withheld_count: null, rows: [] }
  const unknown = { ...answer, event_count: null, events: nothing, outbound_hosts: nothing, downloads: nothing }
  const text = eventsText(style, { ...unknown, meta: { ...recorded.meta, measurement_state } }, 'example.com')
  expect(text.join(' ').replaceAll(/\s+/g, ' ')).toContain(reason)
  expect(text.join('\n')).not.toMatch(/\d/)
})
