/** Random histories of visitors, dense in what is hard: silences near 30 minutes, ties, repeated ids, days' ends. */
import fc from 'fast-check'
import { DAY_MS } from '#clock.ts'
import { dayStart } from '#days/utc-day.ts'
import type { TestEvent } from '../../support/tracker.ts'

const STEPS_MS = [0, 1, 1_000, 60_000, 1_799_999, 1_800_000, 1_800_001, 7_200_000]
const PATHS = ['/', '/a', '/b', '/preise', '/blog/1', '/blog/2', '/u/jo@example.org']
const REFERRERS = [
  '',
  '',
  ':own',
  ':own',
  'www.google.de',
  'chatgpt.com',
  'l.facebook.com',
  'blog.example.net',
  'mail.google.com',
]
const UTMS = [
  {},
  {},
  {},
  { source: 'chatgpt.com' },
  { source: 'news', medium: 'email', campaign: 'märz' },
  { term: 'x', content: 'y' },
]

const step = fc.record({
  after_ms: fc.constantFrom(...STEPS_MS),
  kind: fc.constantFrom('pageview', 'pageview', 'pageview', 'event' as const),
  path: fc.constantFrom(...PATHS),
  host: fc.constantFrom('example.com', 'docs.example.com'),
  referrer_host: fc.constantFrom(...REFERRERS),
  utm: fc.constantFrom(...UTMS),
  has_click_id: fc.constantFrom(false, false, false, false, true),
  /** How far back the event is that is sent again; 0: none. */
  repeats: fc.constantFrom(0, 0, 0, 0, 0, 1, 2),
  stream: fc.constantFrom('browser', 'browser', 'browser', 'browser', 'browser', 'bot' as const),
})

const START_MS = [0, 36_000_000, 42_000_000, DAY_MS - 1_900_000, DAY_MS - 1]

/** One visitor of one day. */
const visit = fc.record({
  start_ms: fc.constantFrom(...START_MS),
  steps: fc.array(step, { minLength: 1, maxLength: 9 }),
})

/** For each day so many visitors; each visitor-day is a history of its own. */
export const histories = (days: readonly string[], visitors: number) =>
  fc
    .array(visit, { minLength: visitors * days.length, maxLength: visitors * days.length })
    .map((visits) =>
      visits.flatMap((one, index) =>
        eventsOf(one, days[index % days.length] as string, 1 + Math.floor(index / days.length)),
      ),
    )

let ids = 0

function eventsOf(
  { start_ms, steps }: { start_ms: number; steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[] },
  day: string,
  visitor: number,
): TestEvent[] {
  const events: TestEvent[] = []
  let at = dayStart(day) + start_ms
  for (const { after_ms, repeats, kind, host, ...rest } of steps) {
    at += after_ms
    if (at >= dayStart(day) + DAY_MS) break
    const repeated = repeats === 0 ? undefined : events.at(-repeats)
    events.push({
      ...rest,
      kind,
      hostname: host,
      ...(kind === 'event' ? { name: 'signup', props: { plan: 'pro' } } : {}),
      ...(repeated === undefined ? { stream: rest.stream } : { stream: repeated.stream ?? 'browser' }),
      at: new Date(at).toISOString(),
      visitor,
      id: repeated?.id ?? String(++ids),
    })
  }
  return events
}
