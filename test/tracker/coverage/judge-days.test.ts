/** Days of random histories against the sentences of rules 6, written down one after the other. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS } from '#clock.ts'
import type { CollectionCountRow } from '#control/tables.ts'
import { dayStart } from '#days/utc-day.ts'
import type { Collected } from '#tracker/coverage/collected.ts'
import { judgeDays } from '#tracker/coverage/judge-days.ts'

const DAYS = ['2026-03-05', '2026-03-06', '2026-03-07', '2026-03-08', '2026-03-09']
const FROM = dayStart('2026-03-05')
const AS_OF = dayStart('2026-03-10')

/** What happened on one day. */
const happening = fc.record({
  browser: fc.boolean(),
  server: fc.boolean(),
  inspected: fc.boolean(),
  loaded: fc.boolean(),
  is_lossy: fc.boolean(),
})
type Happening = typeof happening extends fc.Arbitrary<infer H> ? H : never

function collectedOf(days: readonly Happening[]): Collected {
  const those = (is: (day: Happening) => boolean) => DAYS.filter((_, index) => is(days[index] as Happening))
  const counted = (day: string, outcome: CollectionCountRow['outcome'], reason: string) => ({
    site_id: 's',
    day,
    outcome,
    reason,
    events: 1,
    last_at: dayStart(day),
  })
  const [first] = those(({ browser, server }) => browser || server)
  const [browsers_from = null] = those(({ browser, inspected }) => browser || inspected)
  return {
    tracker: {
      site_id: 's',
      enabled_at: FROM,
      disabled_at: null,
      last_event_at: null,
      sealed_order_key: '',
      browsers_from: null,
      old_origins_through: null,
      first_event_at: first === undefined ? null : dayStart(first) + 1,
    },
    retention_days: 400,
    pauses: [],
    builds: [],
    dirty_days: [],
    outdated_days: [],
    runs: [{ id: 'r', from_at: FROM - DAY_MS, through_at: AS_OF }],
    counts: [
      ...those(({ browser }) => browser).map((day) => counted(day, 'accepted', '')),
      ...those(({ server }) => server).map((day) => counted(day, 'accepted', 'server')),
      ...those(({ is_lossy }) => is_lossy).map((day) => counted(day, 'refused', 'rate_limited')),
    ],
    inspected_days: those(({ inspected }) => inspected),
    loaded_days: those(({ loaded }) => loaded),
    browsers_from,
    last_proof_at: null,
    inspection: null,
    refused: [],
    named: new Map(),
  }
}

/** State and reason of a day, and whether visits, and anything at all, can be counted on it. */
function plainDay(
  days: readonly Happening[],
  index: number,
  of_servers: boolean,
): [string, string | null, boolean, boolean] {
  const { browser, server, inspected, loaded, is_lossy } = days[index] as Happening
  const firstOf = (is: (day: Happening) => boolean) => {
    const found = days.findIndex(is)
    return found === -1 ? Number.POSITIVE_INFINITY : found
  }
  const first_event = firstOf((day) => day.browser || day.server)
  const begins = firstOf((day) => day.browser || day.inspected)
  if (first_event === Number.POSITIVE_INFINITY) return ['gap', 'before_first_event', false, false]
  if (index < Math.min(first_event, begins)) return ['gap', 'before_first_event', false, false]
  if (browser || inspected) {
    if (is_lossy) return ['partial', 'collection_interrupted', true, true]
    return index === begins ? ['partial', 'evidence_begins', true, true] : ['complete', null, true, true]
  }
  const isLoaded = loaded && index > begins
  if (server && of_servers) {
    const reason = is_lossy ? 'collection_interrupted' : isLoaded ? 'loads_without_events' : 'no_signal'
    return ['partial', reason, false, true]
  }
  return isLoaded ? ['partial', 'loads_without_events', false, false] : ['gap', 'no_signal', false, false]
}

test.each([false, true])('the state of a day follows the rules (answers that count servers: %s)', (of_servers) => {
  fc.assert(
    fc.property(fc.array(happening, { minLength: DAYS.length, maxLength: DAYS.length }), (days) => {
      const range = { from: DAYS[0] as string, to: DAYS.at(-1) as string }
      const judged = judgeDays(collectedOf(days), range, { as_of: AS_OF, data_through: AS_OF }, of_servers)
      expect(
        [...judged.values()].map(({ state, limitation, is_proven, is_counted }) => [
          state,
          limitation,
          is_proven,
          is_counted,
        ]),
      ).toEqual(DAYS.map((_, index) => plainDay(days, index, of_servers)))
    }),
    { numRuns: 2_000 },
  )
})
