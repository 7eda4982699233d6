/**
 * What goes wrong on a seeded site: the access log and the site's own answers follow from the same faults, so that what
 * issues say is true of both.
 */
import { DAY_MS, HOUR_MS } from '#clock.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'

export const SITE = 'example.com'
/** A second host of the site: its certificate expires on the day before the last one. */
export const HELP_HOST = `help.${SITE}`

/** An hour of a day (UTC), counted in days back from the last one. */
export interface Moment {
  back: number
  hour: number
}

export interface Response {
  status: number
  headers?: Readonly<Record<string, string>>
  body?: string
}

/** One path that fails for some crawlers for some time. */
export interface Story {
  path: string
  crawlers: readonly string[]
  /** Requests of each crawler on a day on which it is refused: it tries again. On other days it makes a few. */
  requests: number
  /** Days on which they come, both included: the first is further back. */
  days: readonly [first_back: number, last_back: number]
  /** When in the day they come, `hh:mm`. */
  from?: string
  /** While it lasts every request is answered with `failure`; an end of null: it still does. */
  faults: readonly (readonly [from: Moment, until: Moment | null])[]
  failure: Response
  /** The owner marks the failure as intended, so many days back. */
  intended_back?: number
}

const html = { 'content-type': 'text/html; charset=utf-8' }
const CHALLENGE: Response = {
  status: 403,
  headers: { ...html, server: 'cloudflare', 'cf-mitigated': 'challenge' },
  body: '<!doctype html><title>Just a moment...</title>',
}

const ALL: readonly Story[] = [
  // A firewall challenges one crawler: open.
  {
    path: '/pricing',
    crawlers: ['claudebot'],
    requests: 16,
    days: [9, 1],
    faults: [[{ back: 5, hour: 6 }, null]],
    failure: CHALLENGE,
  },
  // A rule that was lifted comes back: regressed.
  {
    path: '/docs/api/reference.json',
    crawlers: ['gptbot'],
    requests: 24,
    days: [10, 1],
    faults: [
      [
        { back: 8, hour: 0 },
        { back: 7, hour: 8 },
      ],
      [{ back: 3, hour: 6 }, null],
    ],
    failure: { status: 403, headers: html, body: '<!doctype html><title>Forbidden</title>' },
  },
  // An outage for everybody, over: confirmed, and many alerts at once become a digest.
  {
    path: '/docs/search',
    crawlers: ['googlebot', 'gptbot', 'oai-searchbot', 'bingbot', 'claudebot', 'applebot'],
    requests: 12,
    days: [9, 1],
    faults: [
      [
        { back: 7, hour: 0 },
        { back: 6, hour: 12 },
      ],
    ],
    failure: { status: 503, headers: { ...html, 'retry-after': '600' }, body: '<!doctype html><title>Busy</title>' },
  },
  // A limit of requests that was raised; the crawler has not come back yet: fix_detected.
  {
    path: '/changelog.xml',
    crawlers: ['applebot'],
    requests: 24,
    days: [6, 3],
    faults: [
      [
        { back: 3, hour: 0 },
        { back: 2, hour: 8 },
      ],
    ],
    failure: { status: 429, headers: { 'retry-after': '3600' } },
  },
  // What the owner wants: withdrawn.
  {
    path: '/archive/2024.zip',
    crawlers: ['ccbot'],
    requests: 12,
    days: [7, 1],
    faults: [[{ back: 5, hour: 0 }, null]],
    failure: { status: 403 },
    intended_back: 3,
  },
  // Repaired more than a month ago: closed.
  {
    path: '/docs/api/v1',
    crawlers: ['bingbot'],
    requests: 24,
    days: [41, 35],
    faults: [
      [
        { back: 38, hour: 0 },
        { back: 37, hour: 8 },
      ],
    ],
    failure: { status: 500, headers: html, body: '<!doctype html><title>Error</title>' },
  },
  // Never asked for again: lapsed.
  {
    path: '/feeds/comments.xml',
    crawlers: ['perplexitybot'],
    requests: 6,
    days: [90, 90],
    from: '00:01',
    faults: [[{ back: 90, hour: 0 }, null]],
    failure: { status: 502 },
  },
]

/** Those that begin within so many days before the last one. */
export const storiesOf = (days: number): readonly Story[] => ALL.filter(({ days: [first] }) => first <= days)

/** The instant of a moment of a story. */
export const instantOfStory = (now: number, { back, hour }: Moment): number =>
  dayStart(utcDay(now - back * DAY_MS)) + hour * HOUR_MS

/** What a path answers at an instant to those whom the story is about; null: what it answers to everybody. */
export function failureAt({ faults, failure }: Story, now: number, at: number): Response | null {
  const fails = faults.some(
    ([from, until]) => at >= instantOfStory(now, from) && (until === null || at < instantOfStory(now, until)),
  )
  return fails ? failure : null
}

/**
 * On which days before the last one the site is looked at: each of the last week, the day after each begin of a fault,
 * and the day after each end; the earliest first.
 */
export function lookDays(stories: readonly Story[]): number[] {
  const recent = Array.from({ length: 8 }, (_, back) => back)
  const changes = stories.flatMap(({ faults }) =>
    faults.flatMap((moments) => moments.flatMap((one) => one?.back ?? [])),
  )
  return [...new Set([...recent, ...changes.map((back) => back - 1)])].filter((back) => back >= 0).sort((a, b) => b - a)
}
