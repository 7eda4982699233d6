/** A believable crawler history, the same for the same seed: an access log of the last days up to now. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#clock.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { type History, history } from './history.ts'
import { sequence } from './sequence.ts'
import { failureAt, HELP_HOST, SITE, type Story, storiesOf } from './stories.ts'

export interface Seed {
  /** Epoch milliseconds; nothing is later. */
  now: number
  /** Whole days before today. */
  days: number
  seed: number
}

/** Requests on an ordinary weekday, by crawler. */
const CRAWLERS: readonly (readonly [crawler_id: string, a_day: number])[] = [
  ['googlebot', 60],
  ['gptbot', 40],
  ['oai-searchbot', 35],
  ['bingbot', 30],
  ['claudebot', 25],
  ['chatgpt-user', 20],
  ['perplexitybot', 12],
  ['applebot', 8],
  ['ccbot', 4],
]

const PATHS = [
  '/',
  '/pricing',
  '/docs',
  '/docs/getting-started',
  '/docs/api',
  '/blog',
  '/blog/how-crawlers-read-pages',
  '/blog/a-year-of-logs',
  '/changelog',
  '/about',
]

/** Automated agents that no registry knows: requests on an ordinary weekday. */
const UNREGISTERED: readonly (readonly [agent: string, a_day: number])[] = [
  ['ExampleMonitor/2.1 (+https://monitor.example/bot; ops@monitor.example)', 6],
  ['python-requests/2.32.3', 2],
]

/** One day of an access log. */
export interface SeedDay {
  /** `YYYY-MM-DD`. */
  day: string
  text: string
}

/**
 * The days before today, the earliest first. One in eleven is unobserved; what goes wrong are the stories that fit into
 * the days.
 */
export function seedDays({ now, days, seed }: Seed): SeedDay[] {
  const random = sequence(seed)
  const stories = storiesOf(days)
  const written: SeedDay[] = []
  for (let back = days; back >= 1; back--) {
    if (back % 11 === 0) continue
    const at = now - back * DAY_MS
    const day = utcDay(at)
    const log = history()
    log.on(day).humans({ host: SITE })
    const weekday = new Date(at).getUTCDay()
    const weight = weekday === 0 || weekday === 6 ? 0.6 : 1
    for (const [crawlerId, aDay] of CRAWLERS) {
      log.crawler(crawlerId).requests(1, { host: SITE, path: '/robots.txt', from: hour(random) })
      const requests = Math.round(aDay * weight * (0.7 + 0.6 * random()))
      for (let index = 0; index < requests; index++) {
        const path = PATHS[Math.floor(PATHS.length * random() ** 2)] as string
        const from = hour(random)
        const story = stories.find((one) => one.path === path && one.crawlers.includes(crawlerId))
        const failure = story === undefined ? null : failureAt(story, now, dayStart(day) + timeOf(from))
        log.requests(1, { host: SITE, path, status: failure?.status ?? statusOf(random), from })
      }
    }
    for (const [agent, aDay] of UNREGISTERED) {
      log.agent(agent).requests(Math.round(aDay * weight), { host: SITE, path: '/', from: hour(random) })
    }
    for (const story of stories) writeStory(log, story, { now, day, back })
    if (back > HELP_IS_SILENT) for (const id of HELP_CRAWLERS) log.crawler(id).requests(6, { host: HELP_HOST })
    written.push({ day, text: log.text() })
  }
  return written
}

/** The access log of all days. */
export const seedHistory = (seed: Seed): string =>
  seedDays(seed)
    .map(({ text }) => text)
    .join('')

/** The second host is visited until its certificate has expired. */
const HELP_IS_SILENT = 1
const HELP_CRAWLERS = ['googlebot', 'bingbot']

/** Of a crawler to the path of a story, on a day when nothing is wrong. */
const USUAL_REQUESTS = 4

function writeStory(log: History, story: Story, { now, day, back }: { now: number; day: string; back: number }): void {
  const { path, crawlers, requests, days, from = '10:00' } = story
  const [first, last] = days
  if (back > first || back < last) return
  const failure = failureAt(story, now, dayStart(day) + timeOf(from))
  const count = failure === null ? USUAL_REQUESTS : requests
  const options = { host: SITE, path, status: failure?.status ?? 200, from }
  for (const id of crawlers) log.crawler(id).requests(count, options)
}

/** Of `hh:mm`, in milliseconds. */
function timeOf(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number)
  return hours * HOUR_MS + minutes * MINUTE_MS
}

function statusOf(random: () => number): number {
  const draw = random()
  if (draw < 0.02) return 404
  if (draw < 0.03) return 503
  return draw < 0.08 ? 304 : 200
}

function hour(random: () => number): string {
  return `${String(Math.floor(random() * 24)).padStart(2, '0')}:${String(Math.floor(random() * 60)).padStart(2, '0')}`
}
