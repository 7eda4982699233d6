/** Random histories of visitors, put into the stores as the collector puts them. */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type { EvidenceStore } from '#evidence/store.ts'
import type { PlainEvent, PlainMatcher } from './plain-evaluation.ts'

export const DAY = '2026-03-10'
export const DAY_BEGINS = Date.parse(`${DAY}T00:00:00Z`)
const HOST = 'example.com'
const PATHS = ['/', '/a', '/b', '/c']
const NAMES = ['signup', 'buy']

const what = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('pageview' as const), path: fc.constantFrom(...PATHS) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('event' as const),
      path: fc.constantFrom(...PATHS),
      name: fc.constantFrom(...NAMES),
      props: fc.record(
        { plan: fc.constantFrom('free', 'pro', 'team'), seats: fc.integer({ min: -3, max: 9 }).map(String) },
        { requiredKeys: [] },
      ),
    }),
  },
)

/** Milliseconds after the event before; none and short ones make ties, half an hour ends a session. */
const pause = fc.constantFrom(0, 0, 0, 1, 1, 5, 60_000, 1_799_999, 1_800_000, 2_000_000)

/**
 * What one visitor did on one day; `joins` says that an event came in the request of the one before, at its instant.
 */
export const visit = fc.record({
  begins: fc.integer({ min: 0, max: 70_000_000 }),
  steps: fc.array(fc.record({ pause, joins: fc.boolean(), what }), { minLength: 1, maxLength: 7 }),
})
export type Visit = typeof visit extends fc.Arbitrary<infer V> ? V : never

export const matcher: fc.Arbitrary<PlainMatcher> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('pageview' as const),
      hostname: fc.constant(HOST),
      path: fc.constantFrom(...PATHS),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('event' as const),
      event_name: fc.constantFrom(...NAMES),
      property_rules: fc.array(
        fc.oneof(
          fc.constantFrom('free', 'pro').map((value) => rule('plan', 'equals', { value })),
          fc.subarray(['free', 'pro', 'team'], { minLength: 1 }).map((values) => rule('plan', 'one_of', { values })),
          fc
            .tuple(fc.integer({ min: -4, max: 5 }), fc.integer({ min: 0, max: 5 }))
            .map(([lower, more]) => rule('seats', 'between', { lower, upper: lower + more })),
          fc.integer({ min: -1, max: 3 }).map((value) => rule('seats', 'equals', { value })),
        ),
        { maxLength: 2 },
      ),
    }),
  },
)
const rule = <O extends 'equals' | 'one_of' | 'between', C>(property_key: string, operator: O, comparison: C) =>
  ({ event_name: 'any', property_key, property_revision: 1, scalar_kind: 'enum', operator, comparison }) as never

let order = Date.parse('2026-01-01T00:00:00Z')

/** The events of visits, one visitor each, in the order of their receipt. */
export function eventsOf(visits: readonly Visit[], day_begins = DAY_BEGINS): PlainEvent[] {
  const events = visits.flatMap(({ begins, steps }, visitor) => {
    let at = day_begins + begins
    let request = 0
    return steps.map(({ pause, joins, what }, index) => {
      const isJoined = joins && index > 0
      if (index > 0 && !isJoined) at += pause
      if (!isJoined) request = ++order
      const name = what.kind === 'event' ? what.name : ''
      const props = what.kind === 'event' ? (what.props as Record<string, string>) : {}
      return {
        visitor: visitor + 1,
        at,
        seq: 0,
        request,
        kind: what.kind,
        name,
        hostname: HOST,
        path: what.path,
        props,
      }
    })
  })
  return events
    .filter(({ at }) => at < day_begins + 86_400_000)
    .sort((a, b) => a.at - b.at)
    .map((event) => ({ ...event, seq: ++order }))
}

/** A site of its own for each history: an id that only evidence knows. */
export async function storeHistory(evidence: EvidenceStore, events: readonly PlainEvent[]): Promise<string> {
  const site_id = randomUUID()
  const rows = events.map((event) => [
    site_id,
    new Date(event.at).toISOString().slice(0, 10),
    'browser',
    String(event.seq),
    new Date(event.at).toISOString().replace('T', ' ').replace('Z', ''),
    String(event.seq),
    String(event.request),
    String(event.visitor),
    event.kind,
    event.name,
    event.hostname,
    event.path,
    'exact',
    '',
    false,
    '',
    '',
    '',
    '',
    '',
    event.props,
    'none',
    '0',
    '',
    '0',
  ])
  const pages = [...new Set(events.map(({ path }) => path))].map((path) => [site_id, HOST, path, 'exact', 'content'])
  await evidence.insert('pages', Buffer.from(pages.map((row) => `${JSON.stringify(row)}\n`).join('')), pages.length)
  await evidence.insert('events', Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')), rows.length)
  return site_id
}
